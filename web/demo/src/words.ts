import { text, type SessionEvent } from "./record.js";
import type { StateItem } from "./screen.js";

/** How a row of the river reads. */
export interface Words {
  /** Which family of events it belongs to; decides its colour. */
  family: "said" | "asked" | "tool" | "turn" | "plan" | "quiet";
  label: string;
  text: string;
}

type Rule = [family: Words["family"], label: string, ...phrases: string[]];

/** Types with words of their own: family, label, and what is said of it. A phrase whose members are absent is left out. */
const RULES: Record<string, Rule> = {
  message: ["asked", "user", "{content}"],
  message_started: ["quiet", "message", "iteration {iteration}"],
  message_completed: ["said", "agent", "{content}"],
  message_replaced: ["said", "replaced", "{content}"],
  iteration_started: ["quiet", "iteration", "{iteration} started"],
  iteration_completed: ["quiet", "iteration", "{iteration} done"],
  tool_executing: ["tool", "tool", "{toolName}", "{input}"],
  tool_completed: ["tool", "result", "{toolName}", "{result}"],
  tool_input_started: ["quiet", "tool input", "{toolName} …"],
  tool_input_completed: ["quiet", "tool input", "{input}"],
  tool_calls_admitted: ["quiet", "admitted", "{kind}", "{used} of {limit} calls"],
  tool_review_requested: ["quiet", "review requested", "iteration {iteration}"],
  tool_review_completed: ["quiet", "review done", "{decision}"],
  hosted_tool: ["tool", "hosted tool", "{tool}"],
  turn_started: ["turn", "turn", "{config}"],
  turn_completed: ["turn", "turn done", "{result}"],
  turn_failed: ["turn", "turn failed", "{error}"],
  turn_paused: ["turn", "paused", "{reason}"],
  turn_resuming: ["turn", "resuming", "from {fromCheckpointId}"],
  plan_ready: ["plan", "plan", "{title}", "{summary}"],
  plan_step_updated: ["plan", "plan step", "{stepId}", "{status}"],
  task_created: ["plan", "task", "{subject}"],
  task_updated: ["plan", "task", "{status}", "{subject}"],
  user_question_asked: ["asked", "question", "{question}"],
  user_question_answered: ["quiet", "answered", "{answered}"],
  reasoning_started: ["quiet", "thinking"],
  reasoning_completed: ["quiet", "thought", "{text}"],
  child_session_spawned: ["turn", "child", "{description}"],
  child_session_messaged: ["quiet", "child wrote", "{childSessionId}"],
  child_session_idled: ["quiet", "child idle", "{childSessionId}"],
  agent_pending: ["quiet", "delegate", "{workflow}", "{phase}", "{taskId}"],
  agent_completed: ["quiet", "delegate", "{result}"],
  token_usage_updated: ["quiet", "tokens", "{usage}"],
  message_history_repaired: ["quiet", "repaired", "{source}"],
  request_envelope: ["quiet", "request", "{model}"],
  capability_warning: ["quiet", "warning", "{message}"],
  approval_policy_changed: ["quiet", "policy", "{to}", "{reason}"],
  checkpoint_created: ["quiet", "checkpoint", "iteration {iteration}"],
  compaction_completed: ["quiet", "compaction done", "iteration {iteration}"],
  compaction_tool_results_cleared: ["quiet", "cleared", "{clearedCount} results"],
};

/** Members that say what any other type is about, best first. */
const TELLING = [
  "title", "subject", "description", "message", "reason", "command", "question", "tool", "toolName", "text", "summary", "code",
  "status", "childSessionId", "pluginId", "model", "cause", "usage", "checkpointId", "kind",
];

export function words(event: SessionEvent): Words {
  const rule = RULES[event.type];
  if (rule) {
    const [family, label, ...phrases] = rule;
    return { family, label, text: joined(phrases.map((phrase) => fill(phrase, event))) };
  }
  const telling = TELLING.find((name) => event[name] !== undefined);
  return { family: "quiet", label: event.type.replaceAll("_", " "), text: telling ? say(event[telling]) : "" };
}

export function wordsOfItem(item: StateItem): Words {
  if (item.kind === "tool") return { family: "tool", label: "tool", text: joined([item.name, say(item.result)]) };
  const asked = (item.content as { role?: unknown } | undefined)?.role === "user";
  return { family: asked ? "asked" : "said", label: asked ? "user" : "agent", text: say(item.content) };
}

function joined(phrases: readonly (string | undefined)[]): string {
  return phrases.filter(Boolean).join(" · ");
}

/** A phrase with its members; nothing when one of them is absent. */
function fill(phrase: string, event: SessionEvent): string {
  let whole = true;
  const text = phrase.replace(/\{(\w+)\}/g, (_, name: string) => {
    const said = say(event[name]);
    whole &&= said !== "";
    return said;
  });
  return whole ? text : "";
}

/** Any value as one line. */
function say(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "object") return String(value).replace(/\s+/g, " ").trim();
  const { content, text: inner, name } = value as { content?: unknown; text?: unknown; name?: unknown };
  const plain = text(content) ?? text(inner) ?? text(name);
  if (plain) return say(plain);
  const members = Object.entries(value).filter(([, member]) => typeof member !== "object").slice(0, 3);
  return members.length === 1 ? say(members[0]![1]) : members.map(([name, member]) => `${name}: ${member}`).join(", ");
}
