import { BAD_HANDLE, fault } from "./errors.js";
import { Answers, type Question } from "./inbox-answer.js";
import { clock } from "./inbox-calls.js";
import { Deadline } from "./inbox-clock.js";
import { Core } from "./inbox-core.js";
import { Follow, type SavedInbox, type Sight } from "./inbox-follow.js";
import type { Outcome } from "./inbox-outcome.js";
import { doubted, EMPTY, type InboxSession, type Row, type View } from "./inbox-rows.js";
import { Settled } from "./inbox-settled.js";
import type { InboxOptions } from "./inbox.js";
import type { Item } from "./items.js";
import type { Stream } from "./open.js";
import { nextTask } from "./task.js";
import { lookers, tell } from "./watch.js";

/** What is behind the face of an inbox: the one place that joins stream, fold, answers and clock. */
export class Box {
  readonly #stream: Stream;
  readonly #inner: AsyncIterator<Item>;
  readonly #core: Core;
  readonly #follow: Follow;
  readonly #answers: Answers;
  readonly #now: () => number;
  readonly #onChange: ((rows: readonly Row[]) => void) | undefined;
  readonly #deadline: Deadline;
  readonly #settled = new Settled();
  #view: View = EMPTY;
  /** What the view was made of. */
  #of = { version: -1, at: 0, alive: false };
  #seen: readonly Row[] = EMPTY.rows;
  #seenSessions: readonly InboxSession[] = EMPTY.sessions;
  #telling = false;
  /** The version of the fold when somebody was to be told last. */
  #moved = 0;
  #taken = false;
  #over = false;
  #closed = false;
  #readers: (() => void)[] = [];

  constructor(stream: Stream<unknown, never> | Stream, sight: Sight, options: InboxOptions) {
    this.#stream = stream as Stream;
    this.#inner = this.#stream[Symbol.asyncIterator]();
    this.#now = clock(options.now ?? Date.now);
    this.#onChange = options.onChange;
    this.#deadline = new Deadline(this.#now, () => this.#changed());
    this.#core = new Core(options.keep, () => this.#changed());
    this.#answers = new Answers(sight.settings, options);
    this.#follow = new Follow(this.#core, sight, [options.saved ?? []].flat() as SavedInbox[], options.fold);
    this.#resets();
    lookers.push(this.#look);
    void this.#core.ready();
  }

  /** Who resets the stream has a session that the fold did not read up to. */
  #resets(): void {
    const { reset } = this.#stream;
    this.#stream.reset = (cursor, session) => {
      reset(cursor, session);
      this.#follow.reset(session, cursor);
    };
  }

  items(): AsyncIterator<Item> {
    if (this.#taken) throw fault(BAD_HANDLE, { expected: "one loop over an inbox", found: "a second one" });
    this.#taken = true;
    const inner = this.#inner;
    const next = async () => {
      try {
        const result = await inner.next();
        await this.#core.ready();
        if (result.done) this.#end();
        else this.#follow.take(result.value);
        return result;
      } catch (error) {
        this.#end();
        throw error;
      }
    };
    const leave = async (way: () => Promise<IteratorResult<Item>>) => {
      try {
        return await way();
      } finally {
        this.#end();
      }
    };
    const left = { done: true, value: undefined } as const;
    return {
      next,
      return: () => leave(async () => (await inner.return?.()) ?? left),
      throw: (error: unknown) => leave(async () => (await inner.throw?.(error)) ?? left),
      [Symbol.asyncIterator]() {
        return this;
      },
    } as AsyncIterator<Item>;
  }

  view(): View {
    if (!this.#closed) this.#follow.look();
    const now = this.#now();
    const { wake = Infinity } = this.#view;
    const { version, alive } = this.#core;
    const still = Number.isNaN(now) ? Number.isNaN(this.#of.at) : now < wake && now >= this.#of.at;
    if (this.#of.version !== version || this.#of.alive !== alive || !still) this.#make(now);
    return this.#view;
  }

  async *changes(): AsyncIterableIterator<readonly Row[]> {
    for (let told: View | undefined; ; ) {
      const view = this.view();
      if (view !== told) yield (told = view).rows;
      else if (this.#closed || (this.#over && view.wake === undefined)) return;
      else await new Promise<void>((resolve) => this.#readers.push(resolve));
    }
  }

  /** After an outcome the question does not wait any more, even before the stream says so. */
  async answer(row: Question, decision: unknown, signal: AbortSignal | undefined): Promise<Outcome> {
    const outcome = await this.#answers.send(row, decision, signal);
    this.#settled.add(row);
    this.#core.version++;
    this.#changed();
    return outcome;
  }

  save(session: string | undefined): SavedInbox | undefined {
    const known = this.view().sessions;
    const name = session ?? (known.length === 1 ? known[0]!.session : undefined);
    const saved = name === undefined ? undefined : this.#core.save(name);
    if (!saved) return undefined;
    const { seq, generation, state } = saved;
    return { session: name!, seq, ...(generation !== undefined && { generation }), fold: state };
  }

  close(): void {
    this.#stream.close();
    this.#end();
    this.#view = doubted(this.view());
    this.#closed = true;
    this.#deadline.off();
    this.#core.close();
    this.#wakeReaders();
  }

  /** Nothing more comes of the stream; deadlines still do. */
  #end(): void {
    if (this.#over || this.#closed) return;
    this.#over = true;
    lookers.splice(lookers.indexOf(this.#look) >>> 0, 1);
    this.#follow.look();
    this.#changed();
  }

  readonly #look = (): void => this.#follow.look();

  #make(now: number): void {
    if (this.#closed) return;
    const view = Number.isNaN(now) ? undefined : this.#core.view(now);
    this.#of = { version: this.#core.version, at: now, alive: this.#core.alive };
    this.#view = view ? this.#settled.without(view) : doubted(this.#view);
    this.#deadline.at(this.#view.wake);
  }

  /** Tells those who want to know, once for all that happens in a task. */
  #changed(): void {
    if (this.#telling || this.#closed) return;
    this.#telling = true;
    void nextTask().then(() => {
      this.#telling = false;
      this.#tell();
    });
  }

  #tell(): void {
    if (this.#closed || (!this.#onChange && this.#readers.length === 0)) return;
    if (this.#early()) return this.#changed();
    const { rows, sessions } = this.view();
    if (rows === this.#seen && sessions === this.#seenSessions) return;
    this.#seen = rows;
    this.#seenSessions = sessions;
    if (this.#onChange) tell(this.#onChange, rows);
    this.#wakeReaders();
  }

  /**
   * While the app takes a long log there is a task for each part of it, and all rows are unknown in all of them. They are made
   * again when there is as much to add as there was, or when nothing was taken for a task.
   */
  #early(): boolean {
    this.#follow.look();
    const moved = this.#core.version - this.#moved;
    this.#moved += moved;
    const { rows, sessions } = this.#view;
    return moved > 0 && this.#moved - this.#of.version < rows.length && !sessions.some(({ known }) => known);
  }

  #wakeReaders(): void {
    for (const wake of this.#readers.splice(0)) wake();
  }
}
