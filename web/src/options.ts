import type { Connection } from "./connection.js";
import { headersOf, type GiveHeaders } from "./headers.js";
import { HttpSource } from "./http.js";
import type { Profile } from "./profile.js";
import { sessionIn, sessionOf } from "./route.js";
import type { Start } from "./rows.js";
import type { StreamState } from "./state.js";
import type { SnapshotOptions } from "./snapshots.js";
import type { SnapshotStore } from "./storage/store.js";
import { check, invalid, isObject, isStart } from "./takes.js";
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
  /** Where a session without a cursor starts: "beginning" (default) or "now". A token is the same as `cursor`. */
  from?: "beginning" | "now" | (string & {}) | undefined;
  /**
   * A state that is there already, rendered by the server perhaps, and the cursor it stands at; one for each session.
   * It comes back as the first item, of kind "state", and the stream goes on from its cursor.
   */
  initial?: Loaded<S> | readonly Loaded<S>[] | undefined;
  /** Aborting ends the iteration quietly, with an `end` item of cause "closed". */
  signal?: AbortSignal | undefined;
  /** "enforce" (default) refuses what does not connect; "observe" hands everything over and reports it once. */
  mode?: "enforce" | "observe" | undefined;
  /** Whether a reconnect has to prove that the log is the same one: "prefer" (default of our profile), "require" or "off". */
  proof?: "prefer" | "require" | "off" | undefined;
  load?: Load<S> | undefined;
  /**
   * One record for each verdict, and for each connection that broke: positions and rule, never payload. What it throws
   * is reported, not passed on.
   */
  onDecision?: ((decision: Decision) => void) | undefined;
  /** Called with a new value whenever the connection or a session changes its state. What it throws is reported. */
  onState?: ((state: StreamState) => void) | undefined;
  /** One line of text for each verdict and each break, to `console.debug` or to a function of yours. Positions only. */
  debug?: boolean | ((line: string) => void) | undefined;
  /** Headers of every request; as a function it is called for each, and again after 401 or 403. */
  headers?: HeadersInit | GiveHeaders | undefined;
  fetch?: typeof fetch | undefined;
  credentials?: RequestCredentials | undefined;
  /**
   * Keeps the network and the module off the page's thread: in a worker of the package, or in the one that the function makes
   * (of `tidemark/worker`). Functions among the options are called in the page all the same.
   */
  worker?: boolean | (() => Worker) | undefined;
  /**
   * Where `save()` keeps states, each with its cursor, and where the stream begins: a snapshot that was saved comes as the
   * first item, of kind "state", before `initial` and without `load`.
   */
  snapshots?: SnapshotStore | SnapshotOptions | undefined;
  profile?: Profile | undefined;
  /** Largest frame in bytes. Default: 48 MiB. */
  maxFrame?: number | undefined;
  /** Levels of nesting in an event. Default: 512. */
  maxDepth?: number | undefined;
}

/** Where the bytes of a stream come from: `tidemark/sources` makes such. */
export interface Source {
  /** Makes a connection that asks for these starts. `attempt` counts those since the last recorded event, from 1. */
  connect(starts: readonly Start[], attempt: number): Connection;
  /** Gets other credentials for the connection that comes next. Absent: there are none to get. */
  renew?: ((starts: readonly Start[], attempt: number, status: 401 | 403) => Promise<void>) | undefined;
  /** Whether there is one connection, and there can be no other. Absent: it is as requests are, and they can be repeated. */
  readonly single?: boolean;
}

/** Options after the one check: a copy, with what they leave open filled in. */
export interface Settings<S> extends Source, Omit<OpenOptions<S>, "from" | "initial" | "sessions" | "debug"> {
  readonly sessions: string[] | undefined;
  readonly cursors: string[];
  readonly from: "beginning" | "now" | undefined;
  readonly initial: readonly Loaded<S>[];
  readonly debug: ((line: string) => void) | undefined;
  /** What proves saved cursors, by session. */
  readonly proofs?: { session: string; proof: string }[];
  /** Whether items say what stands around events (around.ts). */
  readonly frames?: boolean;
  /** Absent: the source is no address. */
  readonly url?: URL | undefined;
}

/** What no request can carry as it is, or no session is named: the core says the same. */
const NO_ID = /[\p{Cc}\p{Cs}]/u;

