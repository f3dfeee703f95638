import type { Decision } from "../verdicts.js";
import { ready } from "./core.js";
import { asksForMany, namesNoStart } from "./asked.js";
import type { RelayOptions } from "./passage.js";
import type { Place } from "./relays.js";

/** Where a consumer stands: its cursor as a token, and the epoch, from 0, which is one more whenever it was begun anew. */
export type Remembered = Place;

/**
 * Remembers cursors by key. A store never lets one go backwards: `replaces` says what may take its place. What it fails with costs the
 * memory of that moment, and no stream.
 */
export interface CursorStore {
  /** undefined: nothing is remembered. */
  load(key: string): Promise<Remembered | undefined>;
  /** Called for one key once at a time by each stream, with its newest place: what came in between is left out. */
  save(key: string, place: Remembered): Promise<void>;
}

export interface MemoryOptions {
  /** `durableMemory`, or one of yours. */
  store: CursorStore;
  /**
   * Names the consumer, so that no two share a key, and nobody can take that of another: by the user that its credentials were found to
   * be, say. undefined, or empty: nothing is remembered of it. The store has a key for each consumer and session.
   */
  key(request: Request): string | undefined | PromiseLike<string | undefined>;
}

/** Whether a place may take the place of another: unless that one is ahead. What is no place may not; anything may take the place of that. */
export async function replaces(old: Remembered | undefined, place: Remembered): Promise<boolean> {
  const relays = await ready();
  return relays.replaces(place, place) > 0 && (old === undefined || relays.replaces(old, place) !== 0);
}

/** What is remembered of one consumer as its stream passes. */
export class Memory {
  readonly #store: CursorStore;
  readonly #key: string;
  readonly #epoch: number;
  /** Where the request is to start, which named no start. */
  readonly start: string | undefined;
  #newest: string | undefined;
  #saving: Promise<void> | undefined;

  private constructor(store: CursorStore, key: string, epoch: number, start: string | undefined) {
    this.#store = store;
    this.#key = key;
    this.#epoch = epoch;
    this.start = start;
  }

  /**
   * A store that fails, or has what is no place, remembers nothing. A request that starts at the beginning, or now, begins anew. One place is remembered, so
   * nothing is of a stream of several sessions.
   */
  static async of({ store, key }: MemoryOptions, request: Request, asked: RelayOptions): Promise<Memory | undefined> {
    const [session = ""] = asked.sessions ?? [];
    const consumer = asksForMany(asked) ? undefined : await key(request);
    if (!consumer) return undefined; // a header that is not there is null: no name that all may share
    const name = `${consumer}/${encodeURIComponent(session)}`; // the last slash parts the two
    const known = await harmless(async () => sound(await store.load(name)));
    const anew = !!asked.from?.length;
    return new Memory(store, name, (known?.epoch ?? 0) + (anew && known ? 1 : 0), namesNoStart(asked) ? known?.cursor : undefined);
  }

  /** Takes note of where the consumer stands. One save at a time: while that goes on, only the newest counts. */
  note({ cursor }: Decision): void {
    if (cursor === undefined || cursor === this.#newest) return;
    this.#newest = cursor;
    this.#saving ??= this.#save();
  }

  /** What was noted is saved. */
  async settled(): Promise<void> {
    await this.#saving;
  }

  async #save(): Promise<void> {
    for (let cursor; cursor !== this.#newest; ) {
      cursor = this.#newest!;
      const place = { epoch: this.#epoch, cursor };
      await harmless(async () => this.#store.save(this.#key, place));
    }
    this.#saving = undefined;
  }
}

/** What a store has kept, unless that is no place. */
async function sound(place: Remembered | undefined): Promise<Remembered | undefined> {
  return place && (await replaces(undefined, place)) ? place : undefined;
}

/** A store that fails, fails for itself. */
async function harmless<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}
