import { find, number, write } from "./dom.js";
import { Faults } from "./faults.js";
import { LogFollower, LogGone } from "./follow-log.js";
import { judge } from "./judge.js";
import { drawLeft } from "./left.js";
import type { LogCopy } from "./log-copy.js";
import type { Panel } from "./panel.js";
import { PlainReader } from "./plain-reader.js";
import { drawRight } from "./right.js";
import { Side } from "./side.js";
import { TidemarkReader } from "./tidemark-reader.js";
import { pause, type Session } from "./urls.js";

/** How often the log is asked, in milliseconds. */
const ASK = 300;

/** One session on both halves, compared with its log until it is closed. */
export class Scene {
  readonly #left: Panel;
  readonly #right: Panel;
  readonly #plain: PlainReader;
  readonly #tidemark: TidemarkReader;
  readonly #log: LogFollower;
  readonly #faults: Faults;
  readonly #over = new AbortController();
  #gone = false;

  constructor(session: Session, left: Panel, right: Panel) {
    this.#left = left;
    this.#right = right;
    this.#plain = new PlainReader(session, new Side(session.id, left.river));
    this.#tidemark = new TidemarkReader(session, new Side(session.id, right.river));
    this.#log = new LogFollower(session, (from) => this.#changed(from));
    this.#faults = new Faults(this.#over.signal);
    this.#faults.serve(session, (press) => {
      this.#tidemark.notice = undefined;
      return this.#log.during(press);
    });
    this.#draw();
  }

  async run(): Promise<void> {
    void this.#plain.start();
    void this.#tidemark.start();
    for (;;) {
      await this.#ask();
      if (this.#over.signal.aborted) return;
      this.#draw();
      await pause(ASK);
    }
  }

  /** Ends both streams and empties the halves. */
  close(): void {
    this.#over.abort();
    for (const reader of [this.#plain, this.#tidemark]) {
      reader.close();
      reader.side.clear();
    }
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
    for (const { side } of [this.#plain, this.#tidemark]) {
      side.screen.changed(from);
      side.river.changed(from);
    }
  }

  #draw(): void {
    const log = this.#log.copy;
    drawHead(log);
    this.#faults.ready(this.#tidemark.side.screen.shown.size > 0);
    for (const [panel, { side }] of [[this.#left, this.#plain], [this.#right, this.#tidemark]] as const) {
      const finding = judge(log, side.screen);
      panel.found(finding, side.screen.snapshot?.from, log.last);
      const stale = new Set(finding.stale);
      side.river.judge(finding, (seq, print) => stale.has(seq) && log.at(seq)?.print !== print);
      if (panel === this.#left) drawLeft(panel, this.#plain, log, finding, this.#gone);
      else drawRight(panel, this.#tidemark, log, finding, this.#gone);
    }
  }
}

function drawHead({ head, last }: LogCopy): void {
  write(find(".log .seq"), head ? number(last) : "–");
  write(find(".log .generation"), !head ? "–" : head.generation === undefined ? "no generation" : `generation ${head.generation}`);
  write(find(".log .from"), head && head.oldestSeq > 1 ? `, from ${number(head.oldestSeq)}` : "");
}
