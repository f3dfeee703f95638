import { compare } from "./compare.js";
import type { Half } from "./half.js";
import { drawLeft } from "./left.js";
import type { LogCopy } from "./log-copy.js";
import type { Panel } from "./panel.js";
import { PlainReader } from "./plain-reader.js";
import { Side } from "./side.js";
import type { Session } from "./urls.js";

/** The left half that reads the same session by the browser's EventSource. */
export class PlainHalf implements Half {
  readonly #panel: Panel;
  readonly #reader: PlainReader;

  constructor(session: Session, panel: Panel) {
    this.#panel = panel;
    this.#reader = new PlainReader(session, new Side(session.id, panel.river));
  }

  start(): void {
    void this.#reader.start();
  }

  close(): void {
    this.#reader.close();
    this.#reader.side.clear();
  }

  changed(from: number): void {
    this.#reader.side.changed(from);
  }

  draw(log: LogCopy, gone: boolean): void {
    drawLeft(this.#panel, this.#reader, log, compare(this.#panel, this.#reader.side, log), gone);
  }
}
