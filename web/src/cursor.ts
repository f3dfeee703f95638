import { ask } from "./ask.js";
import type { Profile } from "./profile.js";
import type { Cursor } from "./verdicts.js";
import { given, members } from "./wire.js";
import * as op from "./gen/ops.gen.js";

/** Reads a token. Throws `stream.invalid_cursor`; needs `await init()`. */
export function parseCursor(token: string, options: { profile?: Profile } = {}): Cursor {
  const { profile } = given(options, "options", "profile");
  return ask(op.parseCursor, members({ token, profile })) as Cursor;
}

/** A cursor in parts. Generation as digits or text; a number beyond 2^53-1 has to be text or bigint. */
export interface CursorParts {
  session: string;
  seq: number | bigint;
  generation?: string | number | bigint | undefined;
}

/** Writes a token; "" where the cursor has none (base 0, nothing received). Throws `stream.invalid_cursor`; needs `await init()`. */
export function formatCursor(parts: CursorParts, options: { profile?: Profile } = {}): string {
  const { session, seq, generation } = given(parts, "parts", "session", "seq", "generation");
  const { profile } = given(options, "options", "profile");
  return (ask(op.formatCursor, members({ session, seq, generation, profile })) as Cursor).token ?? "";
}
