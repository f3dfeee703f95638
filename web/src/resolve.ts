import type { CursorParts } from "./cursor.js";
import { ask } from "./ask.js";
import type { Profile } from "./profile.js";
import { linked, type Cursor, type Refusal } from "./verdicts.js";
import { given, members } from "./wire.js";
import * as op from "./gen/ops.gen.js";

/** What a consumer asks with: a token, or its parts. Absent members mean absent, not zero. */
export type ResolveCursor =
  | string
  | { sinceSeq?: number | bigint | undefined; generation?: CursorParts["generation"] };

export interface ResolveInput<E> {
  /** The session asked for; else that of the cursor's token, else that of the first event. */
  session?: string | undefined;
  /** Where the consumer left off; absent: from the beginning. */
  cursor?: ResolveCursor | null | undefined;
  /** Where the log stands now. */
  head: { lastSeq: number | bigint; generation?: CursorParts["generation"] };
  /** What the store answered to "everything above the cursor", in its own order. */
  events: readonly E[];
  /** The page ends before the head and another one follows. */
  more?: boolean | undefined;
  /** What the numbers promise, which is what the page is held to; absent: `session`. Its position cannot be `id`. */
  profile?: Profile | undefined;
}

/** What a cursor is owed: all of the page, nothing because it is at the head, or a refusal. */
export type Resolved<E> =
  | { status: "complete"; cursor: Cursor }
  | { status: "replayed"; events: E[]; from: number; cursor: Cursor; more: boolean }
  | { status: "unavailable"; refusal: Refusal };

/**
 * Judges a page against a cursor and a head. The whole page is checked: one hole anywhere in it and
 * nothing of it is owed. A malformed cursor or head is thrown (`stream.invalid_cursor`,
 * `stream.invalid_head`, `stream.foreign_session`), and so is a profile whose position stands in SSE ids, which a page
 * has not (`stream.invalid_options`); a malformed event is a refusal. Needs `await init()`.
 */
export function resolve<E>(input: ResolveInput<E>): Resolved<E> {
  const { session, cursor, head, events, more, profile } = given(input, "input", "session", "cursor", "head", "events", "more", "profile");
  const question = members({ session, cursor: cursor ?? undefined, head, events: events ?? null, more, profile });
  const answer = ask(op.resolve, question) as
    | { status: "complete"; cursor: Cursor }
    | { status: "replayed"; from: number; cursor: Cursor; more: boolean }
    | { status: "unavailable"; refusal: Refusal };
  if (answer.status === "unavailable") return { ...answer, refusal: linked(answer.refusal) };
  if (answer.status === "complete") return answer;
  const { status, from, cursor: next, more: follows } = answer;
  return { status, events: Array.from(events), from, cursor: next, more: follows };
}
