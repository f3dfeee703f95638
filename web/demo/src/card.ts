import type { Evidence, Refusal } from "tidemark";
import { make } from "./dom.js";
import type { Notice } from "./tidemark-reader.js";

/** Evidence by the words of the page; the order is that of the argument. */
const EVIDENCE: [member: keyof Evidence, label: string][] = [
  ["savedGeneration", "my generation"],
  ["observedGeneration", "the log's generation"],
  ["savedSeq", "I stand at"],
  ["expectedSeq", "expected"],
  ["receivedSeq", "received"],
  ["lastSeq", "the log ends at"],
  ["oldestSeq", "the log begins at"],
  ["status", "HTTP status"],
];

/** The same where the event at the cursor was asked for once more, and was another one. */
const PROOF: typeof EVIDENCE = [
  ["savedSeq", "I stand at"],
  ["expectedSeq", "asked once more for"],
  ["lastSeq", "the log ends at"],
];

/** The pinned card of a side: what it has to say for itself. Drawn anew only when its key changes. */
export class Card {
  readonly root: HTMLElement;
  #key = "";

  constructor(root: HTMLElement) {
    this.root = root;
  }

  /** Shows what `parts` makes; an empty key shows nothing. */
  show(key: string, tone: string, parts: () => HTMLElement[]): void {
    if (key === this.#key) return;
    this.#key = key;
    this.root.dataset.tone = tone;
    this.root.hidden = key === "";
    this.root.replaceChildren(...(key === "" ? [] : parts()));
  }
}

export function refusalParts(notice: Extract<Notice, { kind: "refused" }>, isRight: boolean): HTMLElement[] {
  const { refusal, rebuilt } = notice;
  const { message, hint, href, rule } = refusal;
  const title = make("h3", "title", `Refused: ${reasonOf(refusal)}`);
  const link = make("a", "rule", rule) as HTMLAnchorElement;
  link.href = href;
  const said = make("p", "message", message);
  const advice = make("p", "hint", hint + " ");
  advice.append(link);
  const progress = rebuilt === undefined ? "Rebuilding from the transcript …" : `Rebuilt from the transcript at ${rebuilt}`;
  const end = make("p", "rebuilt", isRight ? `${progress}, right again` : progress);
  return [title, pairs(evidence(notice)), said, advice, end];
}

export function reasonOf({ reason, detail }: Refusal): string {
  return reason.replaceAll("_", " ") + (detail ? `, ${detail.replaceAll("_", " ")}` : "");
}

/** A card of a heading and lines of two columns each. */
export function listParts(title: string, lines: [string, string][], ...rest: HTMLElement[]): HTMLElement[] {
  return [make("h3", "title", title), pairs(lines), ...rest];
}

function evidence({ refusal: { detail, evidence }, mine, theirs }: Extract<Notice, { kind: "refused" }>): [string, string][] {
  const proof = detail === "history_changed";
  const lines = (proof ? PROOF : EVIDENCE).filter(([member]) => evidence[member] !== undefined)
    .map(([member, label]): [string, string] => [label, String(evidence[member])]);
  if (!proof || !mine || !theirs) return lines;
  const seq = evidence.savedSeq;
  return [...lines, [`my ${seq}`, mine.type], [`the log's ${seq}`, mine.type === theirs ? `another ${theirs}` : theirs]];
}

function pairs(lines: [string, string][]): HTMLElement {
  const list = make("dl", "pairs");
  for (const [term, value] of lines) {
    const pair = make("div", "pair");
    pair.append(make("dt", "", term), make("dd", "", value));
    list.append(pair);
  }
  return list;
}
