/** The chunks of a connection that were not done with yet, by their place in it. Nothing is copied. */
export class Held {
  #chunks: Uint8Array[] = [];
  #from = 0;
  #to = 0;

  /** Where the next chunk begins. */
  get to(): number {
    return this.#to;
  }

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#to += chunk.length;
  }

  /** The bytes [from, to), in pieces of the chunks as they came. */
  pieces(from: number, to: number, into: Uint8Array[]): void {
    let at = this.#from;
    for (const chunk of this.#chunks) {
      const start = Math.max(from - at, 0);
      const end = Math.min(to - at, chunk.length);
      if (start < end) into.push(end - start === chunk.length ? chunk : chunk.subarray(start, end));
      at += chunk.length;
      if (at >= to) return;
    }
  }

  /** Lets go of everything before a place. */
  drop(before: number): void {
    let chunk;
    while ((chunk = this.#chunks[0]) && this.#from + chunk.length <= before) {
      this.#from += chunk.length;
      this.#chunks.shift();
    }
  }

  /** Another connection begins. */
  clear(): void {
    this.#chunks = [];
    this.#from = this.#to = 0;
  }
}
