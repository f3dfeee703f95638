import type { RowState, UnknownWhy } from "./gen/parks.gen.js";

/** A question to a human, as the inbox knows it now: frozen with all that it holds, a new one when anything has changed. Times are milliseconds since 1970. */
export interface Row {
  readonly session: string;
  readonly decisionId: string;
  /** "" when the record named none, as `checkpointId`. */
  readonly turnId: string;
  readonly checkpointId: string;
  /** Where the question stands, and under which generation: an answer takes both along. Absent: it was saved without a place, and cannot be answered. */
  readonly seq?: number;
  readonly generation?: string;
  readonly state: RowState;
  /** With "unknown": what was read last. Not to be acted on. */
  readonly was?: Exclude<RowState, "unknown">;
  /** The question, parsed. */
  readonly request: unknown;
  /** Its `type`, "" when it has none. */
  readonly requestType: string;
  readonly parkedAt: number;
  readonly deadlineAt?: number;
  readonly resolvedAt?: number;
  /** Where the record stands that settles it. */
  readonly resolvedSeq?: number;
  /** Of one that is settled: whether by the record of an expiry. */
  readonly expired?: boolean;
  readonly decision?: unknown;
  readonly resolvedBy?: unknown;
}

/** What an inbox knows of a session as a whole. */
export interface InboxSession {
  readonly session: string;
  /** Whether its rows are as they are shown. */
  readonly known: boolean;
  readonly why?: UnknownWhy;
  /** Rows that wait for an answer; 0 says nothing unless the session is known. */
  readonly pending: number;
}

/** All there is to show at a time. `wake`: when it changes by time alone. */
export interface View {
  readonly rows: readonly Row[];
  readonly sessions: readonly InboxSession[];
  readonly wake?: number;
}

export const EMPTY: View = frozen({ rows: [], sessions: [] });

/** A view as the core has numbered it. */
export interface Answer extends View {
  readonly number: number;
}

export const NONE: Answer = frozen({ ...EMPTY, number: 0 });

/** Rows of the answer before, one behind the other: from a place, so many, and how they stand when that has changed. */
type Kept = [from: number, count: number, state?: RowState, was?: Row["was"]];

/** What the core wrote for whoever has the answer before, frozen. Rows that did not change are the very same. */
export function answerOf(text: string, before: Answer): Answer {
  const { rows, ...rest } = JSON.parse(text) as Omit<Answer, "rows"> & { rows: (Row | Kept)[] };
  const all = rows.flatMap((row) => (Array.isArray(row) ? keptOf(before.rows, row) : frozen(row)));
  return Object.freeze({ ...frozen(rest), rows: Object.freeze(all) });
}

function keptOf(rows: readonly Row[], [from, count, state, was]: Kept): readonly Row[] {
  const kept = rows.slice(from, from + count);
  if (state === undefined) return kept;
  return kept.map(({ was: _, ...row }) => Object.freeze({ ...row, state, ...(was && { was }) }));
}

/** How the core said that sessions stand. */
export function sessionsOf(text: string): readonly InboxSession[] {
  return (JSON.parse(text) as View).sessions;
}

/** The same without a core that could say how anything stands. */
export function doubted({ rows, sessions }: View): View {
  return frozen({
    rows: rows.map(unsure),
    sessions: sessions.map(({ session, why = "catching_up" }) => ({ session, known: false, why, pending: 0 })),
  });
}

/** Takes rows for unknown that are known to be no longer as the stream has said. */
export function without(view: View, over: (row: Row) => boolean): View {
  if (!view.rows.some((row) => row.state === "pending" && over(row))) return view;
  const rows = view.rows.map((row) => (row.state === "pending" && over(row) ? unsure(row) : row));
  const waits = new Map<string, number>();
  for (const { session, state } of rows) if (state === "pending") waits.set(session, (waits.get(session) ?? 0) + 1);
  const sessions = view.sessions.map((each) => (each.known ? { ...each, pending: waits.get(each.session) ?? 0 } : each));
  return frozen({ ...view, rows, sessions });
}

function unsure(row: Row): Row {
  return row.state === "unknown" ? row : { ...row, state: "unknown", was: row.state };
}

/** Frozen from the inside out, so that what is frozen need not be looked into again. Nothing here is nested deeper than JSON is read. */
function frozen<T>(value: T): T {
  if (Object.isFrozen(value)) return value;
  for (const name in value) frozen(value[name]);
  return Object.freeze(value);
}
