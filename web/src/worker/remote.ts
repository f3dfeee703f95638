import type { Engine, Marking } from "../engine.js";
import { fault, MODULE_EXITED, MODULE_LOAD } from "../errors.js";
import type { Item } from "../items.js";
import type { Applied, Marks } from "../marks.js";
import type { Queue } from "../queue.js";
import type { Mark, Place } from "../rows.js";
import type { Settings } from "../settings.js";
import { resettable, Standing } from "../standing.js";
import { over, UNSTARTED, type StreamState } from "../state.js";
import { NOTHING, plus, type Stats } from "../stats.js";
import { listen } from "../surroundings.js";
import { lookers, tell, Watch } from "../watch.js";
import { App } from "./app.js";
import type { FarSettings, Question, Resume, Sent, Told } from "./messages.js";
import { unpack } from "./pack.js";
import { hosted, makerOf, type Loss, type Way } from "./pool.js";
import { Questions } from "./questions.js";

/** Workers in a row that may be lost before an event came through. */
const MAX_LOSSES = 3;

/**
 * The page's half of a stream in a worker. It hands over what comes, answers for the app, and keeps a copy of the cursors,
 * as of the items that have come: a worker that is lost costs what it had not sent, and another one asks for that again.
 */
export class Remote<E, S> implements Engine<E, S>, Marking {
  readonly queue: Queue<Item<E, S>>;
  readonly marks: Marks;
  readonly #settings: Settings<S>;
  readonly #far: FarSettings;
  readonly #standing: Standing;
  readonly #places = new Map<string, Place>();
  readonly #watch: Watch;
  readonly #app: App<S>;
  readonly #questions = new Questions();
  /** Cursors of the app that the worker has not confirmed, by session. */
  readonly #resets = new Map<string, { cursor: string; count: number }>();
  #state: StreamState = UNSTARTED;
  #stats: Stats = NOTHING;
  /** What the workers before had counted. */
  #before: Stats = NOTHING;
  /** What was asked about before the worker was let go of. */
  readonly #final = new Map<string, ReadonlyMap<Applied | undefined, Promise<Mark | undefined>>>();
  #forsaken = false;
  #way: Way | undefined;
  #begun = false;
  /** Lots of items that came out of this worker. */
  #heard = 0;
  #losses = 0;
  #over = false;
  #deaf = () => {};

  constructor(settings: Settings<S>, { queue, marks }: { queue: Queue<Item<E, S>>; marks: Marks }) {
    this.queue = queue;
    this.marks = marks;
    this.#settings = settings;
    this.#standing = new Standing(settings as Settings<unknown>);
    this.#watch = new Watch(settings as Settings<unknown>);
    const { headers } = settings;
    this.#app = new App(settings.load, typeof headers === "function" ? headers : undefined);
    this.#far = this.#away();
    if (settings.signal?.aborted) this.stop();
    else this.#open();
  }

  get state(): StreamState {
    return this.#state;
  }

