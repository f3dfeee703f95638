import type { SnapshotRecord } from "./record.js";

/**
 * Where saved snapshots are kept. The adapters of this entry are such stores; one of your own can be a table, a file or a
 * service, as long as it keeps records whole and compares before it writes.
 *
 * What either method throws is no end of anything: a record that cannot be read counts as absent and is reported, a
 * write that fails is the failure of that `save()`.
 */
export interface SnapshotStore {
  /** Who can see what is kept here; the default of the option `owner`. Absent: all tabs of the origin. */
  readonly owner?: "origin" | "tab";
  /** The record under a key, as it was written; undefined or null when there is none. */
  read(key: string): Awaitable<SnapshotRecord | undefined | null>;
  /**
   * Writes `record` under `record.key` if the record there has the check `expected`; undefined: if there is none, or
   * none that can be read. Answers whether it was written. Comparing and writing are one step, which nobody comes between.
   */
  write(record: SnapshotRecord, expected: string | undefined): Awaitable<boolean>;
}

export type Awaitable<T> = T | PromiseLike<T>;
