import { ROWS } from "./gen/seam.gen.js";
import type { Links } from "./links.js";
import { nothing, Rows, type Drained } from "./rows.js";

/** Milliseconds that never step back, as those of the wall clock may: a link's waiting is measured in them. */
export const clock = (): number => performance.timeOrigin + performance.now();

/** The machine of one resumable connection, in the module. One input in, everything it brought about out. */
export class Link<E> {
  readonly #links: Links;
  readonly #handle: number;
  readonly #rows: Rows<E>;

  readonly #sessions: readonly string[];

  /** Throws the fault of options that the core refuses. `sessions` are those that the options name, in their order. */
  constructor(links: Links, options: string, sessions: readonly string[] = []) {
    this.#links = links;
    this.#sessions = sessions;
    this.#handle = links.open(options);
    this.#rows = new Rows(links, this.#handle);
  }

  feed(bytes: Uint8Array): Drained<E> {
    return this.#drain(this.#links.feed(this.#handle, bytes, clock(), Math.random()));
  }

  input(kind: number, argument: object = {}): Drained<E> {
    return this.#drain(this.#links.input(this.#handle, kind, JSON.stringify(argument), clock(), Math.random()));
  }

  /** The number of a session here: that of the row that named it, else its place in the options; -1: it had ended before. */
  lane(session: string): number {
    const named = this.#rows.lane(session);
    return named < 0 && this.#sessions.length > 0 ? this.#sessions.indexOf(session) : Math.max(named, 0);
  }

  close(): void {
    this.#links.close(this.#handle);
  }

  /** Nothing of a drain counts before its end: when the module stops in the middle, all of it is lost together. */
  #drain(count: number): Drained<E> {
    const drained = nothing<E>();
    for (;;) {
      this.#rows.read(count, drained);
      if (count < ROWS) return drained;
      count = this.#links.next(this.#handle);
    }
  }
}
