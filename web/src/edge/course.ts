import { invalid } from "../takes.js";
import { tell } from "../watch.js";
import type { Decision } from "../verdicts.js";
import type { Errand, Fetch, Join, PageKind } from "./orders.js";
import type { Passage, Taken } from "./passage.js";

export type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** What the answer needs beside its connection: pages of history, and the connection behind them. */
export interface Beyond {
  /** A page, and how it was come by. */
  fetch(page: Fetch): Promise<{ body: Uint8Array; kind: PageKind }>;
  store(key: string): void;
  evict(key: string): void;
  /** Another connection. One that cannot be had is thrown, and breaks the answer off. */
  join(from: Join): Promise<Reader>;
}

export interface CourseOptions {
  beyond?: Beyond | undefined;
  signal?: AbortSignal | undefined;
  onVerdict?: ((decision: Decision) => unknown) | undefined;
  /** Called once, when nothing more will come of the answer, whose end waits for it. It never rejects. */
  settled?: (() => Promise<void>) | undefined;
}

type Controller = ReadableStreamDefaultController<Uint8Array>;

/** The body of an answer: pulls from the connection as its consumer pulls, and lets go of it when that leaves. */
export class Course {
  readonly #passage: Passage;
  readonly #options: CourseOptions;
  #reader: Reader | undefined;
  #errands: Errand[] = [];
  #over = false;
  #failure: { reason: unknown } | undefined;
  #forget: (() => void) | undefined;
  #settling: Promise<void> | undefined;

  constructor(passage: Passage, reader: Reader, options: CourseOptions) {
    this.#passage = passage;
    this.#reader = reader;
    this.#options = options;
  }

  start(controller: Controller): void {
    const { signal } = this.#options;
    if (!signal) return;
    const abort = () => this.#fail(controller, signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort);
    this.#forget = () => signal.removeEventListener("abort", abort);
  }

  /** Answers at least one chunk, or the end. */
  async pull(controller: Controller): Promise<void> {
    try {
      while (!this.#over && !(await this.#step(controller))) {}
    } catch (reason) {
      this.#fail(controller, reason);
    }
  }

  /** The consumer has left. */
  async cancel(reason?: unknown): Promise<void> {
    this.#finish(reason);
    await this.#settle();
  }

  #fail(controller: Controller, reason: unknown): void {
    if (this.#over) return;
    this.#finish(reason);
    void this.#settle();
    controller.error(reason);
  }

  /** Takes what comes next. True: something of it went out. */
  async #step(controller: Controller): Promise<boolean> {
    if (this.#failure) throw this.#failure.reason;
    const taken = this.#errands.length > 0 ? await this.#run(this.#errands) : this.#input(await this.#next());
    if (!taken || this.#over) return this.#over;
    this.#errands = taken.errands;
    const told = this.#tell(taken, controller);
    if (taken.ends) await this.#end(controller);
    return told;
  }

  /** Bytes of the connection, or its end; undefined: it broke. */
  #next(): Promise<ReadableStreamReadResult<Uint8Array> | undefined> {
    return this.#reader!.read().catch((reason) => void (this.#failure = { reason }));
  }

  #input(read: ReadableStreamReadResult<Uint8Array> | undefined): Taken | undefined {
    if (this.#over) return undefined;
    return read && !read.done ? this.#passage.feed(bytesOf(read.value)) : this.#passage.closed(!read);
  }

  #tell({ out, verdicts }: Taken, controller: Controller): boolean {
    for (const bytes of out) controller.enqueue(bytes);
    const { onVerdict } = this.#options;
    if (onVerdict) for (const verdict of verdicts) tell(onVerdict, JSON.parse(verdict) as Decision);
    return out.length > 0;
  }

  /** A connection that broke off makes the answer break off, once its consumer has what could be passed on. */
  async #end(controller: Controller): Promise<void> {
    await this.#run(this.#errands);
    if (this.#failure || this.#over) return;
    this.#finish();
    await this.#settle();
    controller.close();
  }

  /** Does what was ordered beside the answer. */
  async #run(errands: Errand[]): Promise<Taken | undefined> {
    this.#errands = [];
    let taken: Taken | undefined;
    for (const errand of errands) taken = (await this.#do(errand)) ?? taken;
    return taken;
  }

  #do(errand: Errand): Promise<Taken | undefined> | void {
    const beyond = this.#options.beyond!;
    switch (errand.do) {
      case "store": return beyond.store(errand.key);
      case "evict": return beyond.evict(errand.key);
      case "fetch": return this.#page(errand.page);
      case "join": return this.#join(errand.from);
    }
  }

  /** The connection is not needed any more, once pages take its place. */
  async #page(page: Fetch): Promise<Taken | undefined> {
    this.#leave();
    const { body, kind } = await this.#options.beyond!.fetch(page);
    return this.#over ? undefined : this.#passage.page(body, kind);
  }

  async #join(from: Join): Promise<undefined> {
    this.#leave();
    const reader = await this.#options.beyond!.join(from);
    if (this.#over) void reader.cancel().catch(() => {});
    else this.#reader = reader;
  }

  #finish(reason?: unknown): void {
    this.#over = true;
    this.#forget?.();
    this.#leave(reason);
    this.#passage.close();
  }

  /** A consumer can leave while the end waits: both wait for the same then. */
  #settle(): Promise<void> | undefined {
    return (this.#settling ??= this.#options.settled?.());
  }

  /** What becomes of a connection that nobody reads is nobody's business. */
  #leave(reason?: unknown): void {
    this.#reader?.cancel(reason).catch(() => {});
    this.#reader = undefined;
  }
}

/** What somebody's own fetch has made a body of need not be bytes, and nothing would tell what became of it. */
function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw invalid("upstream", "a body of Uint8Array chunks", chunk);
}
