// Stores that keep a cursor without the state it belongs to: each line marked so must not compile.
import type { SnapshotRecord, SnapshotStore } from "tidemark/storage";

declare const cursors: Map<string, string>;
declare const places: Map<string, { key: string; cursor: string; epoch: number; check: string }>;
declare const halves: Map<string, Omit<SnapshotRecord, "state">>;
declare const counters: Map<string, number>;

const write = () => true;

export const text: SnapshotStore = { write, read: (key) => cursors.get(key) }; // refused
export const place: SnapshotStore = { write, read: (key) => places.get(key) }; // refused
export const half: SnapshotStore = { write, read: (key) => halves.get(key) }; // refused
export const later: SnapshotStore = { write, read: async (key) => halves.get(key) }; // refused
export const counter: SnapshotStore = { write, read: (key) => counters.get(key) }; // refused
export const made: SnapshotStore = { write, read: (key) => ({ key, cursor: cursors.get(key) ?? "" }) }; // refused
export const local: SnapshotStore = { write, read: (key) => localStorage.getItem(key) }; // refused
export const taking: SnapshotStore = { read: () => undefined, write: (cursor: string) => !!cursors.set("k", cursor) }; // refused
export const blind: SnapshotStore = { read: () => undefined, write: () => {} }; // refused
export const deaf: SnapshotStore = { write }; // refused