  stats(): Stats {
    return plus(this.#before, this.#stats);
  }

  readonly stop = (): void => {
    if (!this.#over) {
      const ends = this.#standing.ends();
      this.#release();
      this.queue.drop(({ kind }) => kind !== "end");
      this.queue.put(ends, 0);
      this.queue.finish();
    }
    this.#forsake();
  };

  reset(cursor: string, session?: string): void {
    resettable(cursor, this.#over);
    const meant = this.#standing.lasting(session);
    this.queue.drop((item) => item.session === meant);
    this.marks.reset(meant);
    this.#resets.set(meant, { cursor, count: (this.#resets.get(meant)?.count ?? 0) + 1 });
    if (this.#way) this.#sendReset(meant, cursor);
  }

  mark(session?: string): Mark | undefined | Promise<Mark | undefined> {
    const meant = this.#standing.meant(session);
    if (this.marks.doubtful(meant) || this.#resets.has(meant)) return undefined;
    const applied = this.marks.applied(meant);
    return this.#forsaken ? this.#final.get(meant)?.get(applied) : this.#markAt(meant, applied);
  }

  #markAt(session: string, applied: Applied | undefined): Promise<Mark | undefined> {
    const heard = this.#heard;
    return this.#ask<Mark | undefined>((id) => ({ kind: "mark", id, session, applied: applied && { seq: applied.seq, json: applied.json }, heard }));
  }

  #open(): void {
    this.#settings.signal?.addEventListener("abort", this.stop);
    this.#deaf = listen({ network: () => {}, page: (visible) => this.#tell({ kind: "page", visible }) });
    void this.#begin();
  }

  /** The settings for a worker: what it has to ask for is left out. */
  #away(): FarSettings {
    const { sessions, cursors, proofs, from, mode, proof, profile, maxFrame, maxDepth, load, initial, url, headers, credentials } = this.#settings;
    return {
      sessions, cursors, from, mode, proof, profile, maxFrame, maxDepth, credentials,
      ...(proofs && { proofs }),
      url: url!.href,
      headers: typeof headers === "function" ? "ask" : [...new Headers(headers)],
      load: load !== undefined,
      decisions: this.#watch.decisions,
      initial: initial.map(({ state, cursor }) => ({ state: this.#app.keep(state), cursor })),
    };
  }

  async #begin(): Promise<void> {
    const resume = this.#begun && { initial: [], resume: this.#resume() };
    try {
      const way = await hosted({ ...this.#far, ...resume }, makerOf(this.#settings.worker), this.#lost);
      if (this.#over) return way.leave(); // nobody waits for it any more
      this.#way = way;
      way.port.onmessage = ({ data }: MessageEvent<Sent>) => way === this.#way && this.#hear(data);
      for (const [session, waiting] of this.#resets) {
        waiting.count = 1;
        this.#sendReset(session, waiting.cursor);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /** A worker that is gone costs what it had not sent: another one goes on where the items that came end. */
  readonly #lost = ({ started, silent, message }: Loss): void => {
    this.#way?.port.close(); // in Node an open one keeps the process alive
    this.#way = undefined;
    this.#questions.close(undefined);
    if (this.#over) return;
    this.#app.abandonAll();
    this.#heard = 0;
    this.#before = plus(this.#before, this.#stats);
    this.#stats = NOTHING;
    this.#show({ ...this.#state, connection: "connecting" });
    if (++this.#losses <= MAX_LOSSES && !silent) return void this.#begin();
    this.#fail(fault(started ? MODULE_EXITED : MODULE_LOAD, { found: `a worker that stopped: ${message}` }));
  };

  #hear(sent: Sent): void {
    if (this.#over && sent.kind !== "answer") return;
    switch (sent.kind) {
      case "items":
        return this.#items(sent);
      case "state":
        return this.#became(sent);
      case "decisions":
        return sent.decisions.forEach((decision) => this.#watch.decided(decision));
      case "ask":
        return void this.#answer(sent.id, sent.question);
      case "abandon":
        return this.#app.abandon(sent.id);
      case "answer":
        return this.#questions.answered(sent.id, sent.value);
      case "over":
        return this.#ended(sent);
    }
  }

  #items({ packed, size, moves, stats }: Sent & { kind: "items" }): void {
    const items = unpack<E>(packed).filter(({ session }) => !this.#resets.has(session)) as Item<E, S>[];
    this.#heard++;
    this.queue.held = false; // a lot takes along all that waits
    this.#moved(moves, stats);
    for (const item of items) {
      if (item.kind === "state") item.state = this.#app.claim(item.state as number);
      if (item.kind === "end" && item.fault) this.#app.blame(item.fault);
      if (item.kind === "event") this.#losses = 0;
      this.marks.coming(item);
    }
    this.queue.put(items, size);
    const way = this.#way;
    void this.queue.room().then(() => way === this.#way && this.#tell({ kind: "took" }));
  }

  #moved({ places, gone, starts }: Resume, stats: Stats): void {
    this.#begun = true;
    this.#stats = stats;
    for (const place of places) this.#places.set(place.session, place);
    this.#standing.moved(this.#places);
    for (const session of gone) this.#standing.left(session);
    this.#standing.starts = starts;
  }

  #resume(): Resume {
    const gone = this.#standing.names().filter((session) => this.#standing.gone(session));
    return { places: [...this.#places.values()], gone, starts: this.#standing.starts };
  }

  #became({ state, held, moves, stats }: Sent & { kind: "state" }): void {
    this.#moved(moves, stats);
    this.queue.held = held;
    this.#show({ ...state, sessions: Object.freeze(state.sessions) });
  }

  #show(state: StreamState): void {
    if (state === this.#state) return;
    this.#state = Object.freeze(state);
    lookers.forEach((look) => look());
    if (this.#settings.onState) tell(this.#settings.onState, this.#state);
  }

  async #answer(id: number, question: Question): Promise<void> {
    const way = this.#way;
    const answer = await this.#app.answer(id, question);
    if (answer && way === this.#way) this.#tell({ kind: "answer", id, ...answer });
  }

  #ended({ stats, fault, error }: Sent & { kind: "over" }): void {
    this.#stats = stats;
    if (fault) return this.#fail(this.#app.fault(fault));
    if (error !== undefined) return this.#fail(new Error(error));
    this.#release();
    this.queue.finish();
  }

  #fail(error: unknown): void {
    if (this.#over) return;
    this.#release();
    this.queue.finish(error);
  }

  /** What still comes of the session until the worker has done it is of the cursor before. */
  #sendReset(session: string, cursor: string): void {
    void this.#ask<"done" | undefined>((id) => ({ kind: "reset", id, cursor, session })).then((answer) => {
      if (answer === undefined) return; // lost: the next worker is told
      const waiting = this.#resets.get(session);
      if (waiting && --waiting.count === 0) this.#resets.delete(session);
    });
  }

  #ask<T>(question: (id: number) => Told): Promise<T | undefined> {
    if (!this.#way) return Promise.resolve(undefined);
    return this.#questions.ask<T | undefined>((id) => this.#tell(question(id))).answer;
  }

  #tell(told: Told): void {
    this.#way?.port.postMessage(told);
  }

  #release(): void {
    this.#over = true;
    this.#deaf();
    this.#settings.signal?.removeEventListener("abort", this.stop);
    this.#app.abandonAll();
    this.#show(over(this.#state));
  }

  /** A worker whose stream is over can be asked until the app has taken everything; then only what was asked is heard. */
  #forsake(): void {
    if (this.#forsaken) return;
    this.#forsaken = true;
    const way = this.#way;
    for (const session of this.#standing.names()) {
      this.#final.set(session, new Map(this.marks.ends(session).map((each) => [each, this.#markAt(session, each)])));
    }
    this.#tell({ kind: "stop" });
    void Promise.all([...this.#final.values()].flatMap((marks) => [...marks.values()])).then(() => way?.leave());
  }
}
