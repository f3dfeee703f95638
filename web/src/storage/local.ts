import type { SnapshotRecord } from "./record.js";
import type { SnapshotStore } from "./store.js";

/**
 * Keeps snapshots in `localStorage`, or in another storage area such as `sessionStorage`, which is one tab's own.
 *
 * Small states only: an area holds about 5 MB, and writing blocks the page. Tabs that save at the same moment take turns
 * where the browser has locks; between the browser's own processes a write can still arrive late, and then an older
 * record stays. It is a whole one, so nothing but time is lost. `indexedDBStore()` is exact.
 */
export function localStorageStore(area?: Storage): SnapshotStore {
  const own = () => area ?? localStorage; // where pages may not have one, already asking for it throws
  const write = (record: SnapshotRecord, expected: string | undefined): boolean => {
    if (checkIn(own().getItem(record.key)) !== expected) return false;
    own().setItem(record.key, JSON.stringify(record));
    return true;
  };
  return {
    owner: area && isSession(area) ? "tab" : "origin",
    read(key) {
      const text = own().getItem(key);
      return text === null ? undefined : (JSON.parse(text) as SnapshotRecord);
    },
    write: (record, expected) => alone(record.key, () => write(record, expected)),
  };
}

function isSession(area: Storage): boolean {
  try {
    return area === globalThis.sessionStorage;
  } catch {
    return false;
  }
}

/** Text that is no record is as good as none: it may be replaced. */
function checkIn(text: string | null): string | undefined {
  try {
    const check = (JSON.parse(text ?? "null") as SnapshotRecord | null)?.check;
    return typeof check === "string" ? check : undefined;
  } catch {
    return undefined;
  }
}

/** Runs while no other tab does the same. Without locks, as on a page that is not secure, it just runs. */
function alone<T>(name: string, run: () => T): T | Promise<T> {
  const locks = globalThis.navigator?.locks;
  return locks ? (locks.request(`tidemark ${name}`, run) as Promise<T>) : run();
}
