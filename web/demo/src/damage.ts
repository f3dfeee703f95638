import { number, ranges } from "./dom.js";
import type { Finding } from "./judge.js";

/**
 * Where another history begins that is shown as if it continued what stands above it: everything that is no longer true
 * lies below, and nothing was shown in its place. Undefined when there is no such seam.
 */
export function splice({ missing, stale, reached }: Finding): number | undefined {
  const last = stale.at(-1);
  const absent = new Set(missing);
  return last !== undefined && reached > last && stale.every((seq) => absent.has(seq)) ? last + 1 : undefined;
}

/** What is wrong, in numbers. */
export function damage({ missing, doubled, stale }: Finding): string {
  return [[missing.length, "missing"], [doubled.length, "doubled"], [stale.length, "no longer true"]]
    .filter(([count]) => count !== 0).map(([count, what]) => `${number(count as number)} ${what}`).join(" · ");
}

/** What is wrong, by place. */
export function places({ missing, doubled, stale }: Finding): [what: string, where: string][] {
  const found: [string, number[]][] = [["missing", missing], ["shown twice", [...new Set(doubled)]], ["no longer true", [...new Set(stale)]]];
  return found.filter(([, seqs]) => seqs.length > 0).map(([what, seqs]) => [what, ranges(seqs)]);
}
