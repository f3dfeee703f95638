import { LogCopy, type Head } from "./log-copy.js";
import { seqOf, type SessionEvent } from "./record.js";
import type { Transcript } from "./screen.js";
import { fetchJSON, type Session } from "./urls.js";

interface Page {
  head: Head;
  events: SessionEvent[];
  more: boolean;
}

/** How much of a long log is looked at when the page opens. */
const LOOK_BACK = 1000;
const PAGE = 1000;

/** Where a log stands. */
export interface Extent {
  oldestSeq: number;
  lastSeq: number;
}

/** Keeps a copy of the log in step by asking for pages. It trusts no number alone: each answer has to overlap. */
export class LogFollower {
  readonly copy = new LogCopy();
  readonly #session: Session;
  readonly #changed: (from: number) => void;
  #busy: Promise<void> = Promise.resolve();
  #free: () => void = () => {};

  /** `changed` is told when records are others than they were, or gone, from this seq on. */
  constructor(session: Session, changed: (from: number) => void) {
    this.#session = session;
    this.#changed = changed;
  }

  /** Asks for all pages there are. Throws when the log cannot be asked; LogGone when there is no such session. */
  step(): Promise<void> {
    return this.#alone(() => this.#step());
  }

  /**
   * Keeps quiet while `change` is done to the log, and then reads it anew as far as `change` says that it reaches. It
   * would find out by itself; but asking for what has just been taken away is an error in the console.
   */
  during(change: () => Promise<Extent | undefined>): Promise<void> {
    return this.#alone(async () => {
      const asked = performance.now();
      const extent = await change();
      if (extent && (await this.#again(extent))) this.copy.asOf = asked;
    });
  }

  async #alone(work: () => Promise<void>): Promise<void> {
    const before = this.#busy;
    this.#busy = new Promise((free) => (this.#free = free));
    const free = this.#free;
    await before;
    try {
      await work();
    } finally {
      free();
    }
  }

  async #step(): Promise<void> {
    const asked = performance.now();
    const found = this.copy.last === 0 ? await this.#begin() : (await this.#go()) || (await this.#again(await this.#extent()));
    if (found) this.copy.asOf = asked;
  }

  async #begin(): Promise<boolean> {
    const { oldestSeq, lastSeq } = await this.#extent();
    return this.#read(Math.max(oldestSeq - 1, lastSeq - LOOK_BACK, 0), (page) => this.#take(page));
  }

  /** Goes on from the record before the newest one, so that the newest comes again; answers whether it did. */
  #go(): Promise<boolean> {
    return this.#read(this.copy.last - 1, (page, first) => (!first || this.copy.continues(page.events)) && this.#take(page));
  }

  /** The log is another one, or was pruned beyond what was known: everything is read anew. */
  async #again({ oldestSeq, lastSeq }: Extent): Promise<boolean> {
    const events: SessionEvent[] = [];
    const oldest = Math.max(oldestSeq, Math.min(this.copy.first, lastSeq - LOOK_BACK));
    const whole = await this.#read(oldest - 1, (page) => {
      events.push(...page.events);
      this.copy.head = page.head;
      return true;
    });
    if (!whole) return false; // it changed meanwhile: the next step looks again
    const from = this.copy.replace(events, oldest, performance.now());
    if (from < Infinity) this.#changed(from);
    return true;
  }

  #take(page: Page): boolean {
    this.copy.head = page.head;
    this.copy.append(page.events, performance.now());
    return true;
  }

  /** The transcript is the one answer that no cursor can be wrong for. */
  async #extent(): Promise<Extent> {
    const { cursor, firstSeq } = await fetchJSON<Transcript>(this.#session.transcriptUrl).catch(gone);
    return { lastSeq: seqOf(cursor), oldestSeq: firstSeq };
  }

  /** Reads page after page above `since` while `take` wants more; answers whether it came to the end. */
  async #read(since: number, take: (page: Page, first: boolean) => boolean): Promise<boolean> {
    for (let first = true, more = true; more; first = false) {
      const page = await this.#page(since);
      if (!page || !take(page, first)) return false;
      since = page.events.at(-1)?.seq ?? since;
      more = page.more && page.events.length > 0;
    }
    return true;
  }

  /** The page above a seq; undefined when that does not stand in the log. */
  async #page(since: number): Promise<Page | undefined> {
    const { logUrl, id } = this.#session;
    const response = await fetch(`${logUrl}?limit=${PAGE}&cursor=${encodeURIComponent(`${id}:${since}`)}`, { cache: "no-store" });
    if (response.status === 409 || response.status === 410) return undefined;
    if (!response.ok) return gone({ status: response.status });
    return (await response.json()) as Page;
  }
}

/** The server does not know the session: it has started again with another one. */
export class LogGone extends Error {}

function gone(problem: unknown): never {
  if ((problem as { status?: number }).status === 404) throw new LogGone();
  throw problem;
}
