import type { Item } from "./items.js";
import type { Reason } from "./verdicts.js";

/** Counters of one stream, from its opening. A copy: it does not go on counting. */
export interface Stats {
  /** Recorded events that were handed over. */
  events: number;
  /** Events that are not recorded, handed over. */
  drafts: number;
  /** Bytes of bodies that were read. */
  bytes: number;
  /** Recorded events that came again and were dropped. */
  duplicates: number;
  /** Connections made to see whether a hole is really there. */
  resyncs: number;
  refusals: Record<Reason, number>;
  /** Connections after the first. */
  reconnects: number;
  /**
   * By session: recorded events that the log is known to hold and that have not been handed over. What is known is the
   * newest head that the server named, or what came later; a session without a head is not among them.
   */
  lag: Record<string, number>;
}

/** What only the core can count. */
export interface CoreCounts {
  duplicates: number;
  resyncs: number;
  lag: Record<string, number>;
}

/** Counts what passes the driver. */
export class Counters {
  events = 0;
  drafts = 0;
  /** What the cores of instances that stopped had counted. */
  #before = { duplicates: 0, resyncs: 0 };
  #core: CoreCounts = { duplicates: 0, resyncs: 0, lag: {} };
  readonly #refusals: Record<Reason, number> = { cursor_ahead: 0, generation_changed: 0, gap: 0 };

  item(item: Item): void {
    if (item.kind === "event") this.events++;
    else if (item.kind === "draft") this.drafts++;
    else if (item.kind === "refused") this.#refusals[item.refusal.reason]++;
  }

  /** The core's newest count stands for the ones before. */
  core(counts: CoreCounts): void {
    this.#core = counts;
  }

  /** Another core goes on, and counts from nothing. */
  restarted(): void {
    this.#before = { duplicates: this.#duplicates, resyncs: this.#resyncs };
    this.#core = { duplicates: 0, resyncs: 0, lag: {} };
  }

  /** With what the line has counted. */
  stats({ bytes, connections }: { bytes: number; connections: number }): Stats {
    const { events, drafts } = this;
    return {
      events, drafts, bytes,
      duplicates: this.#duplicates,
      resyncs: this.#resyncs,
      refusals: { ...this.#refusals },
      reconnects: Math.max(connections - 1, 0),
      lag: { ...this.#core.lag },
    };
  }

  get #duplicates(): number {
    return this.#before.duplicates + this.#core.duplicates;
  }

  get #resyncs(): number {
    return this.#before.resyncs + this.#core.resyncs;
  }
}

export const NOTHING: Stats = /* @__PURE__ */ new Counters().stats({ bytes: 0, connections: 0 });

/** Counts of one after the other as one. */
export function plus(before: Stats, after: Stats): Stats {
  const sum = (name: "events" | "drafts" | "bytes" | "duplicates" | "resyncs" | "reconnects") => before[name] + after[name];
  const refusals = { ...before.refusals };
  for (const reason of Object.keys(refusals) as Reason[]) refusals[reason] += after.refusals[reason];
  return {
    events: sum("events"), drafts: sum("drafts"), bytes: sum("bytes"), duplicates: sum("duplicates"), resyncs: sum("resyncs"),
    reconnects: sum("reconnects"), refusals, lag: { ...after.lag },
  };
}
