import type { Fault } from "./errors.js";
import { CODES } from "./gen/codes.gen.js";

/**
 * What an answer of `application/problem+json` says, as a fault under the rule that the server names; undefined when it names none.
 * Members that are no text are passed over. What `code` is there is the name of a rule or the reason of a refusal; a code of ours is its `class`. Of a body that does not say whether to ask again, the status does.
 */
export function problemOf(status: number, body: unknown): Fault | undefined {
  const said = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const text = (name: string) => (typeof said[name] === "string" ? said[name] : "");
  const [id, reason, message, hint, href, expected, found] = ["rule", "code", "title", "hint", "type", "expected", "found"].map(text) as Texts;
  if (!id || !reason || !message) return undefined;
  const code = [text("class"), reason].find((word) => CODES.includes(word)) ?? "unknown";
  const retryable = typeof said.retryable === "boolean" ? said.retryable : again(status);
  return { id, code, message, hint, href, retryable, ...(expected && { expected }), ...(found && { found }) };
}

type Texts = [rule: string, code: string, title: string, hint: string, type: string, expected: string, found: string];

/** A server that lacks something (501) will lack it later, too. */
function again(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}
