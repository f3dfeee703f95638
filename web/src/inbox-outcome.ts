import { jsonOf } from "./body.js";
import { link, TidemarkError, type Fault } from "./errors.js";
import { problemOf } from "./problem.js";
import { isObject } from "./takes.js";

/**
 * What became of an answer. `answered`: a decision is recorded, `yours` or one that came before it; `yours`
 * is also one that was sent by the same inbox before, was not confirmed, and says the same. `expired`: the expiry was
 * recorded first. `unknown`: nothing was asked under this id. `stale`: the question stands elsewhere by now. `seq` is that of the
 * record that settles the question, `resolvedAt` is in milliseconds since 1970; a server that does not say them leaves them out.
 */
export type Outcome =
  | { outcome: "answered"; yours: boolean; decision: unknown; resolvedBy?: unknown; seq?: number; resolvedAt?: number }
  | { outcome: "expired"; decision?: unknown; resolvedBy?: unknown; seq?: number; resolvedAt?: number }
  | { outcome: "unknown" }
  | { outcome: "stale" };

/** An answer without an outcome. Sending it again is safe: the first answer counts. */
export class AnswerError extends TidemarkError {
  override readonly name = "AnswerError";
  /** Whether it may have been recorded all the same. */
  readonly recorded: "no" | "maybe";

  constructor(fault: Fault, recorded: "no" | "maybe", cause?: unknown) {
    super(fault, cause);
    this.recorded = recorded;
  }
}

/** The row of the catalog, in its own words. */
export const ANSWER_FAILED = [
  "durable.answer_failed", "storage_error",
  "Whether the answer was recorded is not confirmed.",
  "Send it again when it is retryable: the first answer counts, so that nothing is decided twice. `recorded` says whether it may have been recorded.",
] as const;

export function failed(recorded: "no" | "maybe", found: string, cause?: unknown, retryable = recorded === "maybe"): AnswerError {
  const [id, code, message, hint] = ANSWER_FAILED;
  return new AnswerError({ id, code, message, hint, href: link("docs/faults.md#durable-answer-failed"), retryable, found }, recorded, cause);
}

/** Outcomes by the rules that a server names. */
const OUTCOMES: Record<string, Outcome["outcome"]> = {
  "durable.decision_answered": "answered",
  "durable.decision_expired": "expired",
  "durable.unknown_decision": "unknown",
  "durable.stale_decision": "stale",
};

/** Bytes of an answer. More than that are no outcome. */
const MOST = 1 << 20;

/** What a server has answered. Throws an `AnswerError` when that is no outcome. */
export async function outcomeOf(response: Response): Promise<Outcome> {
  const { status, type } = response;
  if (type === "opaqueredirect" || (status >= 300 && status < 400)) throw redirected(response);
  const unheard = status >= 400 && status < 500 ? "no" : "maybe";
  let said: unknown;
  try {
    said = await jsonOf(response, MOST);
  } catch (cause) {
    throw failed(unheard, `status ${status}, and nothing that could be read`, cause);
  }
  const { rule, first, ...rest } = membersOf(said);
  if (status === 200 && "decision" in rest) return { outcome: "answered", yours: true, ...settlement(rest) };
  const outcome = typeof rule === "string" && Object.hasOwn(OUTCOMES, rule) ? OUTCOMES[rule] : undefined;
  if (outcome === "answered") return { outcome, yours: false, ...settlement(membersOf(first)) };
  if (outcome === "expired") return { outcome, ...(first !== undefined && settlement(membersOf(first))) };
  if (outcome) return { outcome };
  throw told(status, said) ?? failed(unheard, `status ${status}`);
}

/** A browser that followed would ask elsewhere, often with GET and without the answer. */
function redirected({ body }: Response): AnswerError {
  body?.cancel().catch(() => {});
  return failed("maybe", "a redirect, which an answer does not follow: `answerAt` has to name the address itself", undefined, false);
}

function membersOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? { ...value } : {};
}

/** How a question was settled. */
function settlement({ decision = null, resolvedBy, seq, resolvedAt }: Record<string, unknown>) {
  return {
    decision,
    ...(resolvedBy !== undefined && { resolvedBy }), ...(typeof seq === "number" && { seq }), ...(typeof resolvedAt === "number" && { resolvedAt }),
  };
}

/** Rules of a server that does not write the log. */
const NOT_WRITTEN = ["durable.not_the_writer", "durable.read_only"];

/** A problem that the server names: then it knows that nothing was recorded, unless it broke over it. */
function told(status: number, said: unknown): AnswerError | undefined {
  const problem = problemOf(status, said);
  return problem && new AnswerError(problem, status < 500 || NOT_WRITTEN.includes(problem.id) ? "no" : "maybe");
}
