import { Alarm } from "./alarm.js";
import { messageOf, TidemarkError } from "./errors.js";
import type { EndItem, Item } from "./items.js";
import { Line } from "./line.js";
import * as INPUT from "./gen/inputs.gen.js";
import { Link } from "./link.js";
import { links } from "./links.js";
import { Marks, type Applied } from "./marks.js";
import { Queue } from "./queue.js";
import { firstStarts } from "./request.js";
import { sessionIn } from "./route.js";
import type { Drained, Mark, Order } from "./rows.js";
import type { Loaded, Settings } from "./settings.js";
import { resettable, Standing } from "./standing.js";
import type { StreamState } from "./state.js";
import { Counters, type Stats } from "./stats.js";
import { hidden, listen, offline } from "./surroundings.js";
import { Watch } from "./watch.js";

/** Instances in a row that may stop before an event came through. */
const MAX_CRASHES = 3;

/** What a driver works with, where it is not its own. */
export interface Parts<E, S> {
  queue: Queue<Item<E, S>>;
  marks: Marks;
  standing?: Standing;
}

type Use<E> = (link: Link<E>) => Drained<E>;

/**
 * Performs what a link orders: one input in, all orders out, until nothing is left that could happen.
 * It decides nothing about positions; it keeps a copy of the cursors only to hand them to a new link.
 */
export class Driver<E, S> {
  readonly queue: Queue<Item<E, S>>;
  readonly marks: Marks;
  readonly #settings: Settings<S>;
  readonly #standing: Standing;
  readonly #watch: Watch;
  readonly #counters = new Counters();
  readonly #line: Line;
  readonly #alarm = new Alarm(() => this.#give(INPUT.tick));
  #inputs: { link: Link<E>; use: Use<E> }[] = [];
  #link: Link<E> | undefined;
  /** Loads under way, by session. */
  readonly #loads = new Map<string, AbortController>();
  #initial: readonly Loaded<S>[];
  /** What the app has put in place of a cursor and no link has yet, by session. */
  readonly #resets = new Map<string, () => void>();
  #deaf = () => {};
  readonly #final = new Map<string, ReadonlyMap<Applied | undefined, Mark | undefined>>();
  #crashes = 0;
  #over = false;

