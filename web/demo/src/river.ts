import { splice } from "./damage.js";
import { make, mark, prose, ranges } from "./dom.js";
import type { Finding } from "./judge.js";
import { text, type SessionEvent } from "./record.js";
import type { Transcript } from "./screen.js";
import { words, wordsOfItem, type Words } from "./words.js";
import type { Written } from "./writing.js";

/** Rows that are in the document; older ones are let go. */
const ROWS = 120;
/** How long a scroll goes on after the hand that began it, in milliseconds. */
const HAND = 1500;
/** Rows that a state is shown with: its newest items. */
const OF_STATE = 14;

/** One side's rows, newest last. Rows come in by frames of the screen, not one by one. */
export class River {
  readonly #list: HTMLElement;
  readonly #writing: HTMLElement;
  readonly #scroller: HTMLElement;
  readonly #prints = new WeakMap<HTMLElement, number>();
  /** Whether the newest row is kept in sight; a reader who scrolls up ends that. */
  #pinned = true;
  /** Holes above this seq lie between rows that are in the document. */
  #floor = 0;
  #waiting: HTMLElement[] = [];
  #written: Written | undefined;
  #due = false;

  constructor(list: HTMLElement, writing: HTMLElement) {
    this.#list = list;
    this.#writing = writing;
    this.#scroller = list.parentElement!;
    this.#watchScrolling();
    new ResizeObserver(() => this.#pin()).observe(this.#scroller);
  }

  /** Layout scrolls too; only what follows a hand can take the newest row out of sight. */
  #watchScrolling(): void {
    const scroller = this.#scroller;
    let touched = -Infinity;
    for (const name of ["wheel", "touchmove", "pointerdown", "keydown"]) {
      scroller.addEventListener(name, ({ timeStamp }) => (touched = timeStamp), { passive: true });
    }
    scroller.addEventListener("scroll", ({ timeStamp }) => {
      const atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 40;
      if (atEnd || timeStamp - touched < HAND) this.#pinned = atEnd;
    }, { passive: true });
  }

  /** Shows a state in place of everything. */
  reset({ state, cursor }: Transcript, seq: number): void {
    this.clear();
    this.#floor = seq;
    for (const item of state.items.slice(-OF_STATE)) this.#add(row(item.seq, item.kind, wordsOfItem(item), "state"));
    const line = make("li", "fold", `transcript up to ${seq}`);
    line.title = cursor;
    mark(line, { through: seq });
    this.#add(line);
  }

  clear(): void {
    this.#list.replaceChildren();
    this.#waiting = [];
    this.write(undefined);
  }

  add(event: SessionEvent, print: number): void {
    const made = row(event.seq, event.type, words(event), "event");
    mark(made, { generation: event.generation, turn: text(event.turnId) });
    this.#prints.set(made, print);
    this.#add(made);
  }

  /** A line between the rows that is no event. */
  note(text: string): void {
    this.#add(make("li", "fold", text));
  }

  /** The log is another one from this seq on, and may count anew. */
  changed(from: number): void {
    this.#floor = Math.min(this.#floor, from - 1);
  }

  write(written: Written | undefined): void {
    this.#written = written;
    this.#soon();
  }

  /** Marks what the comparison found: rows that are stale or doubled, and seams where rows are missing. */
  judge(finding: Finding, stale: (seq: number, print: number) => boolean): void {
    const rows = [...this.#list.querySelectorAll<HTMLElement>("li[data-seq]")];
    const seen = new Set<number>();
    for (const element of rows) {
      const seq = Number(element.dataset.seq);
      const print = this.#prints.get(element);
      const old = print !== undefined && stale(seq, print);
      mark(element, { judged: old ? "stale" : seen.has(seq) && print !== undefined ? "doubled" : undefined });
      if (print !== undefined && !old) seen.add(seq);
    }
    this.#seams(rows.filter(({ dataset }) => dataset.source === "event" && dataset.judged !== "stale"), finding);
  }

  #seams(rows: HTMLElement[], finding: Finding): void {
    const other = splice(finding);
    const wanted = new Map<HTMLElement, number[]>();
    for (const seq of finding.missing) {
      const after = seq > this.#floor && rows.find(({ dataset }) => Number(dataset.seq) > seq);
      if (after) wanted.set(after, [...(wanted.get(after) ?? []), seq]);
    }
    for (const seam of this.#list.querySelectorAll<HTMLElement>("li.seam")) {
      const after = seam.nextElementSibling as HTMLElement | null;
      const seqs = after && wanted.get(after);
      if (seqs && seam.dataset.missing === seqs.join(" ")) wanted.delete(after);
      else seam.remove();
    }
    for (const [after, seqs] of wanted) {
      const turn = seqs.at(-1)! + 1 === other ? ", and another history goes on here" : "";
      const seam = make("li", "seam", `${ranges(seqs)} never came${turn}`);
      mark(seam, { missing: seqs.join(" ") });
      after.before(seam);
    }
  }

  #add(row: HTMLElement): void {
    this.#waiting.push(row);
    if (this.#waiting.length > 2 * ROWS) this.#waiting.splice(0, this.#waiting.length - ROWS);
    this.#soon();
  }

  /** A hidden page draws no frames; its rows wait, and the oldest of them are let go. */
  #soon(): void {
    if (this.#due) return;
    this.#due = true;
    requestAnimationFrame(() => {
      this.#due = false;
      this.#draw();
    });
  }

  #draw(): void {
    this.#list.append(...this.#waiting.splice(0));
    while (this.#list.childElementCount > ROWS) this.#trim(this.#list.firstElementChild as HTMLElement);
    this.#drawWriting();
    this.#pin();
  }

  #pin(): void {
    if (this.#pinned) this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  #trim(row: HTMLElement): void {
    const { source, seq, judged } = row.dataset;
    if (source === "event" && seq && judged !== "stale") this.#floor = Math.max(this.#floor, Number(seq));
    row.remove();
  }

  #drawWriting(): void {
    const written = this.#written;
    this.#writing.hidden = written === undefined;
    if (!written) return;
    mark(this.#writing, { how: written.how, partial: written.partial ? "yes" : undefined });
    prose(this.#writing, (written.partial ? "… " : "") + written.text);
  }
}

function row(seq: number | undefined, type: string, { family, label, text }: Words, source: "event" | "state"): HTMLElement {
  const made = make("li", "row");
  const said = make("span", "text");
  prose(said, text);
  mark(made, { seq, type, family, source });
  made.append(make("span", "seq", seq === undefined ? "" : String(seq)), make("span", "label", label), said);
  return made;
}
