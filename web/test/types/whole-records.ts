// Stores of a user's own, as they have to be: this file compiles.
import type { SnapshotRecord, SnapshotStore } from "tidemark/storage";
import { indexedDBStore, localStorageStore, memoryStore } from "tidemark/storage";

declare const rows: Map<string, SnapshotRecord>;

export const inTheMap: SnapshotStore = {
  read: (key) => rows.get(key),
  write: (record, expected) => rows.get(record.key)?.check === expected && !!rows.set(record.key, record),
};

export const overHttp: SnapshotStore = {
  owner: "origin",
  read: async (key) => (await (await fetch(`/snapshots/${encodeURIComponent(key)}`)).json()) as SnapshotRecord | null,
  write: async (record, expected = "none") => (await fetch("/snapshots", { method: "PUT", headers: { "if-match": expected }, body: JSON.stringify(record) })).ok,
};

export const stores: SnapshotStore[] = [memoryStore(), localStorageStore(), localStorageStore(sessionStorage), indexedDBStore("mine")];
