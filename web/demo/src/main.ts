import { find, number, write } from "./dom.js";
import { Faults } from "./faults.js";
import { LogFollower, LogGone } from "./follow-log.js";
import { judge } from "./judge.js";
import { drawLeft } from "./left.js";
import type { LogCopy } from "./log-copy.js";
import { Panel } from "./panel.js";
import { PlainReader } from "./plain-reader.js";
import { drawRight } from "./right.js";
import { Side } from "./side.js";
import { TidemarkReader } from "./tidemark-reader.js";
import { fetchJSON, pause, type Session } from "./urls.js";

/** How often the log is asked, in milliseconds. */
const ASK = 300;

const left = new Panel("left");
const right = new Panel("right");

class Page {
  readonly #plain: PlainReader;
  readonly #tidemark: TidemarkReader;
  readonly #log: LogFollower;
  #gone = false;

  constructor(session: Session) {
    this.#plain = new PlainReader(session, new Side(session.id, left.river));
    this.#tidemark = new TidemarkReader(session, new Side(session.id, right.river));
    this.#log = new LogFollower(session, (from) => this.#changed(from));
    new Faults().serve(session, (press) => {
      this.#tidemark.notice = undefined;
      return this.#log.during(press);
    });
  }

  async run(): Promise<void> {
    void this.#plain.start();
    void this.#tidemark.start();
    for (;;) {
      await this.#ask();
      this.#draw();
      await pause(ASK);
    }
  }

  async #ask(): Promise<void> {
    try {
      await this.#log.step();
      if (this.#gone && this.#tidemark.failure) void this.#tidemark.start();
      this.#gone = false;
    } catch (error) {
      if (error instanceof LogGone) location.reload();
      this.#gone = true;
    }
  }

  #changed(from: number): void {
    for (const { side } of [this.#plain, this.#tidemark]) {
      side.screen.changed(from);
      side.river.changed(from);
    }
  }

  #draw(): void {
    const log = this.#log.copy;
    drawHead(log);
    for (const [panel, { side }] of [[left, this.#plain], [right, this.#tidemark]] as const) {
      const finding = judge(log, side.screen);
      panel.found(finding, side.screen.snapshot?.from, log.last);
      const stale = new Set(finding.stale);
      side.river.judge(finding, (seq, print) => stale.has(seq) && log.at(seq)?.print !== print);
      if (panel === left) drawLeft(left, this.#plain, log, finding, this.#gone);
      else drawRight(right, this.#tidemark, log, finding, this.#gone);
    }
  }
}

function drawHead({ head, last }: LogCopy): void {
  if (!head) return;
  write(find(".log .seq"), number(last));
  write(find(".log .generation"), String(head.generation ?? "none"));
  write(find(".log .from"), head.oldestSeq > 1 ? `, from ${number(head.oldestSeq)}` : "");
}

async function sessionOf(): Promise<Session> {
  for (;;) {
    try {
      return await fetchJSON<Session>("/demo/session");
    } catch {
      for (const panel of [left, right]) panel.status({ status: "gone", word: "no server", detail: "waiting for it" });
      await pause(1000);
    }
  }
}

void new Page(await sessionOf()).run();