/** Checks everything once. Throws `stream.invalid_options`, naming the option, what it takes and what was there. */
export function settle<S>(source: string | URL | Source, options: OpenOptions<S>): Settings<S> {
  if (!isObject(options)) throw invalid("options", "an object", options);
  const given = copied(options);
  for (const name in given) check(name, given[name as keyof OpenOptions]);
  const address = isSource(source) ? undefined : addressed(source);
  const sessions = followed(given, address && sessionOf(address));
  const start = startOf(given);
  checkBeside(address, sessions, start, given);
  return {
    ...given,
    ...(isSource(source) ? asGiven(source, given) : overHttp(address!, given)),
    ...start,
    // the core takes several cursors for as many sessions; what asks by name has to know them, too
    sessions: sessions ?? (start.cursors[1] ? start.cursors.map(sessionIn) : undefined),
    url: address,
    debug: given.debug === true ? (line) => console.debug(line) : given.debug || undefined,
  };
}

/** Each option is read once, those that are inherited as well. */
function copied<T extends object>(options: T): T {
  const copy: Partial<T> = {};
  try {
    for (const name in options) copy[name] = options[name];
  } catch {
    throw invalid("options", "an object whose members can be read", options);
  }
  return copy as T;
}

/** The sessions that are named anywhere. */
function followed({ session, sessions }: OpenOptions, routed: string | undefined): string[] | undefined {
  if (session !== undefined && sessions !== undefined) throw invalid("sessions", "either session or sessions", sessions);
  const named = session ?? routed;
  const list = sessions ? [...sessions] : named === undefined ? undefined : [named];
  if (list?.some((id) => NO_ID.test(id))) throw invalid("session", "ids without control characters", list);
  return list;
}

/** Where to start is said in one place: what is a cursor in one must not contradict another. */
function startOf<S>(given: OpenOptions<S>): Pick<Settings<S>, "from" | "cursors" | "initial"> {
  const { cursor, from, initial } = given;
  const named = from === undefined || isStart(from);
  const states = initial === undefined ? [] : ([initial].flat() as Loaded<S>[]);
  const places: Record<string, string[]> = {
    cursor: cursor === undefined || cursor === null ? [] : [cursor].flat() as string[],
    from: named ? [] : [from],
    initial: states.map((loaded) => loaded.cursor),
  };
  const [said, twice] = Object.keys(places).filter((name) => places[name]!.length > 0);
  if (twice) throw invalid(twice, `a cursor in either ${said} or ${twice}`, given[twice as keyof OpenOptions]);
  return { from: named ? from : undefined, cursors: said ? places[said]! : [], initial: states };
}

/** What goes with options that only some pages use. */
function checkBeside(url: unknown, sessions: unknown, { cursors, initial }: Pick<Settings<unknown>, "cursors" | "initial">, { worker, snapshots, fetch: own }: OpenOptions): void {
  if (worker && !(url && !own)) throw invalid("worker", "an address, and no fetch beside it", worker);
  if (snapshots && !(sessions && cursors.length === initial.length)) throw invalid("snapshots", "a session with a name, and no cursor beside it", snapshots);
}

function addressed(url: unknown): URL {
  const address = absolute(url);
  for (const name of ["session", "cursor", "from"]) {
    if (address.searchParams.has(name)) throw invalid("url", `no "${name}" in its query; there is an option ${name}`, address.href);
  }
  return address;
}

function absolute(url: unknown): URL {
  try {
    if (typeof url === "string" || url instanceof URL) return new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href);
  } catch {
    throw invalid("url", "an absolute URL, or one relative to the page", url); // the engine's own words hold the address
  }
  throw invalid("url", "text, a URL, or a source", url);
}

function isSource(source: unknown): source is Source {
  return typeof (source as Source | null | undefined)?.connect === "function";
}

/** Whoever brings a connection has made it as they like it. */
function asGiven({ connect, single = false }: Source, given: OpenOptions): Source {
  for (const name of ["headers", "fetch", "credentials"] as const) {
    if (given[name] !== undefined) throw invalid(name, "nothing, since the source makes its connections itself", given[name]);
  }
  return { connect, single };
}

export function overHttp(url: URL, { headers, fetch: own, credentials }: OpenOptions): Source {
  const asked = typeof headers === "function";
  const http = new HttpSource({
    url, credentials,
    headers: asked ? headers : headersOf(headers),
    fetch: own ?? ((input, init) => fetch(input, init)),
  });
  return {
    connect: (starts, attempt) => http.connect(starts, attempt),
    renew: asked ? (starts, attempt, status) => http.renew(starts, attempt, status) : undefined,
  };
}
