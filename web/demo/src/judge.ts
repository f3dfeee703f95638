import type { LogCopy } from "./log-copy.js";
import type { Screen, Snapshot } from "./screen.js";

/** What a place of the log looks like on one side. */
export type Cell = "none" | "ahead" | "there" | "state" | "missing" | "doubled" | "stale";

/** One side, compared with the log. Seqs are in ascending order. */
export interface Finding {
  /** The log has them below the newest one shown, and they are not shown. */
  missing: number[];
  /** Shown more than once; a seq stands here for each time too many. */
  doubled: number[];
  /** Shown from a history that the log does not have any more. */
  stale: number[];
  /** The newest seq of the log that is shown, 0 for none; what lies above it is merely not there yet. */
  reached: number;
  cell(seq: number): Cell;
}

/** Compares what one side shows with the log. Arrivals that the log has not been asked about yet are left out. */
export function judge(log: LogCopy, screen: Screen): Finding {
  if (screen.snapshot) check(log, screen.snapshot);
  return new Tally(log, screen);
}

export function isRight({ missing, doubled, stale }: Finding): boolean {
  return missing.length + doubled.length + stale.length === 0;
}

class Tally implements Finding {
  readonly missing: number[] = [];
  readonly doubled: number[] = [];
  readonly stale: number[] = [];
  reached: number;
  /** Places that are not simply as they should be. */
  readonly #odd = new Map<number, Cell>();
  /** Places where only a stale event stands: what the log has there is missing as well. */
  readonly #replaced = new Set<number>();
  readonly #log: LogCopy;
  readonly #screen: Screen;

  constructor(log: LogCopy, screen: Screen) {
    this.#log = log;
    this.#screen = screen;
    this.reached = screen.snapshot?.valid ?? 0;
    this.#staleState();
    for (const seq of screen.shown.keys()) this.#place(seq);
    this.#holes();
    this.stale.sort((a, b) => a - b);
    this.doubled.sort((a, b) => a - b);
  }

  cell(seq: number): Cell {
    const odd = this.#odd.get(seq);
    if (odd) return odd;
    if (this.#covered(seq)) return "state";
    if (this.#screen.shown.has(seq)) return "there";
    return seq >= this.#first() && seq <= this.#log.last ? "ahead" : "none";
  }

  #staleState(): void {
    const { from, valid, through } = this.#screen.snapshot ?? { from: 1, valid: 0, through: 0 };
    for (let seq = Math.max(from, valid + 1); seq <= through; seq++) {
      this.stale.push(seq);
      this.#odd.set(seq, "stale");
    }
  }

  #place(seq: number): void {
    const held = this.#log.at(seq);
    let good = this.#covered(seq) ? 1 : 0;
    let bad = 0;
    for (const { print, at } of this.#screen.shown.get(seq)!) {
      if (held ? print === held.print : seq < this.#log.last) good++;
      else if (at < this.#log.asOf) bad++;
    }
    for (let n = 0; n < bad; n++) this.stale.push(seq);
    for (let n = 1; n < good; n++) this.doubled.push(seq);
    if (good > 0) this.reached = Math.max(this.reached, seq);
    else if (bad > 0) this.#replaced.add(seq);
    if (good > 1) this.#odd.set(seq, "doubled");
    else if (bad > 0) this.#odd.set(seq, "stale");
    else if (good > 0) this.#odd.delete(seq);
  }

  #holes(): void {
    const { shown } = this.#screen;
    for (let seq = this.#first(); seq < this.reached; seq++) {
      if (this.#covered(seq) || (shown.has(seq) && !this.#replaced.has(seq))) continue;
      this.missing.push(seq);
      if (!this.#odd.has(seq)) this.#odd.set(seq, "missing");
    }
  }

  /** The first seq that the side owes. A state of a log that is gone excuses nothing. */
  #first(): number {
    const { snapshot } = this.#screen;
    return snapshot && snapshot.valid >= snapshot.from ? Math.max(this.#log.first, snapshot.from) : this.#log.first;
  }

  #covered(seq: number): boolean {
    const { snapshot } = this.#screen;
    return snapshot !== undefined && seq >= snapshot.from && seq <= snapshot.valid;
  }
}

/** A state is right as far as the log has its items where it says they are. Once found right, only the log can change that. */
function check(log: LogCopy, snapshot: Snapshot): void {
  if (snapshot.checked || log.asOf <= snapshot.at) return;
  snapshot.valid = Math.min(snapshot.through, log.last);
  for (const { kind, id, seq } of snapshot.items) {
    const held = log.at(seq);
    if (held && held[kind] !== id) snapshot.valid = Math.min(snapshot.valid, seq - 1);
  }
  snapshot.checked = true;
}
