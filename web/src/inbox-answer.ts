import { BAD_INPUT, fault, INVALID_OPTIONS, UNAUTHORIZED } from "./errors.js";
import { headersFrom, headersOf, type GiveHeaders } from "./headers.js";
import { AnswerError, failed, outcomeOf, type Outcome } from "./inbox-outcome.js";
import type { Row } from "./inbox-rows.js";
import type { Settings } from "./settings.js";
import { isResponse } from "./response.js";
import { invalid } from "./takes.js";
import { given } from "./wire.js";

/** The part of a row that says which question is meant, and as of when: any row will do. */
export type Question = Pick<Row, "session" | "decisionId" | "seq" | "generation">;

/** How answers are sent; what is left out is as the stream has it. */
export interface AnswerOptions {
  /** Where to send the answer of a row. Default: `…/sessions/{id}/decisions/{decisionId}`, beside the address of the stream. */
  answerAt?: ((row: Question) => string | URL) | undefined;
  /** Headers of each answer; as a function it is called for each, and once more when the server refuses those with 401 or 403. */
  headers?: HeadersInit | GiveHeaders | undefined;
  fetch?: typeof fetch | undefined;
  credentials?: RequestCredentials | undefined;
}

const ROUTE = /\/sessions\/[^/]+\/events\/?$/;

/** Sends answers, and remembers those whose fate is open: what is recorded later may be theirs. */
export class Answers {
  readonly #settings: Settings<unknown>;
  readonly #options: AnswerOptions;
  readonly #open = new Map<string, Set<string>>();

  constructor(settings: Settings<unknown>, options: AnswerOptions) {
    this.#settings = settings;
    this.#options = options;
  }

  async send(named: Question, decision: unknown, signal: AbortSignal | undefined): Promise<Outcome> {
    const text = textOf(decision);
    const row = questionOf(named);
    const key = keyOf(row);
    const { seq, generation } = row;
    const body = `{"decision":${text},"seq":${seq}${generation === undefined ? "" : `,"generation":${JSON.stringify(generation)}`}}`;
    try {
      const outcome = await outcomeOf(await this.#post(addressFor(row, this.#options, this.#settings), body, signal));
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
      const response = await this.#fetch(address, { method: "POST", headers: sent, body, cache: "no-store", redirect: "manual", ...(signal && { signal }) });
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
}

function refused(status: number): AnswerError {
  return new AnswerError({ ...fault(UNAUTHORIZED, { found: `status ${status}` }), message: UNAUTHORIZED[2] }, "no");
}

/** One question, as it stood when it was read. */
export function keyOf({ session, decisionId, seq, generation }: Question): string {
  return JSON.stringify([session, decisionId, seq, generation]);
}

/** What is no row is refused here: a server would look for its question in vain. */
function questionOf(row: Question): Question {
  const question = given(row, "row", "session", "decisionId", "seq", "generation");
  const { session, decisionId, seq, generation } = question as Record<keyof Question, unknown>;
  if ([session, decisionId, generation ?? ""].every((text) => typeof text === "string") && Number.isSafeInteger(seq)) return question;
  throw fault(BAD_INPUT, { expected: "row: one of rows(), or its session, decisionId, seq and generation", found: "something else" });
}

function addressFor(row: Question, { answerAt }: AnswerOptions, { url }: Settings<unknown>): URL {
  if (answerAt) return absolute(answerAt({ ...row }), url ?? globalThis.document?.baseURI ?? globalThis.location?.href);
  if (!url || !ROUTE.test(url.pathname)) throw invalid("answerAt", "a function, because the address of the stream is none that has /sessions/{id}/events", answerAt);
  const parts = [row.session, row.decisionId];
  if (parts.some((part) => /^\.{1,2}$/.test(part))) throw fault(BAD_INPUT, { expected: "row: ids that an address can hold", found: "one of nothing but dots" });
  const address = new URL(url);
  const [session, decision] = parts.map(encodeURIComponent);
  address.pathname = url.pathname.replace(ROUTE, () => `/sessions/${session}/decisions/${decision}`);
  address.search = address.hash = "";
  return address;
}

function absolute(address: string | URL, base: string | URL | undefined): URL {
  try {
    return new URL(address, base);
  } catch {
    throw invalid("answerAt", "a function that answers an address", address);
  }
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
