// What open() takes, and what becomes of it once it was checked: types alone.
import type { Connection } from "./connection.js";
import type { From, LoadWhy, Mode, ProofMode } from "./gen/words.gen.js";
import type { GiveHeaders } from "./headers.js";
import type { Profile } from "./profile.js";
import type { Start } from "./rows.js";
import type { SnapshotOptions } from "./snapshots.js";
import type { StreamState } from "./state.js";
import type { SnapshotStore } from "./storage/store.js";
import type { Decision, Refusal } from "./verdicts.js";

/** Why a new state is needed. `signal` fires when the stream is closed meanwhile. */
export interface LoadRequest {
  session: string;
  why: LoadWhy;
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
  from?: From | (string & {}) | undefined;
  /**
   * A state that is there already, rendered by the server perhaps, and the cursor it stands at; one for each session.
   * It comes back as the first item, of kind "state", and the stream goes on from its cursor.
   */
  initial?: Loaded<S> | readonly Loaded<S>[] | undefined;
  /** Aborting ends the iteration quietly, with an `end` item of cause "closed". */
  signal?: AbortSignal | undefined;
  /** "enforce" (default) refuses what does not connect; "observe" hands everything over and reports it once. */
  mode?: Mode | undefined;
  /** Whether a reconnect has to prove that the log is the same one: "prefer" (default of our profile), "require" or "off". */
  proof?: ProofMode | undefined;
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
  readonly from: From | undefined;
  readonly initial: readonly Loaded<S>[];
  readonly debug: ((line: string) => void) | undefined;
  /** What proves saved cursors, by session. */
  readonly proofs?: { session: string; proof: string }[];
  /** Whether items say what stands around events (around.ts). */
  readonly frames?: boolean;
  /** Absent: the source is no address. */
  readonly url?: URL | undefined;
}
