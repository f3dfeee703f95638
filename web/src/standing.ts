import { BAD_HANDLE, BAD_INPUT, fault } from "./errors.js";
import type { EndItem } from "./items.js";
import type { Place, Start } from "./rows.js";
import type { Settings } from "./settings.js";

/**
 * Where the sessions of a stream stand, as the rows said: kept only to be handed to another link, when the module of the
 * one before has stopped.
 */
export class Standing {
  readonly #settings: Settings<unknown>;
  readonly #places = new Map<string, Place>();
  readonly #gone = new Set<string>();
  /** What the newest connection asked for. */
  starts: readonly Start[] = [];

  constructor(settings: Settings<unknown>) {
    this.#settings = settings;
  }

  /** The newest row of a session replaces the one before as a whole. */
  moved(places: ReadonlyMap<string, Place>): void {
    for (const [session, place] of places) this.#places.set(session, place);
  }

  /** Nothing more comes of a session. */
  left(session: string): void {
    this.#gone.add(session);
  }

  gone(session: string): boolean {
    return this.#gone.has(session);
  }

  /** Options of the first link. */
  first() {
    const { profile, sessions, cursors, proofs, from, mode, proof, load, maxFrame, maxDepth, single, frames } = this.#settings;
    return {
      profile, sessions, cursors, proofs, from, mode, proof, maxFrame, maxDepth, single, frames,
      load: load !== undefined,
    };
  }

  /** Options of a link that goes on. Until one has asked for something, the cursors of the first are nowhere else. */
  again() {
    const first = this.first();
    const known = this.known();
    const starts = this.starts.filter(({ session }) => session !== "" && !this.#places.has(session) && !this.#gone.has(session));
    const places = known.flatMap((session) => this.#places.get(session) ?? []);
    return {
      ...first,
      ...(this.#gone.size > 0 && { sessions: known }),
      cursors: this.starts.length > 0 ? starts.flatMap(({ token }) => token ?? []) : first.cursors,
      places: places.flatMap(({ session, placed, seq, generation, proof }) => (placed ? { session, seq, generation, proof } : [])),
      owes: places.flatMap(({ session, drafts }) => (drafts ? session : [])),
    };
  }

  /** The sessions that have a name by now. */
  names(): string[] {
    const asked = [...(this.#settings.sessions ?? []), ...this.starts.map(({ session }) => session)];
    const names = new Set([...asked, ...this.#places.keys(), ...this.#gone]);
    names.delete("");
    return [...names];
  }

  /** Those of which something more may come. */
  known(): string[] {
    return this.names().filter((session) => !this.#gone.has(session));
  }

  /** One for each session that has none yet; one without a name while no name is known. */
  ends(): EndItem[] {
    const sessions = this.names().length > 0 ? this.known() : [""];
    return sessions.map((session) => ({ kind: "end", session, cause: "closed" }));
  }

  /** The session that is meant, which has not ended. */
  lasting(session: string | undefined): string {
    const meant = this.meant(session);
    if (this.#gone.has(meant)) throw fault(BAD_INPUT, { expected: "session: one that goes on", found: "one that has ended" });
    return meant;
  }

  /** The session that is meant: the one named, else the only one; "" while it has no name. */
  meant(session: string | undefined): string {
    const names = this.names();
    if (session === undefined && names.length < 2) return names[0] ?? "";
    if (session !== undefined && names.includes(session)) return session;
    const found = session === undefined ? `none, of ${names.length}` : "another";
    throw fault(BAD_INPUT, { expected: "session: one that this stream follows", found });
  }
}

/** Throws what is no cursor, and where none can be put. */
export function resettable(cursor: unknown, over: boolean): void {
  if (typeof cursor !== "string") throw fault(BAD_INPUT, { expected: "cursor: a token", found: typeof cursor });
  if (over) throw fault(BAD_HANDLE, { expected: "a stream that goes on", found: "one that is over" });
}
