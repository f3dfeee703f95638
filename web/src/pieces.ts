/** One after the other, of whichever kind. Not every engine can iterate a ReadableStream, so it is asked for a reader. */
export function iteratorOf<T>(source: ReadableStream<T> | AsyncIterable<T>): AsyncIterator<T> {
  if (!isReadable(source)) return source[Symbol.asyncIterator]();
  const reader = source.getReader() as ReadableStreamDefaultReader<T>;
  return {
    next: () => reader.read() as Promise<IteratorResult<T>>,
    return: async () => (await reader.cancel(), { done: true, value: undefined }),
  };
}

/** Lets go of what is behind an iterator. What that brings up is nobody's business any more. */
export async function leave(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {}
}

export function isReadable(value: unknown): value is ReadableStream<never> {
  return typeof (value as ReadableStream | null | undefined)?.getReader === "function";
}

export function isIterable(value: unknown): value is AsyncIterable<never> {
  return typeof (value as AsyncIterable<unknown> | null | undefined)?.[Symbol.asyncIterator] === "function";
}

/** Says what sort of value was found, never the value. */
export { invalid as misfit } from "./takes.js";
