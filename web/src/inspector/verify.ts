import { ASK } from "../gen/seam.gen.js";
import { bytesOf, type LogSource, type ReadOptions } from "./bytes.js";
import { optionsOf } from "./options.js";
import { reading } from "./reading.js";
import { outcome, type Outcome } from "./results.js";

export interface VerifyOptions extends ReadOptions {
  /** Which checkpoint it has to be; absent: the one that `written` commits, else the one that the document says it is. */
  checkpointId?: string;
  /** The record that commits the document, as a line of the log, for a log that ends before it. Absent: it is looked for in the log. */
  written?: string | Uint8Array;
}

/** A checkpoint that holds. */
export interface Proven {
  checkpointId: string;
  sessionId: string;
  turnId: string;
  iteration: number;
  throughSeq: number;
  throughSha256: string;
  createdAt: number;
  turnCreatedAt: number;
  latestUserMessageId?: string;
}

export type Verification = Outcome<{ checkpoint: Proven }>;

/**
 * Proves a checkpoint document, byte for byte as it was stored, against the log it was taken of. What was altered
 * is told apart by `refused.rule`: `durable.document_altered`, `durable.receipt_altered`, `durable.prefix_altered`,
 * `durable.bad_document`, `durable.unknown_checkpoint`.
 */
export async function verifyCheckpoint(document: string | Uint8Array, log: LogSource, options: VerifyOptions = {}): Promise<Verification> {
  const { checkpointId, written, ...read } = optionsOf(options, "checkpointId", "written", "signal", "onProgress");
  const text = bytesOf(document, "document");
  return reading(
    log, { verify: true, checkpointId }, read,
    (module, handle) => outcome(() => ({ checkpoint: module.ask<Proven>(ASK.verified, { handle }) })),
    { document: text, written },
  );
}
