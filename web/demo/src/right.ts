import type { Decision } from "tidemark";
import { listParts, reasonOf, refusalParts } from "./card.js";
import { make, mark } from "./dom.js";
import type { Finding } from "./judge.js";
import type { LogCopy } from "./log-copy.js";
import type { Panel } from "./panel.js";
import { statusOf } from "./status.js";
import type { Notice, TidemarkReader } from "./tidemark-reader.js";

/** Draws the right half: what Tidemark says, and whether that is the case. */
export function drawRight(panel: Panel, reader: TidemarkReader, log: LogCopy, finding: Finding, gone: boolean): void {
  const { notice, failure, side } = reader;
  const refusal = notice?.kind === "refused" ? notice.refusal : undefined;
  const status = statusOf(side, log, finding, {
    gone: gone && failure === undefined, vouches: side.line === "open" && reader.joined,
    refused: reader.refused ? refusal && reasonOf(refusal) : undefined,
    failed: failure && "see below", remark: remarkOf(notice),
  });
  panel.status(status);
  panel.says(`says: ${saysOf(reader)}`);
  panel.ticks(reader.decisions.filter(({ verdict }) => verdict !== "pass").map((decision) => [tickOf(decision), toneOf(decision)]));
  mark(panel.root, {
    refusals: reader.refusals, reason: refusal?.reason, detail: refusal?.detail, rebuilt: notice?.kind === "refused" ? notice.rebuilt : undefined,
    notice: notice?.kind, strength: reader.strength,
  });
  drawCard(panel, reader, status.status === "exact");
}

function saysOf({ side, joined, strength, refused, failure }: TidemarkReader): string {
  if (failure) return "stopped";
  if (refused) return "this does not continue what I showed";
  if (side.line === "open" && joined) return `live, proven ${strength}`;
  return side.screen.snapshot ? "reconnecting, vouching for nothing" : "connecting";
}

function remarkOf(notice: Notice | undefined): string {
  return notice?.kind === "refused" ? `refused: ${reasonOf(notice.refusal)} → rebuilt` : "";
}

function drawCard(panel: Panel, reader: TidemarkReader, exact: boolean): void {
  const { failure, notice } = reader;
  if (failure) return panel.card.show(failure.message, "failed", () => failureParts(reader, failure));
  if (!notice) return panel.card.show("", "calm", () => []);
  if (notice.kind === "refused") {
    const { refusal, rebuilt } = notice;
    const again = rebuilt !== undefined && exact;
    return panel.card.show(`refused ${reader.refusals} ${rebuilt} ${again}`, again ? "healed" : "refused", () => refusalParts(refusal, rebuilt, again));
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
  reconnected: ({ seq }) => seq > 0
    ? ["Noticed: the line was cut", `Went on where it stopped, proven up to ${seq}. What was half written is void.`]
    : ["Noticed: the line was cut", "Reconnecting. Until it is proven to go on, nothing is shown."],
};

function failureParts(reader: TidemarkReader, { message, hint }: { message: string; hint: string }): HTMLElement[] {
  const again = make("button", "reload", "Start again") as HTMLButtonElement;
  again.type = "button";
  again.onclick = () => void reader.start();
  const end = make("p", "hint", hint + " ");
  end.append(again);
  return listParts("Stopped", [], make("p", "message", message), end);
}

function tickOf({ verdict, seq, expectedSeq }: Decision): string {
  const where = verdict === "gap" && expectedSeq !== undefined ? `${expectedSeq}?` : (seq ?? "");
  return `${verdict.replaceAll("_", " ")} ${where}`.trim();
}

const TONES: Partial<Record<Decision["verdict"], string>> = {
  gap: "bad", generation_changed: "bad", invalid: "bad", unavailable: "bad", duplicate: "odd", replayed: "good", complete: "good",
};

function toneOf({ verdict }: Decision): string {
  return TONES[verdict] ?? "calm";
}
