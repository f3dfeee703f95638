import { Card } from "./card.js";
import { find, make, mark, write } from "./dom.js";
import type { Finding } from "./judge.js";
import { River } from "./river.js";
import type { Standing } from "./standing.js";
import type { Status } from "./status.js";
import { Strip } from "./strip.js";

/** The elements of one side. Everything a test or a reader has to know is in its data attributes as well. */
export class Panel {
  readonly root: HTMLElement;
  readonly river: River;
  readonly card: Card;
  readonly #strip: Strip;
  readonly #says: HTMLElement;
  readonly #word: HTMLElement;
  readonly #detail: HTMLElement;
  readonly #ticks: HTMLElement;

  constructor(side: "left" | "right") {
    const root = (this.root = find(`[data-side=${side}]`));
    this.river = new River(find(".river", root), find(".writing", root));
    this.card = new Card(find(".card", root));
    this.#strip = new Strip(find(".strip", root));
    this.#says = find(".says", root);
    this.#word = find(".word", root);
    this.#detail = find(".detail", root);
    this.#ticks = find(".ticks", root);
  }

  status({ status, word, detail }: Status): void {
    mark(this.root, { status });
    write(this.#word, word);
    write(this.#detail, detail);
  }

  /** The finding for all from `from` on, as of the log's `last`. */
  found(finding: Finding, from: number | undefined, last: number): void {
    const { missing, doubled, stale, reached } = finding;
    mark(this.root, { missing: missing.length, doubled: doubled.length, stale: stale.length, from, reached, compared: last });
    this.#strip.draw(finding, last);
  }

  /** How the connection and the session stand, as far as a side can say. */
  stands(connection: Standing, phase: Standing): void {
    for (const [name, { state, text }] of Object.entries({ connection, phase })) {
      const chip = find(`.${name}`, this.root);
      mark(chip, { state });
      write(chip.lastElementChild as HTMLElement, text);
    }
    mark(this.root, { connection: connection.state, phase: phase.state });
  }

  says(text: string): void {
    write(this.#says, text);
  }

  /** The newest words on the right; each with a mark for its colour. */
  ticks(words: readonly [text: string, tone: string][]): void {
    const key = words.map(([text]) => text).join("\n");
    if (this.#ticks.dataset.key === key) return;
    mark(this.#ticks, { key });
    this.#ticks.replaceChildren(...words.map(([text, tone]) => {
      const tick = make("span", "tick", text);
      mark(tick, { tone });
      return tick;
    }));
  }
}
