import type { Answer, Connection } from "./connection.js";

/** A connection that is still being made. Its signal fires when it is not wanted any more. */
export class Pending implements Connection {
  readonly #abort = new AbortController();
  readonly #made: Promise<Connection>;

  constructor(make: (signal: AbortSignal) => Promise<Connection>) {
    this.#made = make(this.#abort.signal);
    this.#made.catch(() => {});
  }

  async answer(): Promise<Answer> {
    return (await this.#made).answer();
  }

  async read(): Promise<Uint8Array | undefined> {
    return (await this.#made).read();
  }

  close(): void {
    this.#abort.abort();
    this.#made.then((made) => made.close()).catch(() => {});
  }
}
