import { compare } from "./compare.js";
import { find, write } from "./dom.js";
import { Faults } from "./faults.js";
import { LogFollower, LogGone } from "./follow-log.js";
import type { Half } from "./half.js";
import type { LogCopy } from "./log-copy.js";
import type { Panel } from "./panel.js";
import { Reveal } from "./reveal.js";
import { drawRight } from "./right.js";
import type { TidemarkReader } from "./tidemark-reader.js";
import { pause, type Session } from "./urls.js";

/** How often the log is asked, in milliseconds. */
const ASK = 300;

/** One session, read by Tidemark beside something else, and compared with its log until it is closed. */
export class Scene {
  readonly #left: Half;
  readonly #right: Panel;
  readonly #tidemark: TidemarkReader;
  readonly #log: LogFollower;
  readonly #faults: Faults;
  readonly #over = new AbortController();
  readonly #reveal: Reveal;
  #gone = false;

  /** `telling`: what a fault shows in, to be kept in sight behind one. */
  constructor(session: Session, left: Half, right: Panel, tidemark: TidemarkReader, telling: HTMLElement) {
    this.#left = left;
    this.#right = right;
    this.#tidemark = tidemark;
    this.#log = new LogFollower(session, (from) => this.#changed(from));
    this.#reveal = new Reveal(telling, find(".spine"), this.#over.signal);
    tidemark.came = () => this.#drawHead();
    this.#faults = new Faults(this.#over.signal);
    this.#faults.serve(session, (press) => {
      this.#tidemark.notice = undefined;
      this.#reveal.begin();
      return this.#log.during(press);
    });
    this.#draw();
  }

  async run(): Promise<void> {
    this.#left.start();
    void this.#tidemark.start();
    for (;;) {
      await this.#ask();
      if (this.#over.signal.aborted) return;
      this.#draw();
      await pause(ASK);
    }
  }

  /** Ends the streams and empties the halves. */
  close(): void {
    this.#over.abort();
    this.#left.close();
    this.#tidemark.close();
    this.#tidemark.side.clear();
  }

  async #ask(): Promise<void> {
    try {
      await this.#log.step();
      if (this.#gone && this.#tidemark.failure) void this.#tidemark.start();
      this.#gone = false;
    } catch (error) {
      if (error instanceof LogGone && !this.#over.signal.aborted) location.reload();
      this.#gone = true;
    }
  }

  #changed(from: number): void {
    if (this.#over.signal.aborted) return;
    this.#left.changed(from);
    this.#tidemark.side.changed(from);
  }

  /** What was proven is in the log, and is drawn with its row; what else there is, the next question tells. */
  #drawHead(): void {
    if (!this.#over.signal.aborted) drawHead(this.#log.copy, this.#tidemark.joined ? this.#tidemark.newest : 0);
  }

  #draw(): void {
    const log = this.#log.copy;
    this.#drawHead();
    this.#faults.ready(this.#tidemark.side.screen.shown.size > 0);
    this.#left.draw(log, this.#gone);
    drawRight(this.#right, this.#tidemark, log, compare(this.#right, this.#tidemark.side, log), this.#gone);
    this.#reveal.step();
  }
}

/** `proven`: up to here the log goes for certain, whenever it was asked last. */
function drawHead({ head, last }: LogCopy, proven: number): void {
  write(find(".log .seq"), head ? String(Math.max(last, proven)) : "–");
  write(find(".log .generation"), !head ? "–" : head.generation === undefined ? "no generation" : `generation ${head.generation}`);
  write(find(".log .from"), head && head.oldestSeq > 1 ? `, from ${head.oldestSeq}` : "");
}
