import type { Outcome, Row } from "tidemark/inbox";

/** What the page reads of a request; each kind has some of it. */
export interface Request {
  title?: string;
  project?: string;
  toolCalls?: { toolUseId: string; toolName: string; input: { command?: string } }[];
  steps?: string[];
  choices?: string[];
}

/** An answer as it is sent. */
export type Decision = { action: string } & Record<string, unknown>;

const KINDS: Record<string, string> = { tool_review: "review", plan_approval: "plan", user_question: "question" };

export function kindOf(type: string): string {
  return KINDS[type] ?? type.replaceAll("_", " ");
}

/** What somebody did, after "You" or "Somebody else". */
const DID: Record<string, string> = {
  approve_tools: "approved", approve_plan: "approved", modify_tools: "changed and approved", reject_tools: "declined",
  reject_plan: "declined", pause: "left it waiting", abort: "stopped the turn", continue: "let it go on",
};

function did(decision: unknown): string {
  const { action, text } = (decision ?? {}) as { action?: unknown; text?: unknown };
  if (action === "answer") return typeof text === "string" ? `answered: ${text}` : "gave no answer";
  return DID[String(action)] ?? `answered ${String(action)}`;
}

/** How a question was settled, as one sentence; undefined while it is not. */
export function settledWords(row: Row, sent: Outcome | undefined, busy = false): string | undefined {
  if (busy && row.state === "answered") return "Answered …"; // whose it is, the answer to ours says
  if (row.state === "answered") return answeredWords(row.decision, sent);
  if (row.state === "expired") return row.resolvedAt === undefined ? "Time is up. Nobody answered." : "Nobody answered in time.";
  if (row.was === "answered") return answeredWords(row.decision, sent);
  if (row.was === "expired") return "Nobody answered, as far as is known.";
  return sent && sentWords(sent);
}

function answeredWords(decision: unknown, sent: Outcome | undefined): string {
  if (sent === undefined) return stop(`Somebody else ${did(decision)}`);
  return sent.outcome === "answered" && sent.yours ? stop(`You ${did(decision)}`) : stop(`Too late: somebody else ${did(decision)}`);
}

/** What became of an answer of this page's, before the stream says so. */
function sentWords(sent: Outcome): string {
  switch (sent.outcome) {
    case "answered": return answeredWords(sent.decision, sent);
    case "expired": return "Too late: its time was up.";
    case "stale": return "Out of date: the question stands elsewhere now.";
    case "unknown": return "Out of date: nobody asks this any more.";
  }
}

function stop(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

const WHY: Record<string, string> = {
  catching_up: "catching up", disconnected: "no connection", incomplete: "not proven", elsewhere: "not read from its beginning", refused: "the stream was refused",
};

/** Why nothing is known. */
export function whyWords(why: string | undefined): string {
  return WHY[why ?? "catching_up"] ?? String(why);
}

/** Time that is left, as a clock shows it. */
export function leftWords(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
