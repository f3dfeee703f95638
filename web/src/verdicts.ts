import { link } from "./errors.js";
import type { Broken, Owed, Reason, Strength, Verdict } from "./gen/words.gen.js";

export type { Reason, Strength, Verdict };

/** The facts behind a refusal, on the wire's numbering. Only those that are known are there. */
export interface Evidence {
  expectedSeq?: number;
  receivedSeq?: number;
  savedSeq?: number;
  savedGeneration?: string;
  observedGeneration?: string;
  lastSeq?: number;
  oldestSeq?: number;
  /** Index of the offending event in its page. */
  index?: number;
  /** HTTP status that refused. */
  status?: number;
  /** Why the event is malformed. */
  problem?: string;
  /** At which byte of the event that was seen. */
  offset?: number;
}

/** Nothing is handed over: what came does not continue what came before. Positions only, never payload. */
export interface Refusal {
  session: string;
  reason: Reason;
  /** Narrows the reason for logs and people. */
  detail?: string;
  evidence: Evidence;
  /** Rule of the catalog, `stream.…`. */
  rule: string;
  message: string;
  hint: string;
  href: string;
  strength: Strength;
}

/**
 * One verdict with its positions, never payload: of an event, of the head that a connection began with
 * (`complete`, `replayed`), or a refusal (`unavailable`). A saved snapshot that was found and not used is `discarded`; `problem`
 * says why. Or, with session "", the connection is `broken`: `rule` says why, and it is made again after `wait` milliseconds.
 */
export interface Decision {
  session: string;
  verdict: Verdict | Owed | Broken | "discarded";
  /** What it is, or in observe mode would be, refused for. */
  reason?: Reason;
  detail?: string;
  rule?: string;
  /** Why the event is malformed; of a connection "cut inside a frame" when it stopped there. */
  problem?: string;
  /** At which byte of the event the problem was seen. */
  offset?: number;
  seq?: number;
  expectedSeq?: number;
  generation?: string;
  savedGeneration?: string;
  /** The duplicate is the event that the cursor stands on: asked for once more, and the same. */
  proven?: true;
  /** Token of the cursor after this decision. */
  cursor?: string;
  /** Milliseconds until a broken connection is made again. */
  wait?: number;
}

/**
 * A cursor taken apart. `token` is its text form, which is what to keep and to send. With base 0 a cursor
 * before the first event has neither seq nor token; without a session it has no token.
 */
export interface Cursor {
  session: string;
  seq?: number;
  generation?: string;
  token?: string;
}

/** A refusal whose page has an address. */
export function linked(refusal: Refusal): Refusal {
  return { ...refusal, href: link(refusal.href) };
}
