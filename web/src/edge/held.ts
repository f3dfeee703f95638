/** So many chunks of an unfinished frame are held as they came; more are put together, because each costs more than its bytes. */
const MANY = 1024;

/** The chunks of a connection that were not done with yet, by their place in it. */
export class Held {
  #chunks: Uint8Array[] = [];
  #from = 0;
  #to = 0;

  /** Where the next chunk begins. */
  get to(): number {
    return this.#to;
  }

  add(chunk: Uint8Array): void {
    if (this.#chunks.length === MANY) this.#chunks = [joined(this.#chunks, this.#to - this.#from)];
    this.#chunks.push(chunk);
    this.#to += chunk.length;
  }

  /** The bytes [from, to), in pieces of the chunks as they came. What is asked for mostly lies at the end: the search begins there. */
  pieces(from: number, to: number, into: Uint8Array[]): void {
    let at = this.#to;
    let i = this.#chunks.length;
    while (i > 0 && at > from) at -= this.#chunks[--i]!.length;
    for (let chunk; at < to && (chunk = this.#chunks[i]); i++) {
      const start = Math.max(from - at, 0);
      const end = Math.min(to - at, chunk.length);
      if (start < end) into.push(end - start === chunk.length ? chunk : chunk.subarray(start, end));
      at += chunk.length;
    }
  }

  /** Lets go of everything before a place. */
  drop(before: number): void {
    let done = 0;
    for (let chunk; (chunk = this.#chunks[done]) && this.#from + chunk.length <= before; done++) this.#from += chunk.length;
    if (done > 0) this.#chunks.splice(0, done);
  }

  /** Another connection begins. */
  clear(): void {
    this.#chunks = [];
    this.#from = this.#to = 0;
  }
}

function joined(chunks: Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
