import { listParts } from "./card.js";
import { damage, places, splice } from "./damage.js";
import { make } from "./dom.js";
import { isRight, type Finding } from "./judge.js";
import type { LogCopy } from "./log-copy.js";
import type { Panel } from "./panel.js";
import type { PlainReader } from "./plain-reader.js";
import { statusOf } from "./status.js";

const SAYS = { new: "loading", connecting: "connecting", open: "connected", broken: "reconnecting", over: "closed" };

/** Draws the left half: what the page itself believes, and what is the case. */
export function drawLeft(panel: Panel, reader: PlainReader, log: LogCopy, finding: Finding, gone: boolean): void {
  const { line } = reader;
  const status = statusOf(reader.side.screen, log, finding, { gone, vouches: line === "open", remark: "so far" });
  panel.status(status);
  panel.says(`believes: ${SAYS[line]}${line === "open" ? ", all is well" : ""}`);
  panel.ticks(reader.told.map((word) => [word, word === "error" ? "bad" : "calm"]));
  const wrong = status.status === "wrong" || (status.status === "reconnecting" && !isRight(finding));
  panel.card.show(wrong ? damage(finding) : "", "wrong", () => parts(reader, finding));
}

function parts(reader: PlainReader, finding: Finding): HTMLElement[] {
  const reload = make("button", "reload", "Reload this side") as HTMLButtonElement;
  reload.type = "button";
  reload.dataset.action = "reload";
  reload.onclick = () => void reader.start();
  const end = make("p", "message", "No error, no warning: the page cannot know. ");
  end.append(reload);
  const seam = splice(finding);
  if (seam === undefined) return listParts("Nobody told this page", places(finding), end);
  const story = make("p", "message", `Up to ${seam - 1} it shows a log that is gone; from ${seam} on, another one.`);
  return listParts("Two histories, shown as one", places(finding), story, end);
}
