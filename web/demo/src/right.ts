import type { Decision } from "tidemark";
import { listParts, reasonOf, refusalParts } from "./card.js";
import { make, mark } from "./dom.js";
import type { Finding } from "./judge.js";
import type { LogCopy } from "./log-copy.js";
import type { Panel } from "./panel.js";
import { connectionWords, phaseWords } from "./standing.js";
import { statusOf } from "./status.js";
import type { Failure, Notice, TidemarkReader } from "./tidemark-reader.js";

/** Draws the right half: what Tidemark says, and whether that is the case. */
export function drawRight(panel: Panel, reader: TidemarkReader, log: LogCopy, finding: Finding, gone: boolean): void {
  const { notice, failure, side } = reader;
  const refusal = notice?.kind === "refused" ? notice.refusal : undefined;
  const status = statusOf(side.screen, log, finding, {
    gone: gone && failure === undefined, vouches: reader.joined,
    refused: reader.refused ? refusal && reasonOf(refusal) : undefined,
    failed: failure && "see below", remark: remarkOf(notice),
  });
  panel.status(status);
  panel.says(`says: ${saysOf(reader)}`);
  panel.stands(connectionWords(reader.state, Date.now()), phaseWords(reader.phase));
  compareRecords(notice, log);
  panel.ticks(reader.decisions.filter(({ verdict }) => verdict !== "pass").map((decision) => tickOf(decision, reader.proofs.has(decision))));
  mark(panel.root, {
    refusals: reader.refusals, reason: refusal?.reason, detail: refusal?.detail, rebuilt: notice?.kind === "refused" ? notice.rebuilt : undefined,
    notice: notice?.kind, strength: reader.strength, again: reader.again,
  });
  drawCard(panel, reader, status.status === "right");
}

/** Finds out once which record the log has where a refusal says that it is another one. */
function compareRecords(notice: Notice | undefined, log: LogCopy): void {
  if (notice?.kind !== "refused" || notice.theirs !== undefined || log.asOf <= notice.at) return;
  const { savedSeq } = notice.refusal.evidence;
  notice.theirs = (savedSeq !== undefined && log.at(savedSeq)?.type) || "";
}

function saysOf({ side, joined, strength, refused, failure }: TidemarkReader): string {
  if (failure) return "stopped";
  if (refused) return "this does not continue what I showed";
  if (joined) return `proven ${strength}`;
  return side.screen.snapshot ? "vouching for nothing yet" : "nothing yet";
}

function remarkOf(notice: Notice | undefined): string {
  if (notice?.kind !== "refused") return "";
  const { reason, detail } = notice.refusal;
  return `refused: ${(detail ?? reason).replaceAll("_", " ")} → rebuilt`;
}

function drawCard(panel: Panel, reader: TidemarkReader, isRight: boolean): void {
  const { failure, notice } = reader;
  if (failure) return panel.card.show(failure.message, "failed", () => failureParts(reader, failure));
  if (!notice) return panel.card.show("", "calm", () => []);
  if (notice.kind === "refused") {
    const again = notice.rebuilt !== undefined && isRight;
    const key = `refused ${reader.refusals} ${notice.rebuilt} ${notice.theirs} ${again}`;
    return panel.card.show(key, again ? "healed" : "refused", () => refusalParts(notice, again));
  }
  const [title, text] = NOTICED[notice.kind](notice as never);
  panel.card.show(`${title} ${text}`, "calm", () => listParts(title, [], make("p", "message", text)));
}

const NOTICED: { [kind in Exclude<Notice["kind"], "refused">]: (notice: Extract<Notice, { kind: kind }>) => [title: string, text: string] } = {
  gap: ({ expected, healed }) => [
    `Noticed: ${expected} did not come`,
    healed ? `Asked again from there, and it did. Nothing was shown in between.` : "Asking again from there. Nothing is shown meanwhile.",
  ],
  duplicate: ({ seq }) => [`Noticed: ${seq} came twice`, "It was shown once."],
  reconnected: ({ seq, same }) => seq > 0
    ? ["Noticed: the line was cut", `${wentOn(same)}, proven up to ${seq}. What was half written is void.`]
    : ["Noticed: the line was cut", "Reconnecting. Until it is proven to go on, nothing is shown."],
};

function wentOn(same: number | undefined): string {
  return same === undefined ? "Went on where it stopped" : `Asked once more for ${same}, and it is the same. Went on behind it`;
}

function failureParts(reader: TidemarkReader, { message, hint, again: byItself }: Failure): HTMLElement[] {
  const again = make("button", "reload", "Start again") as HTMLButtonElement;
  again.type = "button";
  again.onclick = () => void reader.start();
  const end = make("p", "hint", `${hint} ${byItself ? "It begins again in a moment. " : ""}`);
  end.append(again);
  return listParts("Stopped", [], make("p", "message", message), end);
}

function tickOf({ verdict, seq, expectedSeq }: Decision, proof: boolean): [text: string, tone: string] {
  if (proof) return [`same ${seq}`, "good"];
  const where = verdict === "gap" && expectedSeq !== undefined ? `${expectedSeq}?` : (seq ?? "");
  return [`${verdict.replaceAll("_", " ")} ${where}`.trim(), TONES[verdict] ?? "calm"];
}

const TONES: Partial<Record<Decision["verdict"], string>> = {
  gap: "bad", generation_changed: "bad", invalid: "bad", unavailable: "bad", duplicate: "odd", replayed: "good", complete: "good",
};
