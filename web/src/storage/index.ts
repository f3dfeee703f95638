/** Stores for saved snapshots: a state and the cursor it stands at, as one record. For the option `snapshots` of `open()`. */
export { memoryStore } from "./memory.js";
export { localStorageStore } from "./local.js";
export { indexedDBStore } from "./indexeddb.js";
export type { SnapshotStore, Awaitable } from "./store.js";
export type { SnapshotRecord } from "./record.js";
