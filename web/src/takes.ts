import { INVALID_OPTIONS, fault, type TidemarkError } from "./errors.js";
import { LIMIT, MOST_DEPTH } from "./gen/seam.gen.js";
import { MODES, PROOFS, type From } from "./gen/words.gen.js";
import type { Loaded, OpenOptions } from "./settings.js";
import type { SnapshotStore } from "./storage/store.js";

/** Each option, what it takes in words, and the test. Absent (undefined) is always fine. */
const TAKES: Record<keyof OpenOptions, [expected: string, test: (value: unknown) => boolean]> = {
  session: ["text that is not empty", isName],
  sessions: ["texts, none empty, at least one", (v) => Array.isArray(v) && v.length > 0 && v.every(isName)],
  cursor: ["a token, a list of tokens, or null", (v) => v === null || isName(v) || (Array.isArray(v) && v.every(isName))],
  from: ['"beginning" or "now" or a token', (v) => isStart(v) || isToken(v)],
  initial: ["{ state, cursor }, the cursor a token, or a list of such", (v) => [v].flat().every(isLoaded)],
  signal: ["an AbortSignal", isSignal],
  mode: oneOf(MODES),
  proof: oneOf(PROOFS),
  load: ["a function", isFunction],
  onDecision: ["a function", isFunction],
  onState: ["a function", isFunction],
  debug: ["true or a function that takes a line", (v) => typeof v === "boolean" || isFunction(v)],
  headers: ["headers, or a function that answers such", (v) => isObject(v) || isFunction(v)],
  fetch: ["a function like fetch", isFunction],
  credentials: oneOf(["omit", "same-origin", "include"]),
  profile: ["a profile, or the name of one", (v) => isName(v) || (isObject(v) && !!JSON.stringify(v))],
  worker: ["true or a function that answers one", (v) => typeof v === "boolean" || isFunction(v)],
  snapshots: ["{ read, write } or { store }", isSnapshots],
  maxFrame: upTo("bytes", LIMIT),
  maxDepth: upTo("levels", MOST_DEPTH),
};

/** Checks one option. Throws `stream.invalid_options`, naming it, what it takes and what was there. */
export function check(name: string, value: unknown): void {
  if (!Object.hasOwn(TAKES, name)) {
    throw fault(INVALID_OPTIONS, { expected: `options of ${Object.keys(TAKES).join(", ")}`, found: `an option "${name}"` });
  }
  const [expected, test] = TAKES[name as keyof OpenOptions];
  try {
    if (value === undefined || test(value)) return;
  } catch {} // what cannot be read is nothing that an option takes
  throw invalid(name, expected, value);
}

/** Says what sort of value was found, never the value: it may be a secret. */
export function invalid(option: string, expected: string, value: unknown): TidemarkError {
  return fault(INVALID_OPTIONS, { expected: `${option}: ${expected}`, found: sortOf(value) });
}

function sortOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "string") return value === "" ? "empty text" : `text of length ${value.length}`;
  return typeof value === "number" ? `the number ${value}` : typeof value;
}

export function oneOf(words: readonly string[]): [string, (value: unknown) => boolean] {
  return [words.map((w) => JSON.stringify(w)).join(" or "), (v) => words.includes(v as string)];
}

function upTo(unit: string, most: number): [string, (value: unknown) => boolean] {
  return [`${unit} from 1 to ${most}`, (v) => Number.isInteger(v) && (v as number) > 0 && (v as number) <= most];
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** A start by name, which is no token: those have a colon. */
export function isStart(value: unknown): value is From {
  return value === "beginning" || value === "now";
}

function isToken(value: unknown): boolean {
  return isName(value) && value.includes(":");
}

function isLoaded(value: unknown): value is Loaded<unknown> {
  return isObject(value) && "state" in value && isName((value as { cursor?: unknown }).cursor);
}

function isSnapshots(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { store = value as Partial<SnapshotStore> } = value as { store?: Partial<SnapshotStore> };
  return isFunction(store.read) && isFunction(store.write);
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

function isSignal(value: unknown): boolean {
  const signal = value as AbortSignal | null;
  return typeof signal?.aborted === "boolean" && typeof signal.addEventListener === "function";
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
