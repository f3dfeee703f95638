import type { Saving } from "./engine.js";
import type { Item } from "./items.js";
import { Marks } from "./marks.js";
import { Queue } from "./queue.js";
import type { Settings } from "./settings.js";
import { resettable } from "./standing.js";
import { UNSTARTED } from "./state.js";
import { NOTHING } from "./stats.js";

/** Stands in for an engine whose scripts only those pages load that use it, until it is there. */
export function later<E, S>(settings: Settings<S>): Saving<E, S> {
  const parts = { queue: new Queue<Item<E, S>>(), marks: new Marks() };
  let engine: Saving<E, S> | undefined;
  const closing = new AbortController();
  const coming = (async () => {
    const { begin } = await import("./beside.js");
    engine = await begin(settings, parts, closing.signal);
  })();
  const failed = (error: unknown) => (parts.queue.finish(error), engine?.stop());
  coming.catch(failed);
  const reset = (cursor: string, session?: string): unknown => {
    if (engine) return engine.reset(cursor, session);
    resettable(cursor, closing.signal.aborted);
    return coming.then(() => reset(cursor, session)).catch(failed);
  };
  return {
    ...parts,
    get state() {
      return engine?.state ?? UNSTARTED;
    },
    stats: () => engine?.stats() ?? NOTHING,
    reset: (...cursor) => void reset(...cursor),
    save: async (...state) => engine?.save(...state) ?? { saved: false }, // before anything has come, there is nothing to save
    stop() {
      closing.abort();
      engine?.stop();
    },
  };
}
