import type { Decision } from "./verdicts.js";

/** What stands first in a line, or says nothing of its own there. */
const LEADS: readonly string[] = ["session", "verdict"];
const PLAIN = /^[\w.:@%~/-]+$/;

/** A decision as one line: whose, what, then what else is known, as name=value. It holds positions, as decisions do. */
export function lineOf(decision: Decision): string {
  const facts = Object.entries(decision).filter(([name]) => !LEADS.includes(name));
  return ["tidemark", word(decision.session || "-"), decision.verdict, ...facts.map(([name, value]) => `${name}=${word(value)}`)].join(" ");
}

/** A server chooses ids and generations: what could be taken for something else, or break the line, is quoted. */
function word(value: unknown): string {
  const text = String(value);
  return PLAIN.test(text) ? text : JSON.stringify(text);
}
