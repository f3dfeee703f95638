import { BAD_HANDLE, fault } from "./errors.js";
import { ROW_BYTES, ROWS } from "./gen/seam.gen.js";
import { Instance, type Exports } from "./instance.js";
import { Loader } from "./load.js";

export interface LinkExports extends Exports {
  rows(): number;
  text(handle: number, id: number): number;
  types(): number;
  link_open(n: number): number;
  link_reserve(handle: number, n: number): number;
  link_feed(handle: number, n: number, now: number, random: number): number;
  link_input(handle: number, kind: number, n: number, now: number, random: number): number;
  link_next(handle: number): number;
  link_close(handle: number): void;
  saved_replaces(n: number): number;
}

/** Rows as numbers: `ROW_WORDS` words, or `ROW_DOUBLES` doubles, for each row. */
export interface Table {
  readonly words: Uint32Array;
  readonly seqs: Float64Array;
}

/** The module that opens streams: links by handle, and the rows they answer with. */
export class Links extends Instance<LinkExports> {
  #types: string[] | undefined;
  #at = 0;
  readonly #bytes = new Uint8Array(ROWS * ROW_BYTES);
  readonly #table = { words: new Uint32Array(this.#bytes.buffer), seqs: new Float64Array(this.#bytes.buffer) };

  /** The names of the type table, in the order of its indexes. */
  get types(): readonly string[] {
    return (this.#types ??= JSON.parse(this.output(this.run((e) => e.types()))) as string[]);
  }

  /** A name that rows give by number. */
  name(handle: number, id: number): string {
    return this.output(this.#counted((e) => e.text(handle, id)));
  }

  /** A copy of the first `count` rows, valid until the next one. */
  rows(count: number): Table {
    this.#at ||= this.run((e) => e.rows()) >>> 0;
    this.#bytes.set(this.memory().subarray(this.#at, this.#at + count * ROW_BYTES));
    return this.#table;
  }

  open(options: string): number {
    const n = this.put(options);
    const handle = this.run((e) => e.link_open(n));
    if (handle === 0) this.answer();
    return handle;
  }

  /** Hands network bytes to a link; answers how many rows wait. */
  feed(handle: number, bytes: Uint8Array, now: number, random: number): number {
    const at = this.run((e) => e.link_reserve(handle, bytes.length)) >>> 0;
    if (at === 0) throw fault(BAD_HANDLE);
    this.memory().set(bytes, at);
    return this.#counted((e) => e.link_feed(handle, bytes.length, now, random));
  }

  input(handle: number, kind: number, argument: string, now: number, random: number): number {
    const n = this.put(argument);
    return this.#counted((e) => e.link_input(handle, kind, n, now, random));
  }

  next(handle: number): number {
    return this.#counted((e) => e.link_next(handle));
  }

  close(handle: number): void {
    if (!this.dead) this.run((e) => (e.link_close(handle), 0));
  }

  #counted(use: (e: LinkExports) => number): number {
    const count = this.run(use);
    if (count < 0) throw fault(BAD_HANDLE);
    return count;
  }
}

export const links = new Loader(Links, () => new URL("./tidemark.wasm", import.meta.url));
