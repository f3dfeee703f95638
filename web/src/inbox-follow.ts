import { PARK_TYPES, type UnknownWhy } from "./gen/parks.gen.js";
import { BOX } from "./gen/seam.gen.js";
import { attempt } from "./inbox-calls.js";
import { placeRest, savedRest, type Core, type Place } from "./inbox-core.js";
import type { EndItem, EventItem, Item, LiveItem, StateItem } from "./items.js";
import type { Settings } from "./settings.js";
import type { Queue } from "./queue.js";
import { sessionIn } from "./route.js";
import type { Phase, StreamState } from "./state.js";
import type { Strength } from "./verdicts.js";

/** A fold as `save()` answers it: plain, for JSON. It is good at the very place where it was saved, and nowhere else. */
export interface SavedInbox {
  readonly session: string;
  readonly seq: number;
  readonly generation?: string;
  readonly fold: string;
}

/** How a stream is looked at. */
export interface Sight {
  settings: Settings<unknown>;
  queue: Queue<Item>;
  state(): StreamState;
}

/** One session of the stream, as far as there is something to remember of it. */
interface Followed {
  /** It has begun with an item, not only by name. */
  begun: boolean;
  /** Nothing more comes of it. */
  over: boolean;
  /** The stream said so when it was looked at last. */
  live: boolean;
  /** Whether its `live` was handed over since it became so; and how certain the last one was. */
  caught: boolean;
  strength: Strength;
  /** What the core was told last: that it is known, or why it is not. */
  told: "live" | UnknownWhy | undefined;
}

const WHY: Record<Phase, UnknownWhy> = {
  waiting: "disconnected", replaying: "catching_up", live: "catching_up", resyncing: "catching_up", loading: "catching_up", refused: "refused", ended: "disconnected",
};

/**
 * Tells the core what the stream hands over, and how the stream stands. What is lost is told as soon as it is looked at, even
 * while items from before wait to be taken; what is live again, when everything before it was.
 */
export class Follow {
  readonly #core: Core;
  readonly #sight: Sight;
  readonly #saved: readonly SavedInbox[];
  readonly #fold: ((state: unknown) => unknown) | undefined;
  readonly #sessions = new Map<string, Followed>();
  /** Whether something waited to be taken, when it was looked at last, that could change rows. */
  #behind = false;

  constructor(core: Core, sight: Sight, saved: readonly SavedInbox[], fold: ((state: unknown) => unknown) | undefined) {
    this.#core = core;
    this.#sight = sight;
    this.#saved = saved;
    this.#fold = fold;
    const { sessions, cursors } = sight.settings;
    for (const session of sessions ?? cursors.map(sessionIn)) this.#followed(session);
  }

