import { BAD_INPUT, fault, SOURCE_FAILED, TidemarkError } from "../errors.js";
import { isIterable, isReadable, iteratorOf, leave, misfit } from "../pieces.js";
import { isResponse } from "../response.js";

/** The lines of one log, from its first byte to its last. A Response or a stream is used up. */
export type LogSource = Uint8Array | ArrayBuffer | string | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Response;

export interface ReadOptions {
  /** Stops reading; what was asked for rejects with the reason of the signal. */
  signal?: AbortSignal;
  /** Called as the log is read, with the bytes so far, some times a second at most. */
  onProgress?: (bytes: number) => void;
}

const encoder = new TextEncoder();

/** Text or bytes as bytes. */
export function bytesOf(value: unknown, name: string): Uint8Array {
  if (typeof value === "string") return encoder.encode(value);
  return looked(() => held(value), value, name, "text, a Uint8Array or an ArrayBuffer");
}

/** Bytes that are still there. What was handed to another thread has none, and must not pass for what never had any. */
function held(value: unknown): Uint8Array | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value); // throws when it is detached, in engines of any age
  if (!(value instanceof Uint8Array)) return undefined;
  if (value.length === 0) new Uint8Array(value.buffer);
  return value;
}

/** What a look at a value finds. Nothing, or a value that throws when it is looked at, is refused. */
function looked<T>(look: () => T | undefined, value: unknown, name: string, expected: string): T {
  let found: T | undefined;
  try {
    found = look();
  } catch (error) {
    if (error instanceof TidemarkError) throw error;
  }
  if (found === undefined) throw misfit(name, expected, value);
  return found;
}

const PIECE = 1 << 20;
/** How long a page may stand still, and how often progress is told, in milliseconds. */
const TURN = 40;

/** Hands the pieces of a log to `write`, and lets the page breathe between them. */
export async function pour(source: LogSource, write: (piece: Uint8Array) => void, { signal, onProgress }: ReadOptions): Promise<void> {
  const iterator = pieces(source);
  let bytes = 0;
  let last = performance.now();
  try {
    for (;;) {
      signal?.throwIfAborted();
      const next = await read(iterator, signal);
      if (next.done) break;
      const piece = looked(() => (next.value instanceof Uint8Array ? held(next.value) : undefined), next.value, "log", "pieces that are a Uint8Array");
      write(piece);
      bytes += piece.length;
      if (performance.now() - last < TURN) continue;
      onProgress?.(bytes);
      await new Promise((resolve) => setTimeout(resolve));
      last = performance.now();
    }
    onProgress?.(bytes);
  } catch (error) {
    void leave(iterator);
    throw error;
  }
}

/** The next piece, or the reason why nobody waits for it any more. */
async function read(iterator: AsyncIterator<Uint8Array>, signal: AbortSignal | undefined): Promise<IteratorResult<Uint8Array>> {
  let stop: (() => void) | undefined;
  const stopped = new Promise<never>((_, reject) => signal?.addEventListener("abort", (stop = () => reject(signal.reason)), { once: true }));
  try {
    return await Promise.race([iterator.next(), stopped]);
  } catch (cause) {
    if (signal?.aborted || cause instanceof TidemarkError) throw cause;
    throw fault(SOURCE_FAILED, { cause });
  } finally {
    if (stop) signal?.removeEventListener("abort", stop);
  }
}

function pieces(source: LogSource): AsyncIterator<Uint8Array> {
  const look = (): AsyncIterator<Uint8Array> | undefined => {
    if (typeof source === "string" || source instanceof Uint8Array || source instanceof ArrayBuffer) return cut(bytesOf(source, "log"));
    if (isResponse(source)) return iteratorOf(bodyOf(source));
    return isReadable(source) || isIterable(source) ? iteratorOf<Uint8Array>(source) : undefined;
  };
  return looked(look, source, "log", "bytes, text, a stream or an async iterable of them that nobody reads, or a Response");
}

function bodyOf(response: Response): ReadableStream<Uint8Array> {
  if (!response.ok || !response.body || response.bodyUsed) {
    throw fault(BAD_INPUT, { expected: "log: a Response with status 200 and an unread body", found: `one with status ${response.status}` });
  }
  return response.body;
}

async function* cut(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}
