import type { Marking } from "./engine.js";
import { BAD_INPUT, fault } from "./errors.js";
import type { Replaces, Saved, Snapshots } from "./snapshots.js";

/** Saves states of one stream, each with the cursor that belongs to it. */
export class Saver<S> {
  readonly #engine: Marking;
  readonly #snapshots: Snapshots;
  readonly #sessions: readonly string[];
  readonly #replaces: Replaces;

  constructor(engine: Marking, snapshots: Snapshots, sessions: readonly string[], replaces: Replaces) {
    this.#engine = engine;
    this.#replaces = replaces;
    this.#snapshots = snapshots;
    this.#sessions = sessions;
    engine.marks.onState = ({ session }) => snapshots.loaded(session);
  }

  /**
   * A state says that everything is in it that was handed over, the item at hand too. A function is called when that is
   * certain: as soon as the item at hand was given back.
   */
  async save(state: S | (() => S), session?: string): Promise<Saved> {
    const meant = this.#meant(session);
    if (typeof state === "function") return this.#between(state as () => S, meant);
    this.#engine.marks.settle();
    return this.#now(state, meant);
  }

  /** The app has put a cursor of its own: what it has now did not follow from the state before. */
  reset(session?: string): void {
    const meant = this.#meant(session);
    this.#snapshots.loading(meant);
    this.#snapshots.loaded(meant);
  }

  #between(state: () => S, session: string): Promise<Saved> {
    return new Promise((resolve, reject) => this.#engine.marks.whenSettled((taken) => {
      if (taken) (async () => this.#now(state(), session))().then(resolve, reject);
      else resolve({ saved: false });
    }));
  }

  #now(state: S, session: string): Promise<Saved> {
    const mark = Promise.resolve(this.#engine.mark(session));
    return this.#snapshots.save(session, state, mark, this.#replaces);
  }

  #meant(session: string | undefined): string {
    const [only, another] = this.#sessions;
    if (session === undefined && another === undefined) return only!;
    if (session !== undefined && this.#sessions.includes(session)) return session;
    throw fault(BAD_INPUT, { expected: "session: one that this stream follows", found: session === undefined ? "none" : "another" });
  }
}
