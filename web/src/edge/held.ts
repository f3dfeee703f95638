/** So many chunks of an unfinished frame are held as they came; more are put together, because each costs more than its bytes. */
const MANY = 1024;

/** Bytes from which on a chunk stays as it is: a frame that comes in small pieces would be moved with every thousand of them. */
const LARGE = 1 << 16;

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
    if (this.#chunks.length >= MANY) this.#chunks = together(this.#chunks);
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

/** The same bytes in fewer chunks: what is small is put together with what stands beside it. */
function together(chunks: Uint8Array[]): Uint8Array[] {
  const fewer: Uint8Array[] = [];
  let small: Uint8Array[] = [];
  let length = 0;
  const flush = () => {
    if (small.length > 0) fewer.push(joined(small, length));
    [small, length] = [[], 0];
  };
  for (const chunk of chunks) {
    if (length + chunk.length > LARGE) flush();
    small.push(chunk);
    length += chunk.length;
  }
  flush();
  return fewer;
}

/** A single one stays the chunk that it is. */
function joined(chunks: Uint8Array[], length: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
