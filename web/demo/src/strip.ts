import { make, mark, write } from "./dom.js";
import type { Cell, Finding } from "./judge.js";

/** Rows of the strip that are in the document, newest last. */
const LINES = 5;

/** A compact track of the newest places of the log: one cell for each seq, in lines of a fixed length. */
export class Strip {
  readonly #root: HTMLElement;
  #perLine = 0;
  #lines: { label: HTMLElement; cells: HTMLElement[] }[] = [];

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  draw(finding: Finding, last: number): void {
    this.#fit();
    const per = this.#perLine;
    const start = Math.max(0, Math.ceil(last / per) - LINES) * per;
    this.#lines.forEach(({ label, cells }, line) => {
      write(label, String(start + line * per + 1));
      cells.forEach((cell, i) => this.#set(cell, finding.cell(start + line * per + i + 1)));
    });
  }

  #set(cell: HTMLElement, state: Cell): void {
    if (cell.dataset.state !== state) cell.dataset.state = state;
  }

  /** A narrow page has shorter lines. */
  #fit(): void {
    const per = this.#root.clientWidth < 420 ? 30 : 50;
    if (per === this.#perLine) return;
    this.#perLine = per;
    mark(this.#root, { per });
    this.#lines = Array.from({ length: LINES }, () => ({
      label: make("span", "first"), cells: Array.from({ length: per }, () => make("i", "cell")),
    }));
    this.#root.replaceChildren(...this.#lines.map(({ label, cells }) => {
      const line = make("div", "line");
      line.append(label, ...cells);
      return line;
    }));
  }
}
