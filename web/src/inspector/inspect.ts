import { link } from "../errors.js";
import type { ParkState } from "../gen/parks.gen.js";
import { ASK, TEXT } from "../gen/seam.gen.js";
import type { LogSource, ReadOptions } from "./bytes.js";
import { messagesOf, type Message } from "./context.js";
import type { Full } from "./module.js";
import { optionsOf } from "./options.js";
import { reading } from "./reading.js";
import { outcome, type Outcome } from "./results.js";

/** A question to a human and what became of it. Times are milliseconds since 1970; an id that the record does not name is "". */
export interface Park {
  decisionId: string;
  turnId: string;
  checkpointId: string;
  /** Where the request stands, when its record says so. */
  seq?: number;
  generation?: string;
  /** At the time that was asked for. */
  state: ParkState;
  /** As it was recorded. */
  request: unknown;
  /** The type of the request, "" without one that is text. */
  requestType: string;
  parkedAt: number;
  deadlineAt?: number;
  resolvedAt?: number;
  /** Where the record stands that settles it, when that says so. */
  resolvedSeq?: number;
  /** Of one that is settled: whether by the record of an expiry. */
  expired?: boolean;
  decision?: unknown;
  resolvedBy?: unknown;
}

/** A checkpoint that the log commits and has not pruned. Whether its document holds is for `verifyCheckpoint` to say. */
export interface Checkpoint {
  checkpointId: string;
  turnId: string;
  sessionId?: string;
  seq: number;
  generation?: string;
  /** Time of the record; 0 when it has none. */
  at: number;
  /** Digest of the document, 64 hexadecimal digits. */
  sha256: string;
  throughSeq: number;
  throughSha256: string;
}

/** One thing that a log should not have. Names places and what was expected, never payload. */
export interface Finding {
  /** `durable.bad_record` for damage, `stream.gap.…` for seqs that do not follow, a session that is another one, `stream.generation_changed.…` */
  rule: string;
  message: string;
  hint: string;
  href: string;
  /** From 1. */
  line: number;
  /** Byte of the log, from 0. */
  offset: number;
  seq?: number;
  expected: string;
  found: string;
}

export interface InspectOptions extends ReadOptions {
  /** Ask for the chain of SHA-256 over the records. It takes more time than all the rest. */
  digest?: boolean;
  /** Ask for the messages of the context up to this seq; see `foldContext` for bodies that lie apart. */
  contextThrough?: number;
  /** The clock for parks, in milliseconds since 1970; absent: now. */
  now?: number;
  /** Only the parks of this turn. */
  turnId?: string;
  /** Whose log it has to be; absent: that of the first record that says so. */
  session?: string;
  /** What an earlier inspection answered as `state`: the log has to begin at its `bytes`, and all other options be the same. */
  state?: string;
}

/** What a log holds. */
export interface Inspection {
  session?: string;
  records: number;
  lines: number;
  bytes: number;
  firstSeq?: number;
  /** 0 for a log without records. */
  lastSeq: number;
  generation?: string;
  /** Only when it was asked for, and no line was too long to be read. `seq` is how many records are in the chain. */
  digest?: { seq: number; sha256: string };
  /** In the order of their requests, newest last. */
  parks: Park[];
  /** The newest park that is outstanding. */
  pending?: Park;
  /** Past their deadline and not settled, oldest first. */
  expired: Park[];
  checkpoints: Checkpoint[];
  /** Keys of calls that need not be asked about, by turn. */
  grants: Record<string, string[]>;
  /** The first hundred. */
  findings: Finding[];
  findingsTotal: number;
  /** Only when it was asked for. */
  context?: Outcome<{ messages: Message[] }>;
  /** To go on with when the log has grown; absent with a context. */
  state?: string;
}

interface Report extends Omit<Inspection, "parks" | "pending" | "expired" | "grants" | "context" | "state"> {
  pending?: string;
  expired: string[];
}

/**
 * Reads a log once, from its first record to its last, and says what it holds. Damage is no error: it is among the
 * `findings`. Throws `stream.bad_input` and `stream.invalid_options` for what cannot be read at all.
 */
export async function inspect(log: LogSource, options: InspectOptions = {}): Promise<Inspection> {
  const { digest, contextThrough, now, turnId, session, state, ...read } = optionsOf(options, "digest", "contextThrough", "now", "turnId", "session", "state", "signal", "onProgress");
  const opening = { digest, through: contextThrough, turnId, session, state };
  return reading(log, opening, read, (module, handle) => told(module, handle, now ?? Date.now(), contextThrough !== undefined));
}

function told(module: Full, handle: number, now: number, context: boolean): Inspection {
  const { pending, expired, findings, ...report } = module.ask<Report>(ASK.report, { handle, now });
  const parks = module.list<Park[]>(handle, TEXT.parks, now);
  const byId = new Map(parks.map((park) => [park.decisionId, park]));
  const found = pending === undefined ? undefined : byId.get(pending);
  const state = context ? null : module.list<string | null>(handle, TEXT.state);
  return {
    ...report,
    findings: findings.map((finding) => ({ ...finding, href: link(finding.href) })),
    parks,
    ...(found ? { pending: found } : {}),
    expired: expired.flatMap((id) => byId.get(id) ?? []),
    grants: grantsOf(module.list<[string, string][]>(handle, TEXT.grants)),
    ...(context ? { context: outcome(() => ({ messages: messagesOf(module, handle) })) } : {}),
    ...(state ? { state } : {}),
  };
}

function grantsOf(pairs: [string, string][]): Record<string, string[]> {
  const turns = new Map<string, string[]>();
  for (const [turn, key] of pairs) turns.set(turn, [...(turns.get(turn) ?? []), key]);
  return Object.fromEntries(turns);
}
