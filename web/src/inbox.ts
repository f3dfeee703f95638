/**
 * The approval inbox: the questions to humans on verified streams, and the answers to them.
 *
 *   const box = inbox(open("/v1/sessions/s1/events"), { onChange: (rows) => show(rows) });
 *   await box.run();
 */
import { Answers, keyOf, type AnswerOptions, type Question } from "./inbox-answer.js";
import { Deadline } from "./inbox-clock.js";
import { Core } from "./inbox-core.js";
import { Follow, type SavedInbox } from "./inbox-follow.js";
import type { Outcome } from "./inbox-outcome.js";
import { doubted, EMPTY, viewOf, without, type InboxSession, type Row, type View } from "./inbox-rows.js";
import type { Item } from "./items.js";
import type { Stream, Within } from "./open.js";
import { invalid, isObject } from "./takes.js";
import { nextTask } from "./task.js";
import { lookers, tell } from "./watch.js";

export type { AnswerOptions, Question } from "./inbox-answer.js";
export { AnswerError, type Outcome } from "./inbox-outcome.js";
export type { SavedInbox } from "./inbox-follow.js";
export type { InboxSession, Row } from "./inbox-rows.js";
export type { RowState, UnknownWhy } from "./gen/parks.gen.js";

export interface InboxOptions<S = unknown> extends AnswerOptions {
  /** Called with all rows when any may have changed, at most once in a task. What it throws is reported. */
  onChange?: ((rows: readonly Row[]) => void) | undefined;
  /** The clock that deadlines are held against, in milliseconds since 1970. Default: `Date.now`. */
  now?: (() => number) | undefined;
  /** Settled rows kept of a session. Default: 100. Rows that wait are never dropped. */
  keep?: number | undefined;
  /** What `save()` had answered, one for each session, where the stream goes on from a cursor. */
  saved?: SavedInbox | readonly SavedInbox[] | undefined;
  /** Takes what `save()` had answered out of a state that the stream brings, where there is one. */
  fold?: ((state: S) => SavedInbox | null | undefined) | undefined;
}

/** An inbox over one stream: the stream's own items, unchanged, and what they say of questions to humans. */
export interface Inbox<E = unknown, S = unknown> extends AsyncIterable<Item<E, S>> {
  /** Reads the stream to its end, for an app that needs none of the items. Rejects as a loop would throw. */
  run(): Promise<void>;
  /** The rows now, oldest question first: the same list until something changes. */
  rows(): readonly Row[];
  sessions(): readonly InboxSession[];
  /** The rows now, and again when any may have changed; who comes late gets the newest. Ends when nothing can change any more. */
  changes(): AsyncIterableIterator<readonly Row[]>;
  /**
   * Answers a question. The first answer that is recorded counts, so that sending one again is always safe. Rejects with an
   * `AnswerError` when there is no outcome; `recorded` says whether the answer may be recorded all the same.
   */
  answer(row: Question, decision: object, options?: { signal?: AbortSignal | undefined }): Promise<Outcome>;
  /**
   * The fold of a session as of the item that was handed over last, to be kept with the state and cursor that are saved there
   * (without a name for the only session). undefined: there is none that could be trusted later.
   */
  save(session?: string): SavedInbox | undefined;
  /** Closes the stream, and ends everything. */
  close(): void;
}

/**
 * Makes an inbox of a stream that `open()` has just answered. The items are taken from the inbox from then on. Rows of a session
 * are known while it is live and was read from the beginning, or from a saved fold; else they are `unknown`.
 */
