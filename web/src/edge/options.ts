import type { Decision } from "../verdicts.js";
import type { Profile } from "../profile.js";
import { fault, INVALID_OPTIONS } from "../errors.js";
import { LIMIT, MOST_PAGE } from "../gen/seam.gen.js";
import { MODES, type From, type Mode } from "../gen/words.gen.js";
import { invalid, isObject, isStart, oneOf } from "../takes.js";

/** How a stream is judged. */
export interface Judging {
  /** What the stream can promise. Default: `session`, the streams of docs/protocol.md. */
  profile?: Profile;
  /** `observe` lets everything pass, and only tells what it would have refused. Default: `enforce`. */
  mode?: Mode;
  /** Bytes of one frame, 1 to 2^30. Default: 4 MiB. */
  maxFrame?: number;
  /** Is told every verdict, positions and never payload. What it throws is reported, and harms no stream. Asking costs time for every event. */
  onVerdict?: (decision: Decision) => void;
}

/** What the consumer has asked for. Everything absent: one session, which the server names, from the beginning. */
export interface Asked {
  /** The sessions asked for. Default: those of the cursors. */
  sessions?: string[];
  /** Tokens to go on from, at most one for each session. */
  cursors?: string[];
  /** For sessions without a cursor. Default: `beginning`. */
  from?: From;
  /** The header of a browser that connects again; wins for its session. */
  lastEventId?: string;
}

type Test = readonly [expected: string, test: (value: unknown) => boolean];

const TEXTS: Test = ["a list of texts", (v) => Array.isArray(v) && v.every((each) => typeof each === "string")];
const TEXT: Test = ["text", (v) => typeof v === "string"];
const FUNCTION: Test = ["a function", isFunction];

/** What each option takes, in words, and the test. Absent (undefined) is always fine. */
const TAKES = {
  profile: ["a profile, or the name of one", (v) => typeof v === "string" || (isObject(v) && !!JSON.stringify(v))],
  mode: oneOf(MODES),
  maxFrame: [`bytes from 1 to ${LIMIT}`, (v) => upTo(LIMIT, v)],
  onVerdict: FUNCTION,
  sessions: TEXTS,
  cursors: TEXTS,
  from: ['"beginning" or "now"', isStart],
  lastEventId: TEXT,
  signal: ["an AbortSignal", (v) => isFunction((v as AbortSignal).addEventListener)],
  upstream: ["an absolute http or https URL without credentials, query or fragment", isAddress],
  fetch: FUNCTION,
  headers: ["headers", (v) => isObject(v) && !!new Headers(v as HeadersInit)],
  asks: FUNCTION,
  waitUntil: FUNCTION,
  history: [`{ cache, pageSize, scope }: a cache with match, put and delete; events from 1 to ${MOST_PAGE}; text`, isHistory],
  memory: ["{ store, key }: a store with load and save, and a function", (v) => isFunction((v as { key?: unknown }).key) && has((v as { store?: unknown }).store, "load", "save")],
} satisfies Record<string, Test>;

/** Checks options once. Throws `stream.invalid_options`, naming the option, what it takes and what sort of value was there. */
export function checked<T extends object>(options: T, ...names: (keyof TAKESOf)[]): T {
  if (!isObject(options)) throw invalid("options", "an object", options);
  for (const [name, value] of Object.entries(options)) {
    if (!names.includes(name as keyof TAKESOf)) throw fault(INVALID_OPTIONS, { expected: `options of ${names.join(", ")}`, found: `an option "${name}"` });
    check(name as keyof TAKESOf, value);
  }
  return options;
}

type TAKESOf = typeof TAKES;

function check(name: keyof TAKESOf, value: unknown): void {
  const [expected, test]: Test = TAKES[name];
  try {
    if (value === undefined || test(value)) return;
  } catch {} // what cannot be read is nothing that an option takes
  throw invalid(name, expected, value);
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

function isAddress(value: unknown): boolean {
  const { protocol, username, password, search, hash } = new URL(value as string | URL);
  return /^https?:$/.test(protocol) && !(username || password || search || hash);
}

function isHistory(value: unknown): boolean {
  const { cache, pageSize = 1, scope = "" } = value as { cache?: unknown; pageSize?: unknown; scope?: unknown };
  return has(cache, "match", "put", "delete") && upTo(MOST_PAGE, pageSize) && typeof scope === "string";
}

function upTo(most: number, value: unknown): boolean {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= most;
}

function has(value: unknown, ...names: string[]): boolean {
  return names.every((name) => isFunction((value as Record<string, unknown>)[name]));
}
