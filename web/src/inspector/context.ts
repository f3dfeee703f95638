import { TEXT } from "../gen/seam.gen.js";
import { bytesOf, type LogSource, type ReadOptions } from "./bytes.js";
import type { Full } from "./module.js";
import { optionsOf } from "./options.js";
import { reading } from "./reading.js";
import { outcome, type Outcome } from "./results.js";

/** A message of a context. */
export interface Message {
  /** Absent for what a compaction put in the place of messages. */
  id?: string;
  summary: boolean;
  content: unknown;
}

export interface ContextOptions extends ReadOptions {
  /** Reads a body that lies apart: `reference` is what the record says of it, the answer is its JSON text. What it throws is `durable.spill_missing`. */
  spill?: (reference: unknown) => string | Uint8Array | PromiseLike<string | Uint8Array>;
  /** Answer the newest body of this message as well, as `latestUserMessageId` of a checkpoint names one. */
  watch?: string;
  session?: string;
}

export type FoldedContext = Outcome<{
  messages: Message[];
  /** What the operator wants last; only with `watch`. */
  intent?: unknown;
}>;

/**
 * The messages that a turn goes on with, folded from the records up to a seq. What the log is to blame for is a
 * result: damage, a hole or a foreign record before that seq, an end before it, a body that cannot be had.
 */
export async function foldContext(log: LogSource, throughSeq: number, options: ContextOptions = {}): Promise<FoldedContext> {
  const { spill, watch, session, ...read } = optionsOf(options, "spill", "watch", "session", "signal", "onProgress");
  return reading(log, { through: throughSeq, watch, session }, read, async (module, handle) => {
    const listed = outcome(() => ({ references: module.list<unknown[]>(handle, TEXT.spills) }));
    if (!listed.ok) return listed;
    if (spill) for (const [place, reference] of listed.references.entries()) await fetchBody(module, handle, place, reference, spill);
    return outcome(() => ({
      messages: messagesOf(module, handle),
      ...(watch === undefined ? {} : { intent: module.list<unknown>(handle, TEXT.intent) }),
    }));
  });
}

type Spill = NonNullable<ContextOptions["spill"]>;

/** A body that cannot be had is not handed over, and missing then. */
async function fetchBody(module: Full, handle: number, place: number, reference: unknown, spill: Spill): Promise<void> {
  let body: unknown;
  try {
    body = await spill(reference);
  } catch {
    return;
  }
  module.spilled(handle, place, bytesOf(body, "what spill answers"));
}

export function messagesOf(module: Full, handle: number): Message[] {
  return module.list<Message[]>(handle, TEXT.messages);
}
