import type { SnapshotRecord } from "./record.js";
import type { SnapshotStore } from "./store.js";

const RECORDS = "snapshots";

/**
 * Keeps snapshots in IndexedDB, in a database of this name: large states, shared by all tabs, compared and written in
 * one transaction.
 */
export function indexedDBStore(name = "tidemark"): SnapshotStore {
  let database: Promise<IDBDatabase> | undefined;
  const opened = () => (database ??= connect(name, () => (database = undefined)));
  return {
    owner: "origin",
    read: async (key) => settled((await records(opened(), "readonly")).get(key) as IDBRequest<SnapshotRecord | undefined>),
    async write(record, expected) {
      const store = await records(opened(), "readwrite");
      return swap(store, record, expected);
    },
  };
}

/** Opens the database. It is let go of when it fails, when the browser closes it, and when a newer version wants it. */
async function connect(name: string, gone: () => void): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(RECORDS, { keyPath: "key" });
  try {
    const database = await settled(request);
    database.onclose = gone;
    database.onversionchange = () => (gone(), database.close());
    return database;
  } catch (error) {
    gone();
    throw error;
  }
}

async function records(database: Promise<IDBDatabase>, mode: IDBTransactionMode): Promise<IDBObjectStore> {
  return (await database).transaction(RECORDS, mode).objectStore(RECORDS);
}

/** Answers once the transaction is over, because only then it is written. */
function swap(store: IDBObjectStore, record: SnapshotRecord, expected: string | undefined): Promise<boolean> {
  const { transaction } = store;
  return new Promise((resolve, reject) => {
    let written = false;
    const found = store.get(record.key) as IDBRequest<{ check?: unknown } | undefined>;
    found.onsuccess = () => {
      const check = found.result?.check;
      written = (typeof check === "string" ? check : undefined) === expected;
      if (written) store.put(record);
    };
    transaction.oncomplete = () => resolve(written);
    transaction.onabort = () => reject(transaction.error);
  });
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