  /** An item is handed over. */
  take(item: Item): void {
    if (item.kind === "draft" || item.kind === "restart") return; // no records, and a draft may be of a session that is only passed on
    const followed = this.#followed(item.session);
    if (item.kind !== "state" && !followed.begun) this.#begin(item.session, followed);
    if (item.kind === "state") this.#rebuilt(followed, item);
    else if (item.kind === "event") this.#event(item);
    else if (item.kind === "live") this.#live(followed, item);
    else if (item.kind === "end") this.#end(followed, item);
    else this.#over(item.session, followed, "refused");
    if (item.kind !== "event") this.look();
    else if (this.#behind) this.#core.stir(); // a look at all that waits, for each that is taken, would be a square
  }

  /** The app has put a cursor of its own: what lies between is not read. */
  reset(named: string | undefined, cursor: string): void {
    const session = named ?? sessionIn(cursor);
    this.#start(session, this.#followed(session), cursor, undefined);
    this.look();
  }

  /** Compares what was told with how the stream stands now. */
  look(): void {
    const { connection, sessions } = this.#sight.state();
    const waiting = this.#waiting();
    this.#behind = waiting.size > 0 || this.#sight.queue.held === true;
    for (const [session, followed] of this.#sessions) {
      if (followed.over) continue;
      const phase = sessions[session] ?? "waiting";
      const live = connection === "open" && phase === "live";
      if (followed.live && !live) followed.caught = false;
      followed.live = live;
      if (!live) this.#say(session, followed, connection === "open" || phase !== "live" ? WHY[phase] : "disconnected");
      else if (waiting.has(session) || this.#sight.queue.held) this.#say(session, followed, "catching_up");
      else if (followed.caught) this.#say(session, followed, "live");
    }
  }

  /** Sessions of which the app has yet to take what could change rows. */
  #waiting(): Set<string> {
    const waiting = new Set<string>();
    this.#sight.queue.drop((item) => {
      if (item.kind === "live" || (item.kind === "event" && PARK_TYPES.includes(item.type))) waiting.add(item.session);
      return false;
    });
    return waiting;
  }

  /** The session of that name; a new one begins as the options of the stream say, until its first item says otherwise. */
  #followed(session: string): Followed {
    let followed = this.#sessions.get(session);
    if (followed) return followed;
    followed = { begun: false, over: false, live: false, caught: false, strength: "none", told: undefined };
    if (session === "") return followed; // has no name yet, and never had an event
    this.#sessions.set(session, followed);
    const { snapshots, initial, load, from } = this.#sight.settings;
    const state = snapshots !== undefined || initial.some(({ cursor }) => sessionIn(cursor) === session) || (load !== undefined && from === undefined);
    if (state && !this.#cursorOf(session)) this.#core.tell(session, BOX.begin);
    else this.#begin(session, followed);
    return followed;
  }

  #cursorOf(session: string): string | undefined {
    const { cursors, initial } = this.#sight.settings;
    return initial.length > 0 ? undefined : cursors.find((token) => sessionIn(token) === session);
  }

  /** A session begins without a state. */
  #begin(session: string, followed: Followed): void {
    const cursor = this.#cursorOf(session);
    followed.begun = true;
    if (cursor !== undefined) return this.#start(session, followed, cursor, savedOf(this.#saved, session));
    this.#core.tell(session, BOX.begin, this.#sight.settings.from === "now" ? "" : '"from":"beginning"');
  }

  #rebuilt(followed: Followed, { session, state, cursor }: StateItem): void {
    const saved = this.#fold ? [attempt(() => this.#fold!(state))] : this.#saved;
    this.#start(session, followed, cursor, savedOf(saved, session));
  }

  /** Begins at a cursor. Whether a fold belongs there is for the core to say. */
  #start(session: string, followed: Followed, cursor: string, saved: unknown): void {
    Object.assign(followed, { begun: true, over: false, live: false, caught: false, told: undefined });
    const place = placeOf(cursor);
    const fold = foldOf(saved);
    this.#core.at(session, place);
    this.#core.tell(session, BOX.begin, place && fold && savedRest({ ...place, state: fold }));
  }

  #event({ session, type, seq, generation, json }: Pick<EventItem, "session" | "type" | "seq" | "generation" | "json">): void {
    const place: Place = { seq, generation };
    this.#core.at(session, place);
    if (PARK_TYPES.includes(type)) this.#core.tell(session, BOX.event, `${placeRest(place)},"event":${json}`);
  }

  /** In a worker a state comes behind the items that it belongs to; here it was there first, or this one is of before. */
  #live(followed: Followed, { session, strength }: LiveItem): void {
    const { connection, sessions } = this.#sight.state();
    followed.strength = strength;
    followed.caught = Boolean(this.#sight.settings.worker) || (connection === "open" && sessions[session] === "live");
  }

  /** An end that is the session's own says that everything has come; how certainly, the last `live` has said. */
  #end(followed: Followed, { session, cause }: EndItem): void {
    const whole = cause === "terminal" || cause === "server";
    if (!whole) return this.#over(session, followed, "incomplete");
    followed.over = true;
    this.#say(session, followed, "live");
  }

  #over(session: string, followed: Followed, why: UnknownWhy): void {
    followed.over = true;
    this.#say(session, followed, why);
  }

  #say(session: string, followed: Followed, told: "live" | UnknownWhy): void {
    if (session === "" || followed.told === told) return;
    followed.told = told;
    if (told === "live") this.#core.tell(session, BOX.live, `"strength":${JSON.stringify(followed.strength)}`);
    else this.#core.tell(session, BOX.lost, `"why":"${told}"`);
  }
}

/** The place that a token names; undefined when it names none that a fold could be saved at. */
function placeOf(cursor: string): Place | undefined {
  const [, seq, generation] = /:(\d{1,16})(?:@([^:]+))?$/.exec(cursor) ?? [];
  try {
    return seq === undefined ? undefined : { seq: Number(seq), ...(generation !== undefined && { generation: decodeURIComponent(generation) }) };
  } catch {
    return undefined;
  }
}

/** What was saved of that very session. */
function savedOf(saved: readonly unknown[], session: string): unknown {
  return saved.find((each) => (each as SavedInbox | null | undefined)?.session === session);
}

/** The text of a fold, if it is one; the core says whether it is good. */
function foldOf(saved: unknown): string | undefined {
  const fold = (saved as SavedInbox | null | undefined)?.fold;
  try {
    return typeof fold === "string" && typeof JSON.parse(fold) === "object" ? fold : undefined;
  } catch {
    return undefined;
  }
}
