// The types of an inbox, as an app uses them: lines marked so must not compile.
import { open } from "tidemark";
import { AnswerError, inbox, type Inbox, type InboxSession, type Outcome, type Row, type SavedInbox } from "tidemark/inbox";

interface Mine { type: "mine"; n: number }
interface State { n: number; inbox?: SavedInbox }
declare const kept: SavedInbox | undefined;

export const box: Inbox<Mine, State> = inbox(open<Mine, State>("/v1/sessions/s1/events"), {
  saved: kept, fold: (state) => state.inbox, keep: 10, now: () => 0, onChange: (rows) => rows[0]?.deadlineAt?.toFixed(),
  answerAt: ({ session, decisionId, seq }) => `/x/${session}/${decisionId}/${seq}`, headers: async ({ attempt }) => ({ a: `${attempt}` }), credentials: "include",
});
for await (const item of box) {
  if (item.kind === "event") item.event.n.toFixed();
  if (item.kind === "state") item.state.n.toFixed();
}
for await (const rows of box.changes()) rows.map((row: Row) => row.was ?? row.state);
export const sessions: readonly InboxSession[] = box.sessions();
export const saved: SavedInbox | undefined = box.save("s1");

export async function send(row: Row, signal: AbortSignal): Promise<string> {
  try {
    const outcome: Outcome = await box.answer(row, { action: "approve_plan" }, { signal });
    switch (outcome.outcome) {
      case "answered": return outcome.yours ? "" : JSON.stringify(outcome.decision);
      case "expired": return String(outcome.resolvedAt);
      case "unknown":
      case "stale": return outcome.outcome;
      default: return outcome satisfies never;
    }
  } catch (error) {
    return error instanceof AnswerError && error.recorded === "maybe" ? error.id : "";
  }
}

export const wrong = (row: Row, outcome: Outcome) => [
  (row.state = "answered"), // refused
  box.rows().push(row), // refused
  box.answer(row, "approve"), // refused
  outcome.yours, // refused
  row.state === "open", // refused
  inbox(open("/x"), { keeep: 1 }), // refused
  inbox(box), // refused
  inbox(open<Mine, State>("/x"), { fold: (state) => state.nothing }), // refused
];
