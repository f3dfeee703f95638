import type { SavedInbox } from "tidemark/inbox";
import { known, seqOf, type SessionEvent } from "./record.js";

/** One item of the folded state that the transcript route answers. */
export interface StateItem {
  kind: "message" | "tool";
  seq: number;
  id: string;
  content?: unknown;
  name?: string;
  input?: unknown;
  result?: unknown;
  isError?: boolean;
}

export interface Transcript {
  state: { items: StateItem[]; turns: unknown[]; /** The saved fold of its questions, where there is one. */ parks?: SavedInbox };
  cursor: string;
  firstSeq: number;
}

/** A state that stands for all records from `from` to `through`. */
export interface Snapshot {
  from: number;
  through: number;
  items: StateItem[];
  at: number;
  /** It stands for records of today's log up to here; less than `through` once the log was changed under it. */
  valid: number;
  /** Whether its items were found in the log. */
  checked: boolean;
}

/** One showing of a recorded event. */
export interface Shown {
  print: number;
  at: number;
}

/** Recorded events that one side keeps: more than the copy of the log, which comes later and must not find a hole below. */
const KEPT = 25_000;

/** All that one side shows of the log: a state, and every recorded event it showed since. */
export class Screen {
  snapshot: Snapshot | undefined;
  readonly shown = new Map<number, Shown[]>();
  #count = 0;

  /** A new state replaces everything. */
  reset({ state, cursor, firstSeq }: Transcript, now: number): void {
    const through = seqOf(cursor);
    this.clear();
    // A transcript can reach further back than its log.
    const from = state.items.reduce((lowest, { seq }) => Math.min(lowest, seq), firstSeq);
    this.snapshot = { from, through, items: state.items, at: now, valid: through, checked: false };
  }

  clear(): void {
    this.snapshot = undefined;
    this.shown.clear();
    this.#count = 0;
  }

  add(event: SessionEvent, now: number): void {
    if (event.seq === undefined) return;
    const list = this.shown.get(event.seq) ?? [];
    list.push({ print: known(event).print, at: now });
    this.shown.set(event.seq, list);
    if (++this.#count > KEPT) this.#forget();
  }

  /** The log is another one from this seq on. */
  changed(from: number): void {
    if (this.snapshot?.checked) this.snapshot.valid = Math.min(this.snapshot.valid, from - 1);
  }

  #forget(): void {
    const oldest = this.shown.entries().next().value;
    if (!oldest) return;
    this.shown.delete(oldest[0]);
    this.#count -= oldest[1].length;
  }
}
