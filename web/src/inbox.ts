/**
 * The approval inbox: the questions to humans on verified streams, and the answers to them.
 *
 *   const box = inbox(open("/v1/sessions/s1/events"), { onChange: (rows) => show(rows) });
 *   await box.run();
 */
import { LIMIT } from "./gen/seam.gen.js";
import type { AnswerOptions, Question } from "./inbox-answer.js";
import { Box } from "./inbox-box.js";
import type { SavedInbox } from "./inbox-follow.js";
import type { Outcome } from "./inbox-outcome.js";
import type { InboxSession, Row } from "./inbox-rows.js";
import type { Item } from "./items.js";
import type { Stream, Within } from "./open.js";
import { invalid, isObject } from "./takes.js";
import { given } from "./wire.js";

export type { AnswerOptions, Question } from "./inbox-answer.js";
export { AnswerError, type Outcome } from "./inbox-outcome.js";
export type { SavedInbox } from "./inbox-follow.js";
export type { InboxSession, Row } from "./inbox-rows.js";
export type { RowState, UnknownWhy } from "./gen/parks.gen.js";

export interface InboxOptions<S = unknown> extends AnswerOptions {
  /** Called with all rows when any may have changed, at most once in a task. What it throws is reported. */
  onChange?: ((rows: readonly Row[]) => void) | undefined;
  /** The clock that deadlines are held against, in milliseconds since 1970. Default: `Date.now`. While it has no time, nothing is known. */
  now?: (() => number) | undefined;
  /** Settled rows kept of a session. Default: 100. Rows that wait are never dropped. */
  keep?: number | undefined;
  /** What `save()` had answered, one for each session, where the stream goes on from a cursor. */
  saved?: SavedInbox | readonly SavedInbox[] | undefined;
  /** Takes what `save()` had answered out of a state that the stream brings, where there is one. What is not of that session is none. */
  fold?: ((state: S) => SavedInbox | null | undefined) | undefined;
}

/** An inbox over one stream: the stream's own items, unchanged and taken once, and what they say of questions to humans. */
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
   * `AnswerError` when there is no outcome; `recorded` says whether the answer may be recorded all the same. What is no row, or no
   * decision that JSON can hold, is `stream.bad_input`, and nothing is sent.
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
      for (const items = box.items(); !(await items.next()).done; );
    },
    rows: () => box.view().rows,
    sessions: () => box.view().sessions,
    changes: () => box.changes(),
    answer: async (row, decision, options = {}) => box.answer(row, decision, signalOf(options)),
    save: (session) => box.save(session),
    close: () => box.close(),
  };
}

const isFunction = (value: unknown) => typeof value === "function";

const TAKES: Record<keyof InboxOptions, [expected: string, test: (value: unknown) => boolean]> = {
  onChange: ["a function", isFunction],
  now: ["a function", isFunction],
  keep: [`rows from 1 to ${LIMIT}`, (v) => Number.isInteger(v) && (v as number) > 0 && (v as number) <= LIMIT],
  saved: ["what save() has answered, or a list of such", (v) => [v].flat().every(isObject)],
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

function signalOf(options: { signal?: AbortSignal | undefined }): AbortSignal | undefined {
  const { signal } = given(options, "options", "signal");
  if (signal === undefined || typeof signal?.aborted === "boolean") return signal;
  throw invalid("signal", "an AbortSignal", signal);
}
