import { find, mark, write } from "./dom.js";
import type { Status } from "./status.js";

/** The elements of the inbox. */
export class InboxPanel {
  readonly root = find("[data-side=inbox]");
  readonly slots = find(".slots", this.root);
  readonly settled = find(".settled", this.root);
  readonly #word = find(".word", this.root);
  readonly #detail = find(".detail", this.root);
  readonly #heard = find(".heard", this.root);

  status({ status, word, detail }: { status: Status["status"]; word: string; detail: string }): void {
    mark(this.root, { status });
    write(this.#word, word);
    write(this.#detail, detail);
  }

  /** Says what happened, once, also to those who do not see it. */
  hear(text: string): void {
    write(this.#heard, text);
  }
}
