import { BAD_INPUT, fault, INVALID_OPTIONS, link, TidemarkError, UNAUTHORIZED, type Fault } from "./errors.js";
import { headersFrom, headersOf, type GiveHeaders } from "./headers.js";
import type { Row } from "./inbox-rows.js";
import type { Settings } from "./settings.js";
import { isResponse } from "./response.js";
import { invalid } from "./takes.js";

/** The part of a row that says which question is meant, and as of when: any row will do. */
export type Question = Pick<Row, "session" | "decisionId" | "seq" | "generation">;

/**
 * What became of an answer. `answered`: a decision is recorded, `yours` or one that came before it. `expired`: the expiry was
 * recorded first. `unknown`: nothing was asked under this id. `stale`: the question stands elsewhere by now.
 */
export type Outcome =
  | { outcome: "answered"; yours: boolean; decision: unknown; resolvedBy?: unknown; seq?: number; resolvedAt?: number }
  | { outcome: "expired"; decision?: unknown; resolvedBy?: unknown; seq?: number; resolvedAt?: number }
  | { outcome: "unknown" }
  | { outcome: "stale" };

/** An answer without an outcome. Sending it again is safe: the first answer counts. */
export class AnswerError extends TidemarkError {
  /** Whether it may have been recorded all the same. */
  readonly recorded: "no" | "maybe";

  constructor(fault: Fault, recorded: "no" | "maybe", cause?: unknown) {
    super(fault, cause);
    this.recorded = recorded;
  }
}

/** How answers are sent; what is left out is as the stream has it. */
export interface AnswerOptions {
  /** Where to send the answer of a row. Default: `…/sessions/{id}/decisions/{decisionId}`, beside the address of the stream. */
  answerAt?: ((row: Question) => string | URL) | undefined;
  headers?: HeadersInit | GiveHeaders | undefined;
  fetch?: typeof fetch | undefined;
  credentials?: RequestCredentials | undefined;
}

/** The row of the catalog, in its own words. */
export const ANSWER_FAILED = [
  "durable.answer_failed", "storage_error",
  "Whether the answer was recorded is not confirmed.",
  "Send it again when it is retryable: the first answer counts, so that nothing is decided twice. `recorded` says whether it may have been recorded.",
] as const;

const ROUTE = /\/sessions\/[^/]+\/events\/?$/;

/** Outcomes by the rules that a server names. */
const OUTCOMES: Record<string, Outcome["outcome"]> = {
  "durable.decision_answered": "answered",
  "durable.decision_expired": "expired",
  "durable.unknown_decision": "unknown",
  "durable.stale_decision": "stale",
};

/** Sends answers, and remembers those whose fate is open: what is recorded later may be theirs. */
export class Answers {
  readonly #settings: Settings<unknown>;
  readonly #options: AnswerOptions;
  readonly #open = new Map<string, Set<string>>();

  constructor(settings: Settings<unknown>, options: AnswerOptions) {
    this.#settings = settings;
    this.#options = options;
  }

  async send(row: Question, decision: unknown, signal: AbortSignal | undefined): Promise<Outcome> {
    const text = textOf(decision);
    const key = keyOf(row);
    const { seq, generation } = row;
    const body = `{"decision":${text},"seq":${seq}${generation === undefined ? "" : `,"generation":${JSON.stringify(generation)}`}}`;
    try {
      const outcome = await this.#settled(await this.#post(addressFor(row, this.#options, this.#settings), body, signal));
      if (outcome.outcome === "answered" && !outcome.yours) outcome.yours = this.#open.get(key)?.has(canonical(outcome.decision)) ?? false;
      this.#open.delete(key);
      return outcome;
    } catch (error) {
      if (error instanceof AnswerError && error.recorded === "maybe") this.#open.set(key, (this.#open.get(key) ?? new Set()).add(canonical(JSON.parse(text))));
      throw error;
    }
  }

