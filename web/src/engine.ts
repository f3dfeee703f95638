import type { Item } from "./items.js";
import type { Marks } from "./marks.js";
import type { Queue } from "./queue.js";
import type { Mark } from "./rows.js";
import type { Saved } from "./snapshots.js";
import type { StreamState } from "./state.js";
import type { Stats } from "./stats.js";

/** What runs a stream behind its face, wherever that is. What it hands over goes through the queue. */
export interface Engine<E, S> {
  readonly queue: Queue<Item<E, S>>;
  readonly marks: Marks;
  readonly state: StreamState;
  stats(): Stats;
  reset(cursor: string, session?: string): void;
  readonly stop: () => void;
}

/** What a saver asks of one. */
export interface Marking {
  readonly marks: Marks;
  /** The cursor that belongs to what was applied as this is called; undefined: nothing certain can be said. */
  mark(session?: string): Mark | undefined | Promise<Mark | undefined>;
}

/** An engine that can save. */
export interface Saving<E, S> extends Engine<E, S> {
  save(state: S | (() => S), session?: string): Promise<Saved>;
}
