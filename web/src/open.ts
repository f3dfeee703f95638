import { Driver } from "./driver.js";
import type { Engine, Saving } from "./engine.js";
import { BAD_HANDLE, BAD_INPUT, fault } from "./errors.js";
import type { Item } from "./items.js";
import { later } from "./later.js";
import { settle } from "./options.js";
import type { OpenOptions, Settings, Source } from "./settings.js";
import type { Saved } from "./snapshots.js";
import type { StreamState } from "./state.js";
import type { Stats } from "./stats.js";
import { invalid } from "./takes.js";

/**
 * One resumable stream. Iterate it once, a second time is `stream.bad_handle`; leaving the loop by `break`, `return` or
 * `throw` closes it. Reading from the network pauses while too much has not been taken. Asking for the next item, or the
 * next batch, says that what was handed over before is applied: it is part of your state now.
 */
export interface Stream<E = unknown, S = unknown> extends AsyncIterable<Item<E, S>> {
  /** The same items in arrays, as they came in: for throughput. */
  batches(): AsyncIterableIterator<Item<E, S>[]>;
  /**
   * The same items to a handler, one after the other: the next one comes when what it answered has settled, and then the
   * one before is applied. Resolves at the end. When the handler fails, the stream is closed and this rejects with the
   * same error; the item that it failed at is not applied. In place of a loop.
   */
  subscribe(handler: (item: Item<E, S>) => unknown): Promise<void>;
  /** Where the stream stands now; also the value that `onState` got last. */
  state(): StreamState;
  /** What was counted so far. */
  stats(): Stats;
  /**
   * Goes on from a cursor of yours, which replaces the one of this session (without a name: the only one). What was not
   * handed over yet of it is dropped. A cursor that does not connect is refused like any other.
   */
  reset(cursor: string, session?: string): void;
  /**
   * Saves a state of yours with the cursor that belongs to it, in the store of the option `snapshots`; without a name for the
   * only session. By calling this you say that everything is in it that you were handed, the item at hand too. From anywhere
   * else than the loop, as from a timer, give a function: it is called when the loop asks for its next item, and what it
   * answers is saved.
   */
  save(state: S | (() => S), session?: string): Promise<Saved>;
  /** Closes the connection and ends the iteration with `end` items of cause "closed". */
  close(): void;
}

/**
 * Opens a stream and goes on with it across breaks, until it ends or is refused. The request starts at
 * once. A wrong option throws here; what goes wrong later and cannot be mended is thrown to the loop,
 * as a TidemarkError. A refusal is an item. Events are `unknown` unless you name their type: `open<TidemarkEvent>(…)`
 * for those of the contract, or one of your own.
 */
export function open<E = unknown, S = unknown>(source: string | URL | Source, options: OpenOptions<S> = {}): Stream<E, S> {
  const settings = settle(source, options);
  const driver: Engine<E, S> = settings.worker || settings.snapshots ? later<E, S>(settings) : new Driver<E, S>(settings);
  let taken = false;
  const once = <I>(iterate: (driver: Engine<E, S>) => I) => () => {
    if (taken) throw fault(BAD_HANDLE, { expected: "one loop over a stream", found: "a second one" });
    taken = true;
    return iterate(driver);
  };
  const each = once(items);
  const stream: Stream<E, S> & Within<E, S> = {
    [Symbol.asyncIterator]: each,
    batches: once(batches),
    subscribe: async (handler) => {
      if (typeof handler !== "function") throw fault(BAD_INPUT, { expected: "handler: a function", found: typeof handler });
      for await (const item of each()) await handler(item);
    },
    state: () => driver.state,
    stats: () => driver.stats(),
    reset: (cursor, session) => driver.reset(cursor, session),
    save: async (state, session) => {
      if (!settings.snapshots) throw invalid("snapshots", "a store to save to", undefined);
      return (driver as Saving<E, S>).save(state, session);
    },
    close: driver.stop,
    within: () => [driver, settings],
  };
  return stream;
}

/** What stands behind a stream, for the other entries of the package. In a function, so that nothing shows it by chance. */
export interface Within<E, S> {
  within(): [Engine<E, S>, Settings<S>];
}

/** Waits for something to take. Without that, it is over, and nothing of the driver is needed any more. */
async function filled<E, S>({ queue, stop }: Engine<E, S>): Promise<void> {
  try {
    await queue.ready();
  } finally {
    if (queue.empty) stop();
  }
}

function batches<E, S>(driver: Engine<E, S>): AsyncIterableIterator<Item<E, S>[]> {
  const { queue, marks } = driver;
  const next = async () => {
    marks.settle();
    await filled(driver);
    const batch = queue.take();
    batch?.forEach((item) => marks.hand(item));
    return result(batch);
  };
  return iterator(next, driver);
}

function items<E, S>(driver: Engine<E, S>): AsyncIterableIterator<Item<E, S>> {
  const { queue, marks } = driver;
  let waiting = 0;
  let turn: Promise<any> = Promise.resolve();
  const take = (): IteratorResult<Item<E, S>> => {
    const item = queue.shift();
    if (item) marks.hand(item);
    return result(item);
  };
  const wait = async () => {
    try {
      await filled(driver);
      return take();
    } finally {
      waiting--;
    }
  };
  const next = (): Promise<IteratorResult<Item<E, S>>> => {
    marks.settle();
    if (waiting === 0 && !queue.empty) return Promise.resolve(take());
    waiting++;
    return (turn = turn.then(wait, wait));
  };
  return iterator(next, driver);
}

function result<T>(value: T | undefined): IteratorResult<T> {
  return { done: value === undefined, value } as IteratorResult<T>;
}

function iterator<T>(next: () => Promise<IteratorResult<T>>, { stop, marks, queue }: Pick<Engine<unknown, unknown>, "stop" | "marks"> & { queue: { clear(): void } }): AsyncIterableIterator<T> {
  const leave = () => (stop(), marks.left(), queue.clear());
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
