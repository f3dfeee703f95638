import type { ConnectionState, Phase } from "./gen/words.gen.js";

export type { ConnectionState, Phase };

/** Where a stream stands: a frozen value, a new one for each change. */
export interface StreamState {
  readonly connection: ConnectionState;
  /** Waits since the last progress; 0 when all is well. */
  readonly attempt: number;
  /** With "waiting": when the connection is made again, in milliseconds since 1970. */
  readonly retryAt?: number;
  /** By session; one without a name yet is not among them. */
  readonly sessions: Readonly<Record<string, Phase>>;
}

/** What a row says has changed. */
export type Change =
  | { connection: ConnectionState; attempt?: number | undefined; at?: number | undefined }
  | { session: string; phase: Phase };

const frozen: <T>(value: T) => Readonly<T> = Object.freeze;

/** The state before anything has happened. */
export const UNSTARTED: StreamState = frozen({ connection: "idle", attempt: 0, sessions: frozen({}) });

/** The state after a change; the same value when nothing is different. */
export function changed(state: StreamState, change: Change): StreamState {
  if ("phase" in change) return withPhases(state, { [change.session]: change.phase });
  const { connection, attempt = 0, at } = change;
  if (state.connection === connection && state.attempt === attempt && state.retryAt === at) return state;
  return frozen({ connection, attempt, ...(at !== undefined && { retryAt: at }), sessions: state.sessions });
}

/** The state of a stream that is over: what was not refused has ended. */
export function over(state: StreamState): StreamState {
  const live = Object.keys(state.sessions).filter((session) => state.sessions[session] !== "refused");
  return changed(withPhases(state, Object.fromEntries(live.map((session) => [session, "ended"]))), { connection: "closed" });
}

function withPhases(state: StreamState, phases: Record<string, Phase>): StreamState {
  if (Object.entries(phases).every(([session, phase]) => state.sessions[session] === phase)) return state;
  return frozen({ ...state, sessions: frozen({ ...state.sessions, ...phases }) });
}
