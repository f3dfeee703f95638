import { BAD_INPUT, fault } from "../errors.js";
import { ASK } from "../gen/seam.gen.js";
import { wire } from "../wire.js";
import { bytesOf } from "./bytes.js";
import { full } from "./module.js";
import { outcome, type Outcome } from "./results.js";

/** What a human answered. Members that do not belong to the action are in the text alone. */
export interface Decision {
  action: string;
  /** Whether this version knows the action. One that it does not know is never an approval. */
  known: boolean;
  approves: boolean;
  feedback?: string;
  reason?: string;
  remember?: string[];
  modifications?: unknown[];
}

interface RawDecision extends Omit<Decision, "modifications"> {
  modifications?: string[];
}

/** Reads an answer, as JSON text or as a value. What is none is refused with `durable.bad_decision`. */
export async function parseDecision(answer: unknown): Promise<Outcome<{ decision: Decision }>> {
  const module = await full.ready();
  const bytes = typeof answer === "string" || answer instanceof Uint8Array ? answer : wire(answer);
  return outcome(() => {
    const { modifications, ...rest } = module.ask<RawDecision>(ASK.decision, { bytes });
    return { decision: { ...rest, ...(modifications ? { modifications: modifications.map((text) => JSON.parse(text) as unknown) } : {}) } };
  });
}

/** The keys under which a call can be granted: for all calls of the tool, and for this one alone. Throws `stream.bad_input` for a call that has none. */
export async function grantKeys(tool: string, input: unknown): Promise<[tool: string, call: string]> {
  if (typeof tool !== "string") throw fault(BAD_INPUT, { expected: "tool: text", found: typeof tool });
  const module = await full.ready();
  const bytes = input instanceof Uint8Array ? bytesOf(input, "input") : wire(input);
  return module.ask<[string, string]>(ASK.keys, { bytes, argument: { tool } });
}
