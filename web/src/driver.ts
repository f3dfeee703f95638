import { Connection } from "./connection.js";
import { messageOf, TidemarkError } from "./errors.js";
import type { EndItem, Item } from "./items.js";
import { clock, INPUT, Link } from "./link.js";
import { links } from "./links.js";
import type { Loaded, Settings } from "./options.js";
import { Queue } from "./queue.js";
import { addressOf, firstStarts } from "./request.js";
import { type Drained, type Order, type Place, type Start } from "./rows.js";
import type { Decision } from "./verdicts.js";

/** Bytes that one call hands to the module. */
const PIECE = 1 << 16;
/** How long a tick waits that came while nobody read, so that waiting bytes are heard first. */
const GRACE = 1000;
/** Instances in a row that may stop before an event came through. */
const MAX_CRASHES = 3;

/**
 * Performs what a link orders: one input in, all orders out, until nothing is left that could happen.
 * It decides nothing about positions; it keeps a copy of the cursors only to hand them to a new link.
 */
export class Driver<E, S> {
  readonly queue = new Queue<Item<E, S>>();
  readonly #settings: Settings<S>;
  readonly #places = new Map<string, Place>();
  readonly #gone = new Set<string>();
  #starts: Start[] = [];
  #link: Link<E> | undefined;
  #early: Connection | undefined;
  #connection: Connection | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #paused = false;
  #late = false;
  #loads = new AbortController();
  #loading = 0;
  #crashes = 0;
  #over = false;

  /** The request starts here, and the module loads beside it. */
  constructor(settings: Settings<S>) {
    this.#settings = settings;
    if (settings.signal?.aborted) this.stop();
    else this.#open();
  }

  /** Ends everything at once. What was not taken yet is dropped; one `end` for each session comes instead. */
  readonly stop = (): void => {
    if (this.#over) return;
    const ends = this.#ends();
    this.#release();
    this.queue.clear();
    this.queue.put(ends, 0);
    this.queue.finish();
  };

  #open(): void {
    const settings = this.#settings as Settings<unknown>;
    settings.signal?.addEventListener("abort", this.stop);
    const starts = firstStarts(settings);
    if (starts) this.#early = this.#connect(addressOf(settings.url, starts));
    void this.#begin();
  }

  async #begin(): Promise<void> {
    try {
      const module = await links.ready();
      if (this.#over) return;
      const kept = this.#crashes > 0 ? this.#resume() : this.#first();
      if (kept.sessions?.length === 0) return this.#finish();
      this.#link = new Link<E>(module, JSON.stringify(kept));
      this.#give(INPUT.start);
    } catch (error) {
      this.#broken(error);
    }
  }