  /** The request starts here, and the module loads beside it. */
  constructor(settings: Settings<S>, { queue, marks, standing = new Standing(settings) }: Parts<E, S> = { queue: new Queue(), marks: new Marks() }) {
    this.queue = queue;
    this.marks = marks;
    this.#settings = settings;
    this.#standing = standing;
    this.#watch = new Watch(settings);
    this.#line = new Line(settings, {
      opened: (answer) => this.#give(INPUT.opened, answer),
      bytes: (piece) => this.#step((link) => link.feed(piece)),
      closed: (error) => this.#give(INPUT.closed, { error }),
      failed: (error) => this.#fail(error),
      room: async () => (this.queue.full ? this.#alarm.hold(this.queue.room()) : undefined),
    });
    this.#initial = settings.initial;
    if (settings.signal?.aborted) this.stop();
    else this.#open();
  }

  get state(): StreamState {
    return this.#watch.state;
  }

  /** Ends everything at once. What was not taken yet is dropped; one `end` for each session comes instead. */
  readonly stop = (): void => {
    if (!this.#over) {
      const ends = this.#ends();
      this.#release();
      this.queue.drop(({ kind }) => kind !== "end");
      this.queue.put(ends, 0);
      this.queue.finish();
    }
    this.#forsake();
  };

  /** The app puts a cursor in the place of the one it had. What was not handed over yet of that session is dropped. */
  reset(cursor: string, session?: string): void {
    resettable(cursor, this.#over);
    if (!this.#link && this.#crashes === 0) return void this.#resets.set(session ?? "", () => this.reset(cursor, session));
    const meant = this.#standing.lasting(session);
    this.queue.drop((item) => item.session === meant);
    this.marks.reset(meant);
    const put = () => {
      this.#resets.set(meant, put);
      this.#unload(meant);
      this.#step((link) => {
        const drained = link.input(INPUT.reset, { lane: link.lane(meant), cursor });
        if (this.#resets.get(meant) === put) this.#resets.delete(meant);
        return drained;
      });
    };
    put();
  }

  /**
   * The cursor that belongs to a state with everything in it that the app took in of a session. undefined while nothing
   * certain can be said: a new state is on its way to the app, the module that knew has stopped, or the stream was closed
   * while events were on theirs.
   */
  mark(session?: string): Mark | undefined {
    const meant = this.#standing.meant(session);
    if (this.marks.doubtful(meant) || this.#resets.has(meant)) return undefined;
    const applied = this.marks.applied(meant);
    return this.#link ? this.#markAt(meant, applied) : this.#final.get(meant)?.get(applied);
  }

  /** What the page is like; for a driver that has none around it, somebody else says so. */
  page(visible: boolean): void {
    this.#give(visible ? INPUT.visible : INPUT.hidden);
  }

  stats(): Stats {
    this.#count();
    return this.#counters.stats(this.#line);
  }

  #open(): void {
    const { signal } = this.#settings;
    signal?.addEventListener("abort", this.stop);
    this.#deaf = listen({
      network: (online) => this.#give(online ? INPUT.online : INPUT.offline),
      page: (visible) => this.page(visible),
    });
    const starts = offline() ? undefined : firstStarts(this.#settings);
    if (starts) this.#line.early(starts);
    void this.#begin();
  }

  async #begin(): Promise<void> {
    try {
      const module = await links.ready();
      if (this.#over) return;
      const kept = this.#crashes > 0 ? this.#standing.again() : this.#standing.first();
      if (kept.sessions?.length === 0) return this.#finish();
      const wishes = { states: true, decisions: this.#watch.decisions, credentials: this.#settings.renew !== undefined };
      this.#link = new Link<E>(module, JSON.stringify({ ...kept, ...wishes }), kept.sessions);
      this.#start();
    } catch (error) {
      this.#broken(error);
    }
  }

  #start(): void {
    const states: Item<E, S>[] = this.#initial.map(({ state, cursor }) => ({ kind: "state", why: "first", session: sessionIn(cursor), state, cursor }));
    this.#initial = [];
    this.#put(states, 0);
    if (offline()) this.#give(INPUT.offline);
    if (hidden()) this.#give(INPUT.hidden);
    this.#give(INPUT.start);
    for (const [session, reset] of [...this.#resets]) if (this.#resets.delete(session) && !this.#over) reset();
  }

  #give(kind: number, argument?: object): void {
    this.#step((link) => link.input(kind, argument));
  }

  /** One input after the other: one that comes from a callback waits until the one before is performed. */
  #step(use: Use<E>): void {
    if (!this.#link || this.#over) return;
    this.#inputs.push({ link: this.#link, use });
    if (this.#inputs.length > 1) return;
    for (let input; (input = this.#inputs[0]); this.#inputs.shift()) if (input.link === this.#link) this.#perform(input.link, input.use);
  }

  /** Feed one input, drain everything, then perform. */
  #perform(link: Link<E>, use: Use<E>): void {
    let drained: Drained<E>;
    try {
      drained = use(link);
    } catch (error) {
      return this.#broken(error);
    }
    this.#standing.moved(drained.places);
    if (drained.moved) this.#crashes = this.#line.attempts = 0;
    if (!this.#over) this.#put(drained.items as Item<E, S>[], drained.size);
    for (const decision of drained.decisions) this.#watch.decided(decision); // before what it brings about
    for (const order of drained.orders) if (!this.#over) this.#obey(order);
    for (const change of drained.changes) if (!this.#over) this.#watch.changed(change);
    if (!this.#over && this.state.connection === "closed") this.#finish();
  }

  #put(items: Item<E, S>[], size: number): void {
    for (const item of items) {
      this.#counters.item(item);
      this.marks.coming(item);
      if (item.kind === "end" || (item.kind === "refused" && !this.#settings.load)) this.#standing.left(item.session);
    }
    this.queue.put(items, size);
  }

  #obey(order: Order): void {
    switch (order.kind) {
      case "connect":
        this.#standing.starts = order.cursors;
        return this.#line.connect(order.cursors);
      case "wake":
        return this.#alarm.at(order.at);
      case "load":
        return void this.#load(order);
      case "credentials":
        return void this.#renew(order.status);
      case "close":
        this.#alarm.off();
        return this.#line.close();
      case "fail":
        return this.#fail(order.fault);
    }
  }

  /** A load of a session takes the place of the one before, whose answer is nobody's then. */
  #load({ lane, session, why, refusal }: Order & { kind: "load" }): void {
    const load = this.#unload(session, new AbortController())!;
    const request = { session, why, signal: load.signal, ...(refusal && { refusal }) };
    void this.#ask(async () => usable(await this.#settings.load!(request)), ({ value: loaded, error }) => {
      if (this.#loads.get(session) === load) this.#step((link) => settled(link, lane, loaded, error));
    });
  }

  #unload(session: string, next?: AbortController): AbortController | undefined {
    this.#loads.get(session)?.abort();
    if (next) this.#loads.set(session, next);
    else this.#loads.delete(session);
    return next;
  }

  /** What the app throws here is a fault already, and its own error the cause. */
  #renew(status: 401 | 403): void {
    const { starts } = this.#standing;
    void this.#ask(async () => this.#settings.renew!(starts, this.#line.attempts + 1, status), ({ error }) =>
      error ? this.#fail(error) : this.#give(INPUT.credentials));
  }

  /** Asks the app for something. An answer for a link that is gone is nobody's. */
  async #ask<T>(question: () => Promise<T>, answered: (answer: { value?: T; error?: unknown }) => void): Promise<void> {
    const link = this.#link;
    const answer = await question().then((value) => ({ value }), (error: unknown) => ({ error }));
    if (link === this.#link) answered(answer);
  }

  #markAt(session: string, applied: Applied | undefined): Mark | undefined {
    const lane = this.#link?.lane(session) ?? -1;
    if (lane < 0) return undefined;
    const mark = this.#query((link) => link.input(INPUT.applied, { lane, seq: applied?.seq, event: applied?.json }))?.mark;
    return mark?.cursor ? mark : undefined;
  }

  /** A question to the core that changes nothing. */
  #query(question: Use<E>): Drained<E> | undefined {
    try {
      return this.#link && question(this.#link);
    } catch (error) {
      this.#broken(error);
      return undefined;
    }
  }

  #count(): void {
    const counts = this.#query((link) => link.input(INPUT.counts))?.counts;
    if (counts) this.#counters.core(counts);
  }

  /** A stopped instance costs the connection, not the stream: a new link goes on from the copied cursors. */
  #broken(error: unknown): void {
    const stopped = error instanceof TidemarkError && error.id === "stream.module_exited";
    if (!stopped || ++this.#crashes > MAX_CRASHES) return this.#fail(error);
    this.#link = undefined;
    this.#counters.restarted();
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

  /** What a link says that still can, and what is known without one. */
  #ends(): EndItem[] {
    try {
      if (this.#link) return this.#link.input(INPUT.stop).items.filter((item) => item.kind === "end");
    } catch {}
    return this.#standing.ends();
  }

  /** Gives up what belongs to one link: its timer, its connection, what it had asked the app. */
  #forget(): void {
    this.#alarm.off();
    this.#line.close();
    for (const session of this.#loads.keys()) this.#unload(session);
  }

  #release(): void {
    this.#over = true;
    this.#deaf();
    this.#settings.signal?.removeEventListener("abort", this.stop);
    this.#forget();
    this.#line.leave();
    this.#watch.over();
  }

  /** A link that is over can be asked until the app has taken everything; then only where it may have come to is kept. */
  #forsake(): void {
    const link = this.#link;
    if (!link) return;
    this.#count();
    for (const session of this.#standing.names()) {
      this.#final.set(session, new Map(this.marks.ends(session).map((each) => [each, this.#markAt(session, each)])));
    }
    this.#link = undefined;
    link.close();
  }
}

/** Hands a link what a load answered, and the app's state on with the item that it becomes. */
function settled<E, S>(link: Link<E>, lane: number, loaded: Loaded<S> | undefined, error: unknown): Drained<E> {
  if (!loaded) return blamed(link.input(INPUT.loadFailed, { lane, error: messageOf(error) }), error);
  const drained = link.input(INPUT.loaded, { lane, cursor: loaded.cursor });
  for (const item of drained.items) if (item.kind === "state") item.state = loaded.state;
  return drained;
}

/** What a load threw is the cause of what its failure brought about. */
function blamed<E>(drained: Drained<E>, cause: unknown): Drained<E> {
  const faults = [...drained.items, ...drained.orders].map((each) => (each.kind === "end" || each.kind === "fail" ? each.fault : undefined));
  for (const fault of faults) if (fault) Object.defineProperty(fault, "cause", { value: cause, configurable: true, writable: true });
  return drained;
}

/** What `load` answered, if it is what it should be. */
export function usable<S>(loaded: Loaded<S>): Loaded<S> {
  if (typeof loaded?.cursor === "string") return loaded;
  throw new TypeError(`load answered ${loaded === null ? "null" : typeof loaded} in place of { state, cursor }`);
}
