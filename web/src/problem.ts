import type { Fault } from "./errors.js";

/**
 * What an answer of `application/problem+json` says, as a fault under the rule that the server names; undefined when it names none.
 * Members that are no text are passed over. Whether to ask again follows from the status, since the body does not say.
 */
export function problemOf(status: number, body: unknown): Fault | undefined {
  const said = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const text = (name: string) => (typeof said[name] === "string" ? said[name] : "");
  const [id, code, message, hint, href, expected, found] = ["rule", "code", "title", "hint", "type", "expected", "found"].map(text) as Texts;
  if (!id || !code || !message) return undefined;
  return { id, code, message, hint, href, retryable: again(status), ...(expected && { expected }), ...(found && { found }) };
}

type Texts = [rule: string, code: string, title: string, hint: string, type: string, expected: string, found: string];

/** A server that lacks something (501) will lack it later, too. */
function again(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}
