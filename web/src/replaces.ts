import type { Links } from "./links.js";

/** Where a saved record stands. */
export interface SavedPlace {
  readonly epoch: number;
  readonly cursor: string;
}

/** Whether a saved record may take the place of another: unless that one is ahead. One that is none is not. */
export function replaces(module: Links, old: SavedPlace, record: SavedPlace): boolean {
  const n = module.put(JSON.stringify({ oldEpoch: old.epoch, oldCursor: old.cursor, epoch: record.epoch, cursor: record.cursor }));
  return module.run((e) => e.saved_replaces(n)) !== 0;
}
