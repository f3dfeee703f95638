import { calls, type Calls } from "./ask.js";
import { parseCursor } from "./cursor.js";
import type { Profile } from "./profile.js";
import type { Cursor, Decision } from "./verdicts.js";
import { given, members, wire } from "./wire.js";
import * as op from "./gen/ops.gen.js";

export interface TrackOptions {
  /** The session to follow; may be left out when the cursor names it. */
  session?: string;
  /** Token of where to go on; absent: from the beginning. */
  cursor?: string;
  profile?: Profile;
}

/** The live verdicts of one session, for those who bring their own transport. Close it to free its memory. */
export interface Tracker {
  /** Judges one event: its JSON text, or the parsed event. Text is exact, so prefer it. */
  observe(event: string | object): Decision;
  /** Where the session stands. */
  readonly state: Cursor;
  close(): void;
}

/** Opens a tracker. Throws `stream.invalid_cursor` or `stream.foreign_session`; needs `await init()`. */
export function track(options: TrackOptions = {}): Tracker {
  const { session, cursor, profile } = given(options, "options", "session", "cursor", "profile");
  if (cursor !== undefined) parseCursor(cursor, { ...(profile !== undefined && { profile }) });
  return new LiveTracker({ session, cursor, profile });
}

/** Keeps what it needs to open again, so that the module may be replaced under it. */
class LiveTracker implements Tracker {
  readonly #profile: Profile | undefined;
  #last: Cursor;
  #calls: Calls;
  #handle: number;

  constructor(options: { session: string | undefined; cursor: string | undefined; profile: Profile | undefined }) {
    this.#profile = options.profile;
    this.#calls = calls.now();
    this.#handle = open(this.#calls, options);
    this.#last = this.#read();
  }

  observe(event: string | object): Decision {
    const text = typeof event === "string" ? event : wire(event);
    const decision = this.#live().call(op.trackerObserve, this.#handle, text) as Decision;
    if (decision.verdict === "accept") this.#last = this.#read();
    return decision;
  }

  get state(): Cursor {
    return { ...this.#last };
  }

  close(): void {
    const handle = this.#handle;
    this.#handle = 0;
    if (handle !== 0 && !this.#calls.dead) this.#calls.call(op.trackerClose, handle);
  }

  #read(): Cursor {
    return this.#calls.call(op.trackerState, this.#handle) as Cursor;
  }

  #live(): Calls {
    if (this.#calls.dead && this.#handle !== 0) {
      const fresh = calls.now();
      const { session, token } = this.#last;
      this.#handle = open(fresh, { session, cursor: token, profile: this.#profile });
      this.#calls = fresh;
    }
    return this.#calls;
  }
}

function open(on: Calls, options: Record<string, unknown>): number {
  return (on.call(op.trackerOpen, 0, members(options)) as { handle: number }).handle;
}
