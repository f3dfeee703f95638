import {
  open, TidemarkError, type Decision, type EndItem, type Item, type Phase, type Refusal, type Stream, type StreamState, type Strength,
} from "tidemark";
import { seqOf, type SessionEvent } from "./record.js";
import type { Transcript } from "./screen.js";
import type { Side } from "./side.js";
import { fetchTranscript, pause, type Session } from "./urls.js";

/** What the right half went through last, in its own words. */
export type Notice =
  | { kind: "refused"; refusal: Refusal; rebuilt?: number; mine: SessionEvent | undefined; at: number; theirs?: string }
  | { kind: "gap"; expected: number; healed: boolean }
  | { kind: "duplicate"; seq: number }
  | { kind: "reconnected"; seq: number; same?: number };

/** Why the right half has stopped, and whether it begins again by itself. */
export interface Failure {
  message: string;
  hint: string;
  again: boolean;
}

/** The end of a session that was refused again before anything could follow its load. */
const LOOP = "stream.load_loop";
/** How long the page waits then before it begins again, in milliseconds. */
const CALM = 2000;

/** Decisions that the page keeps, newest last. */
const DECISIONS = 40;

/** Verdicts on the head that a connection begins with. */
const HEADS = { complete: true, replayed: true };

/** Other sessions on the same stream, and who else looks at all of its items. */
export interface Company {
  beside: readonly Session[];
  look(stream: Stream<SessionEvent, Transcript>): AsyncIterable<Item<SessionEvent, Transcript>>;
}

const ALONE: Company = { beside: [], look: (stream) => stream };

/** The right half: the same page with Tidemark in place of the EventSource. */
export class TidemarkReader {
  readonly side: Side;
  readonly decisions: Decision[] = [];
  /** Those of them that are about the event at the cursor, which was asked for once more and is the same. */
  readonly proofs = new WeakSet<Decision>();
  /** Refusals so far. */
  refusals = 0;
  refused = false;
  /** How the connection and the session stand, as the stream said last. */
  state: StreamState | undefined;
  strength: Strength = "none";
  notice: Notice | undefined;
  failure: Failure | undefined;
  /** How often it has begun again by itself. */
  again = 0;
  /** Told of each recorded event, when it is shown. */
  came: () => void = () => {};
  readonly #session: Session;
  /** The recorded event that came last, if the cursor stands on one and not on a state. */
  #last: SessionEvent | undefined;
  /** Whether the connection has brought nothing yet but its head. */
  #fresh = false;
  #stop = new AbortController();

  readonly #company: Company;

  constructor(session: Session, side: Side, company = ALONE) {
    this.#session = session;
    this.side = side;
    this.#company = company;
  }

  async start(): Promise<void> {
    this.#stop.abort();
    const { signal } = (this.#stop = new AbortController());
    this.failure = this.notice = undefined;
    this.refused = false;
    this.#last = undefined;
    const followed = [this.#session, ...this.#company.beside];
    const stream = open<SessionEvent, Transcript>(this.#session.eventsUrl, {
      signal,
      sessions: followed.map(({ id }) => id),
      load: async ({ session, signal }) => {
        const state = await fetchTranscript(followed.find(({ id }) => id === session)!.transcriptUrl, signal);
        return { state, cursor: state.cursor };
      },
      onDecision: (decision) => this.#mine(decision) && this.#decided(decision),
      onState: (state) => signal.aborted || this.#stands(state),
    });
    try {
      for await (const item of this.#company.look(stream)) {
        if (!signal.aborted && this.#mine(item)) this.#take(item);
      }
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
  }

  close(): void {
    this.#stop.abort();
  }

  get phase(): Phase | undefined {
    return this.state?.sessions[this.#session.id];
  }

  /** Whether the connection is open, and proven to go on where the last one stopped. */
  get joined(): boolean {
    return this.state?.connection === "open" && this.phase === "live";
  }

  /** Seq of the recorded event that came last, behind the state; 0 for none. */
  get newest(): number {
    return this.#last?.seq ?? 0;
  }

  /** What is said of the connection is said of every session on it. */
  #mine({ session }: { session: string }): boolean {
    return session === this.#session.id || session === "";
  }

  #take(item: Item<SessionEvent, Transcript>): void {
    switch (item.kind) {
      case "state": return this.#load(item.state);
      case "event": return this.#show(item.event);
      case "draft": return this.side.show(item.event);
      case "restart": return this.side.restart();
      case "live": return this.#live(item.seq, item.strength);
      case "refused": return this.#refuse(item.refusal);
      case "end": return this.#ended(item);
    }
  }

  #show(event: SessionEvent): void {
    this.#last = event;
    this.side.show(event);
    this.came();
  }

  #load(transcript: Transcript): void {
    this.#last = undefined;
    this.side.reset(transcript);
    if (this.refused && this.notice?.kind === "refused") this.notice.rebuilt = seqOf(transcript.cursor);
    this.refused = false;
  }

  #live(seq: number, strength: Strength): void {
    this.strength = strength;
    if (this.notice?.kind === "gap") this.notice.healed = true;
    if (this.notice?.kind === "reconnected") this.notice.seq = seq;
  }

  #refuse(refusal: Refusal): void {
    this.refusals++;
    this.refused = true;
    this.notice = { kind: "refused", refusal, mine: this.#last, at: performance.now() };
  }

  #ended({ cause, fault }: EndItem): void {
    if (fault) this.#failed(fault);
    else if (cause !== "closed") this.failure = { message: `The stream ended: ${cause}.`, hint: "Nothing more will come of it.", again: false };
  }

  #stands(state: StreamState): void {
    const was = this.joined;
    this.state = state;
    if (was && !this.joined && !this.refused && this.notice?.kind !== "gap") this.notice = { kind: "reconnected", seq: 0 };
  }

  #decided(decision: Decision): void {
    const { verdict, seq, expectedSeq } = decision;
    this.decisions.push(decision);
    if (this.decisions.length > DECISIONS) this.decisions.shift();
    if (verdict === "gap" && expectedSeq !== undefined) this.notice = { kind: "gap", expected: expectedSeq, healed: false };
    if (verdict === "duplicate" && seq !== undefined) this.#twice(decision, seq);
    if (verdict in HEADS) this.#fresh = true;
    else if (verdict === "accept") this.#fresh = false;
  }

  /** Without a generation the event at the cursor comes once more on purpose: it shows that the log is the same one. */
  #twice(decision: Decision, seq: number): void {
    const { generation, expectedSeq } = decision;
    if (!this.#fresh || generation !== undefined || expectedSeq !== seq + 1) {
      this.notice = { kind: "duplicate", seq };
      return;
    }
    this.proofs.add(decision);
    if (this.notice?.kind === "reconnected") this.notice.same = seq;
  }

  #failed(error: unknown): void {
    const known = error instanceof TidemarkError;
    this.failure = known
      ? { message: error.message, hint: error.hint, again: error.id === LOOP }
      : { message: String((error as Error)?.message ?? error), hint: "Reload the page.", again: false };
    if (this.failure.again) void this.#beginAgain(this.#stop.signal);
  }

  /** Two refusals in a row are a loop to Tidemark, which it leaves to the app. Here somebody breaks logs faster than they go on. */
  async #beginAgain(signal: AbortSignal): Promise<void> {
    await pause(CALM);
    if (signal.aborted) return;
    this.again++;
    await this.start();
  }
}
