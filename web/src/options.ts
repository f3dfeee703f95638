import { INVALID_OPTIONS, fault, messageOf, TidemarkError } from "./errors.js";
import type { Profile } from "./profile.js";
import { sessionOf } from "./route.js";
import type { Decision, Refusal } from "./verdicts.js";

/** Why a new state is needed. `signal` fires when the stream is closed meanwhile. */
export interface LoadRequest {
  session: string;
  why: "first" | "rebuilt";
  refusal?: Refusal;
  signal: AbortSignal;
}

/** A state and the cursor it stands at: they belong together. */
export interface Loaded<S> {
  state: S;
  cursor: string;
}

/** The one way to a new state: the first one, and one after a refusal. */
export type Load<S = unknown> = (request: LoadRequest) => Loaded<S> | PromiseLike<Loaded<S>>;

export interface OpenOptions<S = unknown> {
  /** The session to follow. Default: the one named in the URL, `/sessions/{id}/events`. */
  session?: string | undefined;
  /** Several sessions on one stream. */
  sessions?: readonly string[] | undefined;
  /** Token of where to go on, one for each session. Absent or null: as `from` says. */
  cursor?: string | readonly string[] | null | undefined;
  /** Where a session without a cursor starts. Default: "beginning". */
  from?: "beginning" | "now" | undefined;
  /** Aborting ends the iteration quietly, with an `end` item of cause "closed". */
  signal?: AbortSignal | undefined;
  /** "enforce" (default) refuses what does not connect; "observe" hands everything over and reports it once. */
  mode?: "enforce" | "observe" | undefined;
  load?: Load<S> | undefined;
  /**
   * One record for each verdict, and for each connection that broke: positions and rule, never payload. What it throws
   * is reported, not passed on.
   */
  onDecision?: ((decision: Decision) => void) | undefined;
  headers?: HeadersInit | undefined;
  fetch?: typeof fetch | undefined;
  credentials?: RequestCredentials | undefined;
  profile?: Profile | undefined;
  /** Largest frame in bytes. Default: 48 MiB. */
  maxFrame?: number | undefined;
  /** Levels of nesting in an event. Default: 512. */
  maxDepth?: number | undefined;
}

/** Options after the one check: a copy, with what they leave open filled in. */
export interface Settings<S> extends OpenOptions<S> {
  readonly url: URL;
  readonly sessions: string[] | undefined;
  readonly cursors: string[];
  readonly headers: Headers;
  readonly fetch: typeof fetch;
}

/** Each option, what it takes in words, and the test. Absent (undefined) is always fine. */
const TAKES: Record<keyof OpenOptions, [expected: string, test: (value: unknown) => boolean]> = {
  session: ["text that is not empty", isName],
  sessions: ["a list of texts, none empty, at least one", (v) => Array.isArray(v) && v.length > 0 && v.every(isName)],
  cursor: ["a token, a list of tokens, or null", (v) => v === null || isName(v) || (Array.isArray(v) && v.every(isName))],
  from: oneOf("beginning", "now"),
  signal: ["an AbortSignal", isSignal],
  mode: oneOf("enforce", "observe"),
  load: ["a function", isFunction],
  onDecision: ["a function", isFunction],
  headers: ["an object, a list of pairs, or Headers", isObject],
  fetch: ["a function like fetch", isFunction],
  credentials: oneOf("omit", "same-origin", "include"),
  profile: ["the name of a profile, or one as an object", (v) => isName(v) || isObject(v)],
  maxFrame: upTo("bytes", 2 ** 30),
  maxDepth: upTo("levels", 10_000),
};

/** What no request can carry as it is, or no session is named: the core says the same. */
const NO_ID = /[\p{Cc}\p{Cs}]/u;

/** Checks everything once. Throws `stream.invalid_options`, naming the option, what it takes and what was there. */
export function settle<S>(url: string | URL, options: OpenOptions<S>): Settings<S> {
  if (!isObject(options)) throw invalid("options", "an object", options);
  const given: OpenOptions<S> = {};
  for (const name in options) check(name, (given[name as keyof OpenOptions] = options[name as keyof OpenOptions] as never));
  const { session, sessions, cursor, headers } = given;
  if (session !== undefined && sessions !== undefined) throw invalid("sessions", "either session or sessions", sessions);
  const address = absolute(url);
  for (const name of ["session", "cursor", "from"]) {
    if (address.searchParams.has(name)) throw invalid("url", `no "${name}" in its query; there is an option ${name}`, address.href);
  }
  const named = session ?? sessionOf(address);
  const followed = sessions ? [...sessions] : named === undefined ? undefined : [named];
  if (followed?.some((id) => NO_ID.test(id))) throw invalid("session", "ids without control characters", followed);
  return {
    ...given,
    fetch: given.fetch ?? ((input, init) => fetch(input, init)),
    url: address,
    sessions: followed,
    cursors: cursor === undefined || cursor === null ? [] : typeof cursor === "string" ? [cursor] : [...cursor],
    headers: headersOf(headers),
  };
}

function check(name: string, value: unknown): void {
  if (!Object.hasOwn(TAKES, name)) {
    throw fault(INVALID_OPTIONS, { expected: `options of ${Object.keys(TAKES).join(", ")}`, found: `an option "${name}"` });
  }
  const [expected, test] = TAKES[name as keyof OpenOptions];
  if (value !== undefined && !test(value)) throw invalid(name, expected, value);
}

function absolute(url: unknown): URL {
  try {
    if (typeof url === "string" || url instanceof URL) return new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href);
  } catch (cause) {
    throw invalid("url", "an absolute URL, or one relative to the page", url, cause);
  }
  throw invalid("url", "text or a URL", url);
}

function headersOf(init: HeadersInit | undefined): Headers {
  try {
    const headers = new Headers(init);
    if (!headers.has("accept")) headers.set("accept", "text/event-stream");
    return headers;
  } catch (cause) {
    throw invalid("headers", `names and values that a request can carry: ${messageOf(cause)}`, init);
  }
}

/** Says what sort of value was found, never the value: it may be a secret. */
function invalid(option: string, expected: string, value: unknown, cause?: unknown): TidemarkError {
  return fault(INVALID_OPTIONS, { expected: `${option}: ${expected}`, found: sortOf(value), cause });
}

function sortOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "string") return value === "" ? "empty text" : `text of ${value.length} characters`;
  return typeof value === "number" ? `the number ${value}` : typeof value;
}

function oneOf(...words: string[]): [string, (value: unknown) => boolean] {
  return [words.map((w) => JSON.stringify(w)).join(" or "), (v) => words.includes(v as string)];
}

function upTo(unit: string, most: number): [string, (value: unknown) => boolean] {
  return [`${unit} from 1 to ${most}`, (v) => Number.isInteger(v) && (v as number) > 0 && (v as number) <= most];
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

function isSignal(value: unknown): boolean {
  const signal = value as AbortSignal | null;
  return typeof signal?.aborted === "boolean" && typeof signal.addEventListener === "function";
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
