import { keyOf, type Question } from "./inbox-answer.js";
import { without, type View } from "./inbox-rows.js";

/** Outcomes of questions that no row shows. One that waits in a row is never dropped. */
const MOST = 1000;

/**
 * The questions that have an outcome, until a row says so itself. The outcome may come long before the row: of a question that was
 * read on another page, or that the stream is yet to hand over. Its row does not wait then either.
 */
export class Settled {
  /** By key, with the decision that it is about. */
  readonly #keys = new Map<string, string>();

  add(question: Question): void {
    this.#keys.set(keyOf(question), question.decisionId);
  }

  /** Rows without those that have an outcome. What the stream says itself by now need not be remembered. */
  without(view: View): View {
    if (this.#keys.size === 0) return view;
    const shown = new Set<string>();
    const ids = new Set(this.#keys.values()); // a key takes longer to make than to look for, and most rows need none
    for (const row of view.rows) {
      if (!ids.has(row.decisionId)) continue;
      const key = keyOf(row);
      if (row.resolvedAt === undefined) shown.add(key);
      else this.#keys.delete(key);
    }
    this.#drop(shown);
    return without(view, (row) => ids.has(row.decisionId) && this.#keys.has(keyOf(row)));
  }

  /** Drops the oldest of too many. */
  #drop(shown: ReadonlySet<string>): void {
    let excess = this.#keys.size - MOST;
    for (const key of this.#keys.keys()) {
      if (excess <= 0) return;
      if (!shown.has(key) && this.#keys.delete(key)) excess--;
    }
  }
}
