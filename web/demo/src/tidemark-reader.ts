import { open, TidemarkError, type Decision, type EndCause, type Item, type Refusal, type Strength } from "tidemark";
import { seqOf, type SessionEvent } from "./record.js";
import type { Transcript } from "./screen.js";
import type { Line, Side } from "./side.js";
import { fetchTranscript, type Session } from "./urls.js";
import { watchedFetch } from "./watched-fetch.js";

/** What the right half went through last, in its own words. */
export type Notice =
  | { kind: "refused"; refusal: Refusal; rebuilt?: number }
  | { kind: "gap"; expected: number; healed: boolean }
  | { kind: "duplicate"; seq: number }
  | { kind: "reconnected"; seq: number };

/** Decisions that the page keeps, newest last. */
const DECISIONS = 40;

/** The right half: the same page with Tidemark in place of the EventSource. */
export class TidemarkReader {
  readonly side: Side;
  readonly decisions: Decision[] = [];
  /** Refusals so far. */
  refusals = 0;
  refused = false;
  /** Between a connection and its proof that it goes on where the last one stopped. */
  joined = false;
  strength: Strength = "none";
  notice: Notice | undefined;
  failure: { message: string; hint: string } | undefined;
  readonly #session: Session;
  #stop = new AbortController();

  constructor(session: Session, side: Side) {
    this.#session = session;
    this.side = side;
  }

  async start(): Promise<void> {
    this.#stop.abort();
    const { signal } = (this.#stop = new AbortController());
    this.failure = this.notice = undefined;
    this.refused = this.joined = false;
    const stream = open<SessionEvent, Transcript>(this.#session.eventsUrl, {
      signal,
      load: async ({ signal }) => {
        const state = await fetchTranscript(this.#session.transcriptUrl, signal);
        return { state, cursor: state.cursor };
      },
      fetch: watchedFetch((line) => this.#line(line)),
      onDecision: (decision) => this.#decided(decision),
    });
    try {
      for await (const item of stream) this.#take(item);
    } catch (error) {
      this.#failed(error);
    }
    if (!signal.aborted) this.side.line = "over";
  }

  #take(item: Item<SessionEvent, Transcript>): void {
    switch (item.kind) {
      case "state": return this.#load(item.state);
      case "event": return this.side.show(item.event);
      case "draft": return this.side.show(item.event);
      case "restart": return this.side.restart();
      case "live": return this.#live(item.seq, item.strength);
      case "refused": return this.#refuse(item.refusal);
      case "end": return this.#ended(item.cause);
    }
  }

  #load(transcript: Transcript): void {
    this.side.reset(transcript);
    if (this.refused && this.notice?.kind === "refused") this.notice.rebuilt = seqOf(transcript.cursor);
    this.refused = false;
  }

  #live(seq: number, strength: Strength): void {
    this.joined = true;
    this.strength = strength;
    if (this.notice?.kind === "gap") this.notice.healed = true;
    if (this.notice?.kind === "reconnected") this.notice.seq = seq;
  }

  #refuse(refusal: Refusal): void {
    this.refusals++;
    this.refused = true;
    this.notice = { kind: "refused", refusal };
  }

  #ended(cause: EndCause): void {
    if (cause !== "closed") this.failure = { message: `The stream ended: ${cause}.`, hint: "Nothing more will come of it." };
  }

  #line(line: Line): void {
    if (line === "broken" && this.joined && !this.refused && this.notice?.kind !== "gap") {
      this.notice = { kind: "reconnected", seq: 0 };
    }
    if (line === "broken") this.joined = false;
    this.side.line = line;
  }

  #decided(decision: Decision): void {
    const { verdict, seq, expectedSeq } = decision;
    this.decisions.push(decision);
    if (this.decisions.length > DECISIONS) this.decisions.shift();
    if (verdict === "gap" && expectedSeq !== undefined) this.notice = { kind: "gap", expected: expectedSeq, healed: false };
    if (verdict === "duplicate" && seq !== undefined) this.notice = { kind: "duplicate", seq };
  }

  #failed(error: unknown): void {
    const known = error instanceof TidemarkError;
    this.failure = known
      ? { message: error.message, hint: error.hint }
      : { message: String((error as Error)?.message ?? error), hint: "Reload the page." };
  }
}
