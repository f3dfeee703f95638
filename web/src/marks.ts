import type { EventItem, Item, StateItem } from "./items.js";

/** An event that the app has taken in: where it stands, and its text, by which the place can be proven later. */
export type Applied = Pick<EventItem, "seq" | "json">;

/**
 * How far the app has taken in what it was handed: by session, the last recorded event that it gave back. Positions are
 * kept and passed on, never compared.
 */
export class Marks {
  readonly #applied = new Map<string, Applied>();
  /** The state of a session that is on its way to the app: nothing can be said before the app has it. */
  readonly #coming = new Map<string, StateItem>();
  #handed: Item[] = [];
  #waiting: ((taken: boolean) => void)[] = [];
  #gone = false;
  /** Told of each state that the app has taken in. */
  onState: ((item: StateItem) => void) | undefined;

  /** An item comes into the queue. A new state leaves no mark standing until the app has it. */
  coming(item: Item): void {
    if (item.kind === "state") this.#coming.set(item.session, item);
  }

  /** An item is handed to the app. */
  hand(item: Item): void {
    if (item.kind === "event" || item.kind === "state") this.#handed.push(item);
  }

  /** The app has taken in all that it was handed. */
  settle(): void {
    for (const item of this.#handed) this.#settled(item);
    this.#handed.length = 0;
    for (const run of this.#waiting.splice(0)) run(true);
  }

  /** Runs as soon as the app has taken in all that it was handed; false: it never will. */
  whenSettled(run: (taken: boolean) => void): void {
    if (this.#handed.length === 0) run(true);
    else if (this.#gone) run(false);
    else this.#waiting.push(run);
  }

  /** The app has left with what it was handed last. */
  left(): void {
    this.#gone = true;
    for (const run of this.#waiting.splice(0)) run(false);
  }

  /** The app stands at a cursor of its own choice: what it was handed before says nothing about that. */
  reset(session: string): void {
    this.#handed = this.#handed.filter((item) => item.session !== session);
    this.#applied.delete(session);
    this.#coming.delete(session);
  }

  /** Whether there is nothing that could be said of a session now. */
  doubtful(session: string): boolean {
    return this.#coming.has(session);
  }

  /** The last recorded event that was taken in; undefined: none since the state or the cursor that the session began with. */
  applied(session: string): Applied | undefined {
    return this.#applied.get(session);
  }

  /** Where `applied` can be from now on when nothing more is handed over: where it is, and where it will be with what is in hand. */
  ends(session: string): (Applied | undefined)[] {
    const last = this.#handed.filter((item) => item.session === session).pop();
    return [this.applied(session), last?.kind === "event" ? last : undefined];
  }

  #settled(item: Item): void {
    if (item.kind === "event") this.#applied.set(item.session, item);
    else if (item.kind === "state") {
      this.#applied.delete(item.session);
      this.onState?.(item);
      if (this.#coming.get(item.session) === item) this.#coming.delete(item.session);
    }
  }
}
