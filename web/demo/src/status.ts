import { damage } from "./damage.js";
import { number } from "./dom.js";
import { isRight, type Finding } from "./judge.js";
import type { LogCopy } from "./log-copy.js";
import type { Screen } from "./screen.js";

/** One word for a side, and what makes it plain. */
export interface Status {
  status: "connecting" | "right" | "behind" | "wrong" | "reconnecting" | "refused" | "gone" | "failed";
  word: string;
  detail: string;
}

/** What is known of a side besides the comparison. */
export interface Circumstance {
  /** The server cannot be asked. */
  gone: boolean;
  /** The reader has withdrawn what it shows; the words say why. */
  refused?: string | undefined;
  /** The reader has given up; the words say why. */
  failed?: string | undefined;
  /** The reader vouches for what it shows. */
  vouches: boolean;
  /** What is worth adding to "right". */
  remark?: string | undefined;
}

/** How long an event may be on its way, in milliseconds. */
const PATIENCE = 4000;

/** The first that holds decides. A side that is reconnecting claims nothing, so nothing is held against it. */
export function statusOf({ snapshot }: Screen, log: LogCopy, finding: Finding, c: Circumstance): Status {
  if (c.failed !== undefined) return { status: "failed", word: "stopped", detail: c.failed };
  if (c.gone) return { status: "gone", word: navigator.onLine ? "no server" : "offline", detail: log.last ? `compared up to ${log.last}` : "is it running?" };
  if (c.refused !== undefined) return { status: "refused", word: "refused", detail: c.refused };
  if (!snapshot || log.last === 0) return { status: "connecting", word: "connecting", detail: "" };
  if (!c.vouches) return { status: "reconnecting", word: "reconnecting", detail: "" };
  if (!isRight(finding)) return { status: "wrong", word: "wrong", detail: damage(finding) };
  if (!snapshot.checked) return { status: "connecting", word: "comparing", detail: "" };
  if (log.waiting(finding.reached, performance.now()) > PATIENCE) {
    return { status: "behind", word: "behind", detail: `by ${number(log.last - finding.reached)}` };
  }
  return { status: "right", word: "right", detail: c.remark ?? "" };
}
