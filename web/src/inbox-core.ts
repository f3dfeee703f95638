import { messageOf } from "./errors.js";
import type { UnknownWhy } from "./gen/parks.gen.js";
import { BOX } from "./gen/seam.gen.js";
import { answerOf, NONE, sessionsOf, type View } from "./inbox-rows.js";
import type { Exports, Instance } from "./instance.js";
import { links } from "./links.js";

interface BoxExports extends Exports {
  inbox_open(n: number): number;
  inbox_input(handle: number, kind: number, n: number, now: number): number;
  inbox_close(handle: number): void;
}

/** One thing that the core was told of a session. */
interface Told {
  session: string;
  kind: number;
  text: string;
}

/** Up to where the events of a session were handed over. */
export interface Place {
  seq: number;
  generation?: string | undefined;
}

/** Told things that are kept before they are folded into one. */
const LEAST = 256;
/** Of a session that cannot be saved. */
const MOST = 1000;
/** Instances in a row that may stop over the same things. */
const TRIES = 3;
const EMPTY_TEXT = '{"rows":[],"sessions":[]}';

/**
 * The fold of an inbox in the module, and what it takes to make it again when the module has stopped: what was saved of each
 * session last, and what it was told since.
 */
export class Core {
  readonly #options: string;
  readonly #changed: () => void;
  #module: Instance<BoxExports> | undefined;
  #handle = 0;
  #told: Told[] = [];
  #bound = LEAST;
  readonly #places = new Map<string, Place>();
  #coming: Promise<void> | undefined;
  #stops = 0;
  /** The last answer of this module's inbox: the next one says what has changed. */
  #answer = NONE;
  /** Counts what could have changed rows. */
  version = 0;

  /** `changed` is called when there is a fold again, too. */
  constructor(keep: number | undefined, changed: () => void) {
    this.#options = JSON.stringify({ keep });
    this.#changed = changed;
  }

  get alive(): boolean {
    return this.#module !== undefined && !this.#module.dead;
  }

  /** Tells the core something of a session, now or as soon as there is one. `rest` is JSON behind the session's name. */
  tell(session: string, kind: number, rest = ""): void {
    const told = { session, kind, text: `{"session":${JSON.stringify(session)}${rest && ","}${rest}}` };
    this.#told.push(told);
    this.version++;
    if (this.alive) this.#try(() => this.#input(told.kind, told.text));
    if (this.#told.length > this.#bound) this.#fold();
    this.#changed();
  }

  /** Has those who want to know look again. */
  stir(): void {
    this.#changed();
  }

  /** Where its events were handed over up to: without one there is nothing to save. */
  at(session: string, place: Place | undefined): void {
    if (place) this.#places.set(session, place);
    else this.#places.delete(session);
  }

  /** A fold as text, with its place; undefined: there is none that could be trusted later. */
  save(session: string): (Place & { state: string }) | undefined {
    const place = this.#places.get(session);
    const text = place && this.#ask(BOX.save, JSON.stringify({ session, ...place }));
    const state = text?.slice('{"state":'.length, -1);
    return place && state !== undefined && state !== "null" ? { ...place, state } : undefined;
  }

  /** Everything there is to show; undefined while there is no core. */
  view(now: number): View | undefined {
    const text = this.#rows(`{"after":${this.#answer.number}}`, now);
    return text === undefined ? undefined : (this.#answer = answerOf(text, this.#answer));
  }

  /** Resolves when there is a fold, or there will be none. Then everything that was told is in it. */
  ready(): Promise<void> | undefined {
    return this.alive || this.#stops >= TRIES ? undefined : (this.#coming ??= this.#begin().finally(() => (this.#coming = undefined)));
  }

  close(): void {
    if (this.alive) this.#module!.run((e) => (e.inbox_close(this.#handle), 0));
    this.#stops = Infinity;
    this.#module = undefined;
  }

  async #begin(): Promise<void> {
    try {
      while (!this.alive && this.#stops < TRIES) {
        const module = (await links.ready()) as unknown as Instance<BoxExports>;
        this.#try(() => this.#refold(module));
      }
    } catch (error) {
      this.#stopped(error); // the stream has its own module, or fails of the same
    }
    this.version++;
    this.#changed();
  }

  #stopped(error: unknown): void {
    this.#stops = TRIES;
    console.error(`tidemark: the inbox has stopped, and knows nothing any more: ${messageOf(error)}`);
  }

  #refold(module: Instance<BoxExports>): void {
    if (this.#stops >= TRIES) return;
    const n = module.put(this.#options);
    this.#handle = module.run((e) => e.inbox_open(n));
    this.#module = module;
    this.#answer = NONE;
    for (const { kind, text } of this.#told) this.#input(kind, text);
  }

  #rows(argument: string, now: number): string | undefined {
    const text = this.#ask(BOX.rows, argument, now);
    if (text !== undefined) this.#stops = 0;
    return text;
  }

  #ask(kind: number, argument: string, now?: number): string | undefined {
    return this.alive ? this.#try(() => this.#input(kind, argument, now)) : undefined;
  }

  /** A module that stops is not the stream's end, and the inbox is folded anew in the next one. */
  #try<T>(use: () => T): T | undefined {
    try {
      return use();
    } catch (error) {
      this.#module = undefined;
      if (++this.#stops >= TRIES) this.#stopped(error);
      else void this.ready();
      return undefined;
    }
  }

  #input(kind: number, argument: string, now = 0): string {
    const module = this.#module!;
    const n = module.put(argument);
    const length = module.run((e) => e.inbox_input(this.#handle, kind, n, now));
    return length > 0 ? module.text(module.run((e) => e.output()) >>> 0, length) : "";
  }

  /** Puts a saved fold in the place of what it was made from. A session that has none keeps the newest that it was told. */
  #fold(): void {
    const sessions = new Set(this.#told.map(({ session }) => session));
    const standings = new Map(sessionsOf(this.#rows("{}", 0) || EMPTY_TEXT).map(({ session, why }) => [session, why]));
    const told = [...sessions].flatMap((session) => this.#short(session, this.#told.filter((told) => told.session === session), standings.get(session)));
    if (!this.alive) return; // then nothing was learned of them
    this.#told = told;
    this.#bound = Math.max(LEAST, 2 * told.length, told.reduce((sum, { text }) => sum + text.length, 0) >> 9);
  }

  #short(session: string, told: Told[], why: UnknownWhy | undefined): Told[] {
    const standing = why ? [{ session, kind: BOX.lost, text: JSON.stringify({ session, why }) }] : told.filter(({ kind }) => kind === BOX.live).slice(-1);
    const saved = this.save(session);
    if (saved) return [{ session, kind: BOX.begin, text: beginning(session, saved) }, ...standing];
    const begun = told.findLastIndex(({ kind }) => kind === BOX.begin);
    const events = told.slice(begun + 1).filter(({ kind }) => kind === BOX.event);
    return [...told.slice(Math.max(begun, 0), begun + 1), ...events.slice(-MOST), ...standing];
  }
}

function beginning(session: string, saved: Place & { state: string }): string {
  return `{"session":${JSON.stringify(session)},${savedRest(saved)}}`;
}

/** The members of a beginning behind a saved fold. */
export function savedRest({ seq, generation, state }: Place & { state: string }): string {
  return `"from":"saved",${placeRest({ seq, generation })},"state":${state}`;
}

export function placeRest({ seq, generation }: Place): string {
  return `"seq":${seq}${generation === undefined ? "" : `,"generation":${JSON.stringify(generation)}`}`;
}