  /** One request; a second one with other headers when the server does not take those. */
  async #post(address: URL, body: string, signal: AbortSignal | undefined): Promise<Response> {
    const headers = this.#options.headers ?? this.#settings.headers;
    const give = typeof headers === "function" ? headers : headersOf(headers);
    for (let attempt = 1, status: 401 | 403 | undefined; ; attempt++) {
      const sent = new Headers(await headersFrom(give, { url: address.href, attempt, ...(status && { status }) }));
      sent.set("accept", "application/json, application/problem+json");
      sent.set("content-type", "application/json");
      const response = await this.#fetch(address, { method: "POST", headers: sent, body, cache: "no-store", ...(signal && { signal }) });
      if (response.status !== 401 && response.status !== 403) return response;
      void response.body?.cancel();
      if (status !== undefined || typeof headers !== "function") throw refused(response.status);
      status = response.status;
    }
  }

  async #fetch(address: URL, init: RequestInit): Promise<Response> {
    const credentials = this.#options.credentials ?? this.#settings.credentials;
    const ask = this.#options.fetch ?? this.#settings.fetch ?? ((url, init) => fetch(url, init));
    if (init.signal?.aborted) throw failed("no", "a signal that had fired", init.signal.reason);
    let response: unknown;
    try {
      response = await ask(address.href, credentials ? { ...init, credentials } : init);
    } catch (cause) {
      throw failed("maybe", init.signal?.aborted ? "a signal that fired meanwhile" : "a request that failed", cause);
    }
    if (isResponse(response)) return response;
    throw fault(INVALID_OPTIONS, { expected: "fetch: a function that answers a Response", found: typeof response });
  }

  async #settled(response: Response): Promise<Outcome> {
    const { status } = response;
    const sure = status >= 400 && status < 500;
    let said: Said;
    try {
      said = ((await response.json()) ?? {}) as Said;
    } catch (cause) {
      throw failed(sure ? "no" : "maybe", `status ${status}, and nothing that could be read`, cause);
    }
    if (status === 200 && "decision" in said) return { outcome: "answered", yours: true, ...facts(said) };
    const outcome = said.rule !== undefined && Object.hasOwn(OUTCOMES, said.rule) ? OUTCOMES[said.rule] : undefined;
    if (outcome === "answered") return { outcome, yours: false, ...facts(said.first ?? {}) };
    if (outcome === "expired") return { outcome, ...(said.first && facts(said.first)) };
    if (outcome) return { outcome };
    throw told(status, said) ?? failed(sure ? "no" : "maybe", `status ${status}`);
  }
}

/** What a server says: how a question was settled, or a problem. */
interface Said {
  decision?: unknown;
  resolvedBy?: unknown;
  seq?: number;
  resolvedAt?: number;
  first?: Said;
  rule?: string;
  code?: string;
  title?: string;
  hint?: string;
  type?: string;
  expected?: string;
  found?: string;
}

function facts({ decision = null, resolvedBy, seq, resolvedAt }: Said) {
  return { decision, ...(resolvedBy !== undefined && { resolvedBy }), ...(seq !== undefined && { seq }), ...(resolvedAt !== undefined && { resolvedAt }) };
}

/** A problem that the server names: then it knows that nothing was recorded, unless it broke over it. */
function told(status: number, { rule, code, title, hint = "", type = "", expected, found }: Said): AnswerError | undefined {
  if (typeof rule !== "string" || typeof code !== "string" || typeof title !== "string") return undefined;
  const known = status < 500 || rule === "durable.not_the_writer";
  const facts = { ...(expected !== undefined && { expected }), ...(found !== undefined && { found }) };
  return new AnswerError({ id: rule, code, message: title, hint, href: type, retryable: status >= 500 || status === 429, ...facts }, known ? "no" : "maybe");
}

function failed(recorded: "no" | "maybe", found: string, cause?: unknown): AnswerError {
  const [id, code, message, hint] = ANSWER_FAILED;
  return new AnswerError({ id, code, message, hint, href: link("docs/faults.md#durable-answer-failed"), retryable: recorded === "maybe", found }, recorded, cause);
}

function refused(status: number): AnswerError {
  return new AnswerError({ ...fault(UNAUTHORIZED, { found: `status ${status}` }), message: UNAUTHORIZED[2] }, "no");
}

/** One question, as it stood when it was read. */
export function keyOf({ session, decisionId, seq, generation }: Question): string {
  return JSON.stringify([session, decisionId, seq, generation]);
}

function addressFor(row: Question, { answerAt }: AnswerOptions, { url }: Settings<unknown>): URL {
  if (answerAt) return new URL(answerAt({ ...row }), url ?? globalThis.document?.baseURI ?? globalThis.location?.href);
  if (!url || !ROUTE.test(url.pathname)) throw invalid("answerAt", "a function, because the address of the stream is none that has /sessions/{id}/events", answerAt);
  const parts = [row.session, row.decisionId];
  if (parts.some((part) => /^\.{1,2}$/.test(part))) throw fault(BAD_INPUT, { expected: "row: ids that an address can hold", found: "one of nothing but dots" });
  const address = new URL(url);
  const [session, decision] = parts.map(encodeURIComponent);
  address.pathname = url.pathname.replace(ROUTE, () => `/sessions/${session}/decisions/${decision}`);
  address.search = address.hash = "";
  return address;
}

function textOf(decision: unknown): string {
  let text: string | undefined;
  let cause: unknown;
  try {
    text = JSON.stringify(decision);
  } catch (error) {
    cause = error;
  }
  if (text?.startsWith("{")) return text;
  throw fault(BAD_INPUT, { expected: "decision: an object that JSON can hold", found: decision === null ? "null" : typeof decision, cause });
}

/** The same text for values that differ in nothing but the order of their members. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each);
}
