import { text, type SessionEvent } from "./record.js";
import type { StateItem } from "./screen.js";

/** How a row of the river reads. */
export interface Words {
  /** Which family of events it belongs to; decides its colour. */
  family: "said" | "asked" | "tool" | "turn" | "plan" | "quiet";
  label: string;
  text: string;
}

type Rule = [family: Words["family"], label: string, ...members: string[]];

/** Types with words of their own: family, label, and the members that say the most, in the order of a sentence. */
const RULES: Record<string, Rule> = {
  message: ["asked", "user", "content"],
  message_completed: ["said", "agent", "content"],
  message_replaced: ["said", "replaced", "content"],
  tool_executing: ["tool", "tool", "toolName", "input"],
  tool_completed: ["tool", "result", "toolName", "result"],
  tool_input_completed: ["quiet", "tool input", "input"],
  hosted_tool: ["tool", "hosted tool", "tool"],
  turn_started: ["turn", "turn", "config"],
  turn_completed: ["turn", "turn done", "result"],
  turn_failed: ["turn", "turn failed", "error"],
  turn_paused: ["turn", "paused", "reason"],
  plan_ready: ["plan", "plan", "title", "summary"],
  plan_step_updated: ["plan", "plan step", "stepId", "status"],
  task_created: ["plan", "task", "subject"],
  task_updated: ["plan", "task", "status", "subject"],
  user_question_asked: ["asked", "question", "question"],
  user_question_answered: ["quiet", "answered", "answered"],
  reasoning_started: ["quiet", "thinking"],
  reasoning_completed: ["quiet", "thought", "text"],
  child_session_spawned: ["turn", "child", "description"],
  child_session_messaged: ["quiet", "child wrote", "childSessionId"],
  child_session_idled: ["quiet", "child idle", "childSessionId"],
  agent_pending: ["quiet", "delegate", "workflow", "phase", "taskId"],
  agent_completed: ["quiet", "delegate", "result"],
  tool_calls_admitted: ["quiet", "admitted", "count", "kind"],
  token_usage_updated: ["quiet", "tokens", "usage"],
  message_history_repaired: ["quiet", "repaired", "source"],
  request_envelope: ["quiet", "request", "model"],
  capability_warning: ["quiet", "warning", "message"],
  approval_policy_changed: ["quiet", "policy", "to", "reason"],
  compaction_tool_results_cleared: ["quiet", "cleared", "clearedCount"],
};

/** Members that say what any other type is about, best first. */
const TELLING = [
  "title", "subject", "description", "message", "reason", "command", "question", "tool", "toolName", "text", "summary", "code",
  "status", "childSessionId", "pluginId", "model", "cause", "iteration", "usage", "checkpointId", "kind",
];

export function words(event: SessionEvent): Words {
  const rule = RULES[event.type];
  if (rule) {
    const [family, label, ...members] = rule;
    return { family, label, text: members.map((name) => say(event[name])).filter(Boolean).join("  ") };
  }
  const telling = TELLING.find((name) => event[name] !== undefined);
  return { family: "quiet", label: event.type.replaceAll("_", " "), text: telling ? say(event[telling]) : "" };
}

export function wordsOfItem(item: StateItem): Words {
  if (item.kind === "tool") return { family: "tool", label: "tool", text: [item.name, say(item.result)].filter(Boolean).join("  ") };
  const asked = (item.content as { role?: unknown } | undefined)?.role === "user";
  return { family: asked ? "asked" : "said", label: asked ? "user" : "agent", text: say(item.content) };
}

/** Any value as one line. */
function say(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "object") return String(value).replace(/\s+/g, " ").trim();
  const { content, text: inner } = value as { content?: unknown; text?: unknown };
  const plain = text(content) ?? text(inner);
  if (plain) return say(plain);
  return Object.entries(value)
    .map(([name, member]) => (typeof member === "object" ? "" : `${name} ${member}`))
    .filter(Boolean).slice(0, 3).join(", ");
}
