import { BAD_HANDLE, fault } from "./errors.js";
import { Instance, type Exports } from "./instance.js";
import { Loader } from "./load.js";

interface LinkExports extends Exports {
  rows(): number;
  text(handle: number, id: number): number;
  types(): number;
  link_open(n: number): number;
  link_reserve(handle: number, n: number): number;
  link_feed(handle: number, n: number, now: number, random: number): number;
  link_input(handle: number, kind: number, n: number, now: number, random: number): number;
  link_next(handle: number): number;
  link_close(handle: number): void;
}

/** The module that opens streams: links by handle, and the rows they answer with. */
export class Links extends Instance<LinkExports> {
  #types: string[] | undefined;

  /** The names of the type table, in the order of its indexes. */
  get types(): readonly string[] {
    return (this.#types ??= JSON.parse(this.output(this.run((e) => e.types()))) as string[]);
  }

  /** A name that rows give by number. */
  name(handle: number, id: number): string {
    return this.output(this.#counted((e) => e.text(handle, id)));
  }

  /** A copy of the first `count` rows. */
  rows(count: number): ArrayBuffer {
    return this.copy(this.run((e) => e.rows()) >>> 0, count * 32).buffer as ArrayBuffer;
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