export function inbox<E = unknown, S = unknown>(stream: Stream<E, S>, options: InboxOptions<S> = {}): Inbox<E, S> {
  const within = (stream as Partial<Within<E, S>> | null | undefined)?.within;
  if (typeof within !== "function") throw invalid("stream", "what open() has answered", stream);
  if (!isObject(options)) throw invalid("options", "an object", options);
  for (const name in options) check(name, options[name as keyof InboxOptions]);
  const [{ queue }, settings] = within();
  if (settings.mode === "observe") throw invalid("mode", '"enforce", because an inbox stands on verdicts', settings.mode);
  const box = new Box(stream, { settings: settings as never, queue: queue as never, state: stream.state }, options as InboxOptions);
  return {
    [Symbol.asyncIterator]: () => box.items() as AsyncIterator<Item<E, S>>,
    run: async () => {
      for (let items = box.items(); !(await items.next()).done; );
    },
    rows: () => box.view().rows,
    sessions: () => box.view().sessions,
    changes: () => box.changes(),
    answer: (row, decision, { signal } = {}) => box.answer(row, decision, signal),
    save: (session) => box.save(session),
    close: () => box.close(),
  };
}

const isFunction = (value: unknown) => typeof value === "function";

const TAKES: Record<keyof InboxOptions, [expected: string, test: (value: unknown) => boolean]> = {
  onChange: ["a function", isFunction],
  now: ["a function", isFunction],
  keep: ["rows from 1 to 1073741824", (v) => Number.isInteger(v) && (v as number) > 0 && (v as number) <= 2 ** 30],
  saved: ["what save() has answered, or a list of such", isObject],
  fold: ["a function", isFunction],
  answerAt: ["a function", isFunction],
  headers: ["an object, a list of pairs, Headers, or a function that answers such", (v) => isObject(v) || isFunction(v)],
  fetch: ["a function like fetch", isFunction],
  credentials: ['"omit" or "same-origin" or "include"', (v) => ["omit", "same-origin", "include"].includes(v as string)],
};

function check(name: string, value: unknown): void {
  if (!Object.hasOwn(TAKES, name)) throw invalid(name, `one of ${Object.keys(TAKES).join(", ")}`, value);
  const [expected, test] = TAKES[name as keyof InboxOptions];
  if (value !== undefined && !test(value)) throw invalid(name, expected, value);
}

/** What is behind the face. */
class Box {
  readonly #stream: Stream;
  readonly #inner: AsyncIterator<Item>;
  readonly #core: Core;
  readonly #follow: Follow;
  readonly #answers: Answers;
  readonly #now: () => number;
  readonly #onChange: ((rows: readonly Row[]) => void) | undefined;
  readonly #deadline: Deadline;
  readonly #settled = new Set<string>();
  #view: View = EMPTY;
  /** What the view was made of. */
  #of = { version: -1, at: 0, alive: false };
  #seen: readonly Row[] = EMPTY.rows;
  #seenSessions: readonly InboxSession[] = EMPTY.sessions;
  #telling = false;
  #over = false;
  #closed = false;
  #readers: (() => void)[] = [];

  constructor(stream: Stream<unknown, never> | Stream, sight: ConstructorParameters<typeof Follow>[1], options: InboxOptions) {
    this.#stream = stream as Stream;
    this.#inner = this.#stream[Symbol.asyncIterator]();
    this.#now = options.now ?? Date.now;
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
    if (this.#of.version !== version || this.#of.alive !== alive || now >= wake || now < this.#of.at) this.#make(now);
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
    this.#settled.add(keyOf(row));
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
    const text = this.#core.rows(now);
    this.#of = { version: this.#core.version, at: now, alive: text !== undefined };
    this.#view = text === undefined ? doubted(this.#view) : without(viewOf(text), (row) => this.#settled.has(keyOf(row)));
    if (this.#settled.size > 0 && text !== undefined) this.#forget();
    this.#deadline.at(this.#view.wake);
  }

  /** What the stream says itself by now need not be remembered. */
  #forget(): void {
    const waiting = new Set(this.#view.rows.filter(({ state, was }) => state === "unknown" && was === "pending").map(keyOf));
    for (const key of this.#settled) if (!waiting.has(key)) this.#settled.delete(key);
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
    if (this.#closed) return;
    const { rows, sessions } = this.view();
    if (rows === this.#seen && sessions === this.#seenSessions) return;
    this.#seen = rows;
    this.#seenSessions = sessions;
    if (this.#onChange) tell(this.#onChange, rows);
    this.#wakeReaders();
  }

  #wakeReaders(): void {
    for (const wake of this.#readers.splice(0)) wake();
  }
}
