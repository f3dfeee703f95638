import { Driver } from "./driver.js";
import { BAD_HANDLE, fault } from "./errors.js";
import type { Item } from "./items.js";
import { settle, type OpenOptions } from "./options.js";

/**
 * One resumable stream. Iterate it once, a second time is `stream.bad_handle`; leaving the loop by `break`, `return` or
 * `throw` closes it. Reading from the network pauses while too much has not been taken.
 */
export interface Stream<E = unknown, S = unknown> extends AsyncIterable<Item<E, S>> {
  /** The same items in arrays, as they came in: for throughput. */
  batches(): AsyncIterableIterator<Item<E, S>[]>;
  /** Closes the connection and ends the iteration with `end` items of cause "closed". */
  close(): void;
}

/**
 * Opens a stream and goes on with it across breaks, until it ends or is refused. The request starts at
 * once. A wrong option throws here; what goes wrong later and cannot be mended is thrown to the loop,
 * as a TidemarkError. A refusal is an item. Events are `unknown` unless you name their type: `open<TidemarkEvent>(…)`
 * for those of the contract, or one of your own.
 */
export function open<E = unknown, S = unknown>(url: string | URL, options: OpenOptions<S> = {}): Stream<E, S> {
  const driver = new Driver<E, S>(settle(url, options));
  let taken = false;
  const once = <I>(iterate: (driver: Driver<E, S>) => I) => () => {
    if (taken) throw fault(BAD_HANDLE, { expected: "one loop over a stream", found: "a second one" });
    taken = true;
    return iterate(driver);
  };
  return {
    [Symbol.asyncIterator]: once(items),
    batches: once(batches),
    close: driver.stop,
  };
}

function batches<E, S>({ queue, stop }: Driver<E, S>): AsyncIterableIterator<Item<E, S>[]> {
  const leave = () => (stop(), queue.clear());
  return iterator(async () => result(await queue.take()), leave);
}

function items<E, S>({ queue, stop }: Driver<E, S>): AsyncIterableIterator<Item<E, S>> {
  let batch: Item<E, S>[] | undefined = [];
  let at = 0;
  let waiting = 0;
  let turn: Promise<unknown> = Promise.resolve();
  const take = (): IteratorResult<Item<E, S>> => result(batch?.[at++]);
  const wait = async () => {
    try {
      if (batch && at >= batch.length) [batch, at] = [await queue.take(), 0];
      return take();
    } finally {
      waiting--;
    }
  };
  const next = (): Promise<IteratorResult<Item<E, S>>> => {
    if (waiting === 0 && batch && at < batch.length) return Promise.resolve(take());
    waiting++;
    const mine = turn.then(wait, wait);
    turn = mine;
    return mine;
  };
  return iterator(next, () => (stop(), queue.clear(), (batch = undefined)));
}

function result<T>(value: T | undefined): IteratorResult<T> {
  return value === undefined ? { done: true, value: undefined } : { done: false, value };
}

function iterator<T>(next: () => Promise<IteratorResult<T>>, leave: () => void): AsyncIterableIterator<T> {
  return {
    next,
    return: async () => (leave(), { done: true, value: undefined }),
    throw: async (error) => {
      leave();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
