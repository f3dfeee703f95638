import { judge, type Finding } from "./judge.js";
import type { LogCopy } from "./log-copy.js";
import type { Panel } from "./panel.js";
import type { Side } from "./side.js";

/** Compares what a side shows with the log, and marks it. */
export function compare(panel: Panel, { screen, river }: Side, log: LogCopy): Finding {
  const finding = judge(log, screen);
  panel.found(finding, screen.snapshot?.from, log.last);
  const stale = new Set(finding.stale);
  river.judge(finding, (seq, print) => stale.has(seq) && log.at(seq)?.print !== print);
  return finding;
}