  #first() {
    const { profile, sessions, cursors, from, mode, load, onDecision, maxFrame, maxDepth } = this.#settings;
    return {
      profile, sessions, cursors, from, mode, maxFrame, maxDepth,
      load: load !== undefined,
      decisions: onDecision !== undefined,
    };
  }

  /**
   * Options of a link that goes on where the one in a stopped instance stood: what its rows said, handed back. Until it
   * has asked for something, the cursors of the first link were nowhere but in its options.
   */
  #resume() {
    const first = this.#first();
    const known = this.#stood().filter((session) => !this.#gone.has(session));
    const starts = this.#starts.filter(({ session }) => session !== "" && !this.#places.has(session) && !this.#gone.has(session));
    const places = known.flatMap((session) => this.#places.get(session) ?? []);
    return {
      ...first,
      ...(this.#gone.size > 0 && { sessions: known }),
      cursors: this.#starts.length > 0 ? starts.flatMap(({ token }) => token ?? []) : first.cursors,
      places: places.flatMap(({ session, placed, seq, generation }) => (placed ? { session, seq, generation } : [])),
      owes: places.flatMap(({ session, drafts }) => (drafts ? session : [])),
    };
  }

  /** The sessions that have a name by now. */
  #stood(): string[] {
    const asked = [...(this.#settings.sessions ?? []), ...this.#starts.map(({ session }) => session)];
    const names = new Set([...asked, ...this.#places.keys()]);
    names.delete("");
    return [...names];
  }

  #give(kind: number, argument?: object): void {
    this.#step((link) => link.input(kind, argument));
  }

  /** Feed one input, drain everything, then perform. */
  #step(use: (link: Link<E>) => Drained<E>): void {
    if (!this.#link) return;
    let drained: Drained<E>;
    try {
      drained = use(this.#link);
    } catch (error) {
      return this.#broken(error);
    }
    for (const [session, place] of drained.places) this.#places.set(session, place);
    if (drained.moved) this.#crashes = 0;
    this.#tell(drained.decisions);
    this.#hand(drained);
    for (const order of drained.orders) if (!this.#over) this.#obey(order);
    if (!this.#over && !this.#connection && !this.#timer && !this.#late && this.#loading === 0) this.#finish();
  }

  #hand({ items, size }: Drained<E>): void {
    if (this.#over) return;
    for (const { kind, session } of items) {
      if (kind === "end" || (kind === "refused" && !this.#settings.load)) this.#gone.add(session);
    }
    this.queue.put(items as Item<E, S>[], size);
  }

  #obey(order: Order): void {
    switch (order.kind) {
      case "connect":
        this.#disconnect();
        this.#starts = order.cursors;
        return void this.#run((this.#connection = this.#connect(addressOf(this.#settings.url, order.cursors))));
      case "wake":
        return this.#wake(order.at);
      case "load":
        return void this.#load(order);
      case "close":
        this.#sleep();
        return this.#disconnect();
      case "fail":
        return this.#fail(order.fault);
    }
  }

  /** The early request serves when it asked for the same thing. */
  #connect(address: string): Connection {
    const early = this.#early;
    this.#early = undefined;
    if (early?.address === address) return early;
    early?.close();
    return new Connection(this.#settings as Settings<unknown>, address);
  }

  #disconnect(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.close();
  }

  /** Reads one connection while it is the current one; what comes later is dropped. */
  async #run(connection: Connection): Promise<void> {
    const current = () => connection === this.#connection;
    try {
      const answer = await connection.answer();
      if (!current()) return;
      if (answer.status !== 200) this.#disconnect();
      this.#give(INPUT.opened, answer);
      while (current()) {
        await this.#room();
        const chunk = current() ? await connection.read() : undefined;
        if (!current()) return;
        if (!chunk) return this.#ended();
        for (let at = 0; at < chunk.length && current(); at += PIECE) {
          if (at > 0) await this.#room();
          if (current()) this.#step((link) => link.feed(chunk.subarray(at, at + PIECE)));
        }
      }
    } catch (error) {
      if (!current()) return;
      if (error instanceof TidemarkError) return this.#fail(error);
      this.#ended(messageOf(error));
    }
  }

  /** Nothing is waited for any more; what is next comes with what this brings about. */
  #ended(error?: string): void {
    this.#sleep();
    this.#disconnect();
    this.#give(INPUT.closed, { error });
  }

  /** Waits while too much is undelivered. The socket is not read meanwhile, so its silence means nothing. */
  async #room(): Promise<void> {
    if (!this.queue.full) return;
    this.#paused = true;
    await this.queue.room();
    this.#paused = false;
    if (!this.#late) return;
    this.#late = false;
    if (!this.#over) this.#wake(clock() + GRACE);
  }

  #wake(at: number): void {
    this.#sleep();
    const delay = Math.min(Math.max(at - clock(), 0), 2 ** 31 - 1);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#paused) this.#late = true;
      else this.#give(INPUT.tick);
    }, delay);
  }

  #sleep(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#late = false;
  }

  async #load({ lane, session, why, refusal }: Order & { kind: "load" }): Promise<void> {
    const link = this.#link;
    const request = { session, why, signal: this.#loads.signal, ...(refusal && { refusal }) };
    let loaded: Loaded<S> | undefined;
    let cause: unknown;
    this.#loading++;
    try {
      loaded = usable(await this.#settings.load!(request));
    } catch (error) {
      cause = error;
    }
    if (link !== this.#link) return;
    this.#loading--;
    this.#step((live) => {
      if (!loaded) return blamed(live.input(INPUT.loadFailed, { lane, error: messageOf(cause) }), cause);
      const drained = live.input(INPUT.loaded, { lane, cursor: loaded.cursor });
      for (const item of drained.items) if (item.kind === "state") item.state = loaded.state;
      return drained;
    });
  }

  #tell(decisions: Decision[]): void {
    const { onDecision } = this.#settings;
    for (const decision of decisions) {
      try {
        void Promise.resolve(onDecision?.(decision)).catch(report);
      } catch (error) {
        report(error);
      }
    }
  }

  /** A stopped instance costs the connection, not the stream: a new link goes on from the copied cursors. */
  #broken(error: unknown): void {
    const stopped = error instanceof TidemarkError && error.id === "stream.module_exited";
    if (!stopped || ++this.#crashes > MAX_CRASHES) return this.#fail(error);
    this.#link = undefined;
    this.#forget();
    if (!this.#over) void this.#begin();
  }

  #fail(error: unknown): void {
    if (this.#over) return;
    this.#release();
    this.queue.finish(error);
  }

  #finish(): void {
    this.#release();
    this.queue.finish();
  }

  /** One for each session that has none yet; one without a name while no name is known. */
  #ends(): EndItem[] {
    const end = (session: string): EndItem => ({ kind: "end", session, cause: "closed" });
    try {
      if (this.#link) return this.#link.input(INPUT.stop).items.filter((item) => item.kind === "end");
    } catch {}
    const stood = this.#stood();
    return stood.length === 0 ? [end("")] : stood.flatMap((session) => (this.#gone.has(session) ? [] : end(session)));
  }

  /** Gives up what belongs to one link: its timer, its connection, its loads. */
  #forget(): void {
    this.#sleep();
    this.#disconnect();
    this.#loads.abort();
    this.#loads = new AbortController();
    this.#loading = 0;
  }

  #release(): void {
    this.#over = true;
    this.#settings.signal?.removeEventListener("abort", this.stop);
    this.#forget();
    this.#early?.close();
    this.#early = undefined;
    const link = this.#link;
    this.#link = undefined;
    link?.close();
  }
}

/** What a load threw is the cause of what its failure brought about. */
function blamed<E>(drained: Drained<E>, cause: unknown): Drained<E> {
  const faults = [...drained.items, ...drained.orders].map((each) => (each.kind === "end" || each.kind === "fail" ? each.fault : undefined));
  for (const fault of faults) if (fault) Object.defineProperty(fault, "cause", { value: cause, configurable: true, writable: true });
  return drained;
}

function usable<S>(loaded: Loaded<S>): Loaded<S> {
  if (typeof loaded?.cursor === "string") return loaded;
  throw new TypeError(`load answered ${loaded === null ? "null" : typeof loaded} in place of { state, cursor }`);
}

/** For what an app's callback throws: seen, and none of the stream's business. */
function report(error: unknown): void {
  if (typeof reportError === "function") reportError(error);
  else console.error(error);
}
