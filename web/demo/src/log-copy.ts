import { known, type Known, type SessionEvent } from "./record.js";

/** Records of a session that are kept for comparing; the server keeps as many. */
const KEPT = 20_000;

export interface Head {
  lastSeq: number;
  oldestSeq: number;
  generation?: number | string;
}

interface Held extends Known {
  /** When this page learned of it, in milliseconds. */
  since: number;
}

/**
 * The page's copy of the log: the truth that both sides are compared with. It keeps what a prune takes away, because
 * that was the history all the same, and forgets what a takeover or a loss replaced.
 */
export class LogCopy {
  /** Lowest and highest seq that it can speak of; `last` is 0 while it knows nothing. */
  first = 1;
  last = 0;
  head: Head | undefined;
  /** The question whose answer it shows was asked at this time; later arrivals cannot be judged yet. */
  asOf = -Infinity;
  #held = new Map<number, Held>();

  at(seq: number): Held | undefined {
    return this.#held.get(seq);
  }

  /** How long something above `seq` has been in the log, in milliseconds; 0 when nothing is. */
  waiting(seq: number, now: number): number {
    const next = seq < this.last ? this.#held.get(Math.max(seq + 1, this.first)) : undefined;
    return next ? now - next.since : 0;
  }

  /** Whether an answer that starts with its newest record shows the same record there. */
  continues(events: readonly SessionEvent[]): boolean {
    const held = this.#held.get(this.last);
    return held === undefined || (events[0]?.seq === this.last && known(events[0]).print === held.print);
  }

  append(events: readonly SessionEvent[], now: number): void {
    for (const event of events) {
      if (event.seq === undefined) continue;
      if (this.last === 0) this.first = event.seq;
      this.#held.set(event.seq, { ...known(event), since: this.#held.get(event.seq)?.since ?? now });
      this.last = Math.max(this.last, event.seq);
    }
    for (; this.#held.size > KEPT; this.first++) this.#held.delete(this.first);
  }

  /**
   * Takes over a log that was read anew from its oldest record; answers the lowest seq that is another record now, or
   * none any more. Infinity when all that was known still stands.
   */
  replace(events: readonly SessionEvent[], oldest: number, now: number): number {
    const before = this.#held;
    const last = events.at(-1)?.seq ?? oldest - 1;
    const fresh = new LogCopy();
    fresh.append(events, now);
    let changed = Infinity;
    for (const [seq, held] of before) {
      if (seq >= oldest && fresh.at(seq)?.print !== held.print) changed = Math.min(changed, seq);
    }
    this.#held = new Map([...before].filter(([seq]) => seq < oldest && seq <= last));
    this.first = Math.min(oldest, ...this.#held.keys());
    this.last = last;
    this.append(events, now);
    return changed;
  }
}
