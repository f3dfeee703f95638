import type { SnapshotRecord } from "./record.js";
import type { SnapshotStore } from "./store.js";

/** Keeps snapshots as long as the page lives: for a view that is left and comes back. */
export function memoryStore(): SnapshotStore {
  const records = new Map<string, SnapshotRecord>();
  return {
    owner: "tab",
    read: (key) => records.get(key),
    write(record, expected) {
      if (records.get(record.key)?.check !== expected) return false;
      records.set(record.key, record);
      return true;
    },
  };
}
