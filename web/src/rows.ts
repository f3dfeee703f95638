import { raised, type RawFault, type TidemarkError } from "./errors.js";
import * as ROW from "./gen/rows.gen.js";
import {
  NO_TYPE, ROW_ASCII, ROW_DATA, ROW_DOUBLES, ROW_DRAFTS, ROW_GENERATION, ROW_KIND, ROW_LANE, ROW_LENGTH, ROW_PLACED, ROW_SEQ, ROW_SESSION, ROW_TYPE, ROW_WORDS,
  TEXT_TYPES,
} from "./gen/seam.gen.js";
import type { LoadWhy, StartKind } from "./gen/words.gen.js";
import type { Links } from "./links.js";
import { Page, PageItem, type EndCause, type Item } from "./items.js";
import type { Change, ConnectionState, Phase } from "./state.js";
import type { CoreCounts } from "./stats.js";
import { linked, type Decision, type Refusal, type Strength } from "./verdicts.js";

/** Where one lane of a connection starts. */
export interface Start {
  /** "" when only the server knows its name. */
  session: string;
  start: StartKind;
  token?: string;
}

/** What the link orders its driver to do. */
export type Order =
  | { kind: "connect"; cursors: Start[] }
  | { kind: "wake"; at: number }
  | { kind: "load"; lane: number; session: string; why: LoadWhy; refusal?: Refusal }
  | { kind: "credentials"; status: 401 | 403 }
  | { kind: "close" }
  | { kind: "fail"; fault: TidemarkError };

/** The cursor of a state with everything in it that was applied, and what proves that the log is still the same. */
export interface Mark {
  cursor: string;
  proof?: string;
}

/** All that one input brought about, in order. */
export interface Drained<E> {
  items: Item<E>[];
  orders: Order[];
  decisions: Decision[];
  /** How the connection and the sessions stand, one change after the other. */
  changes: Change[];
  /** Where lanes stand now, by session. */
  places: Map<string, Place>;
  /** Whether a recorded event is among the items. */
  moved: boolean;
  /** Bytes of payload that the items hold. */
  size: number;
  /** The answer to a question. */
  mark?: Mark;
  counts?: CoreCounts;
}

export function nothing<E>(): Drained<E> {
  return { items: [], orders: [], decisions: [], changes: [], places: new Map(), moved: false, size: 0 };
}

const utf8 = new TextDecoder();

/** What a cursor row says of a lane. Without `placed` it has no position, and only its name and drafts count. */
export interface Place {
  session: string;
  placed: boolean;
  /** Absent before the first event of a stream that numbers from 0. */
  seq?: number;
  generation?: string;
  /** Digest of the event it stands on, in hexadecimal digits. */
  proof?: string;
  /** Something is out that a restart would void. */
  drafts: boolean;
}

/** Reads the rows of one link, and knows the names they use by number. */
export class Rows<E> {
  readonly #links: Links;
  readonly #handle: number;
  readonly #lanes: string[] = [];
  readonly #texts = new Map<number, string>();

  constructor(links: Links, handle: number) {
    this.#links = links;
    this.#handle = handle;
  }

  /** The lane that was named so; -1: none was. */
  lane(session: string): number {
    return this.#lanes.indexOf(session);
  }

  /** Reads `count` rows. All data is copied before the first text is asked for, which is a call. */
  read(count: number, into: Drained<E>): void {
    const { words, seqs } = this.#links.rows(count);
    const page = this.#page(words, count);
    const ours = this.#ours(words, count);
    into.size += page.size;
    for (let i = 0; i < count; i++) {
      const head = words[i * ROW_WORDS]!;
      const seq = seqs[i * ROW_DOUBLES + ROW_SEQ]!;
      const kind = head & ROW_KIND;
      into.moved ||= kind === ROW.event;
      if (kind <= ROW.draft) into.items.push(this.#event(words, i * ROW_WORDS, seq, page));
      else if (kind === ROW.cursor) this.#place(words, i * ROW_WORDS, seq, into, ours[i]);
      else this.#other(head, seq, ours[i], into);
    }
  }

  /** Event data stands in ascending order in one buffer: one copy serves all. */
  #page(words: Uint32Array, count: number): Page {
    let first = 0;
    let end = 0;
    for (let i = 0; i < count * ROW_WORDS; i += ROW_WORDS) {
      if ((words[i]! & ROW_KIND) > ROW.draft) continue;
      if (end === 0) first = words[i + ROW_DATA]!;
      end = words[i + ROW_DATA]! + words[i + ROW_LENGTH]!;
    }
    return new Page(this.#links.copy(first, end - first), first);
  }

  #ours(words: Uint32Array, count: number): Uint8Array[] {
    const data: Uint8Array[] = [];
    for (let i = 0; i < count * ROW_WORDS; i += ROW_WORDS) {
      if ((words[i]! & ROW_KIND) > ROW.draft && words[i + ROW_LENGTH]! > 0) data[i / ROW_WORDS] = this.#links.copy(words[i + ROW_DATA]!, words[i + ROW_LENGTH]!);
    }
    return data;
  }

  #event(words: Uint32Array, i: number, seq: number, page: Page): Item<E> {
    const head = words[i]!;
    const generation = words[i + ROW_GENERATION]!;
    const relayed = words[i + ROW_SESSION]!;
    const item = new PageItem<E>(
      (head & ROW_KIND) === ROW.event ? "event" : "draft",
      relayed === 0 ? this.#lane(head >>> ROW_LANE) : this.#text(relayed),
      this.#type(words[i + ROW_TYPE]!),
      page, words[i + ROW_DATA]!, words[i + ROW_LENGTH]!, (head & ROW_ASCII) !== 0,
    );
    if (seq >= 0) item.seq = seq;
    if (generation !== 0) item.generation = this.#text(generation);
    return item as Item<E>;
  }

  #other(head: number, seq: number, data: Uint8Array | undefined, into: Drained<E>): void {
    const kind = head & ROW_KIND;
    const lane = head >>> ROW_LANE;
    const said = (data?.length ? JSON.parse(utf8.decode(data)) : {}) as never;
    READERS[kind]?.(into as Drained<unknown>, said, { lane, session: this.#lane(lane), seq });
  }

  /** The first cursor of a lane names it. */
  #place(words: Uint32Array, i: number, seq: number, { places }: Drained<E>, proof?: Uint8Array): void {
    const head = words[i]!;
    const session = (this.#lanes[head >>> ROW_LANE] ??= this.#text(words[i + ROW_SESSION]!));
    const place: Place = { session, placed: (head & ROW_PLACED) !== 0, drafts: (head & ROW_DRAFTS) !== 0 };
    if (seq >= 0) place.seq = seq;
    if (words[i + ROW_GENERATION]! !== 0) place.generation = this.#text(words[i + ROW_GENERATION]!);
    if (proof) place.proof = hex(proof);
    places.set(session, place);
  }

  #type(id: number): string {
    if (id === NO_TYPE) return "";
    return id < TEXT_TYPES ? this.#links.types[id]! : this.#text(id - TEXT_TYPES);
  }

  #lane(lane: number): string {
    return this.#lanes[lane] ?? "";
  }

  #text(id: number): string {
    let text = this.#texts.get(id);
    if (text === undefined) this.#texts.set(id, (text = this.#links.name(this.#handle, id)));
    return text;
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

interface Row {
  lane: number;
  session: string;
  seq: number;
}

/** What a row says of a frame. These items go to whoever has asked for them, and nobody else. */
type Around = { name?: string; id?: string; data?: string };

type Reader = (into: Drained<unknown>, data: never, row: Row) => void;

/** One reader for each kind of row but events and cursors. */
const READERS: Record<number, Reader> = {
  [ROW.restart]: (into, _, { session, seq }) => into.items.push({ kind: "restart", session, afterSeq: seq }),
  [ROW.live]: (into, { strength }: { strength: Strength }, { session, seq }) => into.items.push({ kind: "live", session, seq, strength }),
  [ROW.refused]: (into, refusal: Refusal, { session }) => into.items.push({ kind: "refused", session, refusal: linked(refusal) }),
  [ROW.end]: (into, { cause, fault }: { cause: EndCause; fault?: RawFault }, { session }) =>
    into.items.push({ kind: "end", session, cause, ...(fault && { fault: raised(fault) }) }),
  [ROW.connect]: (into, { cursors }: { cursors: Start[] }) => into.orders.push({ kind: "connect", cursors }),
  [ROW.wake]: (into, _, { seq }) => into.orders.push({ kind: "wake", at: seq }),
  [ROW.load]: (into, { why, refusal }: { why: LoadWhy; refusal?: Refusal }, { lane, session }) =>
    into.orders.push({ kind: "load", lane, session, why, ...(refusal && { refusal: linked(refusal) }) }),
  [ROW.close]: (into) => into.orders.push({ kind: "close" }),
  [ROW.fail]: (into, data: RawFault) => into.orders.push({ kind: "fail", fault: raised(data) }),
  [ROW.decision]: (into, decision: Decision) => into.decisions.push(decision),
  [ROW.state]: (into, { why, cursor }: { why: LoadWhy; cursor: string }, { session }) =>
    into.items.push({ kind: "state", why, session, cursor, state: undefined }),
  [ROW.credentials]: (into, { status }: { status: 401 | 403 }) => into.orders.push({ kind: "credentials", status }),
  [ROW.connection]: (into, { state: connection, attempt, at }: { state: ConnectionState; attempt?: number; at?: number }) =>
    into.changes.push({ connection, attempt, at }),
  [ROW.phase]: (into, { phase }: { phase: Phase }, { session }) => session !== "" && into.changes.push({ session, phase }),
  [ROW.mark]: (into, mark: Mark) => (into.mark = mark),
  [ROW.counts]: (into, counts: CoreCounts) => (into.counts = counts),
  [ROW.frame]: (into, { name = "", id = "" }: Around) => (into.items as unknown[]).push({ kind: "frame", session: "", name, id }),
  [ROW.aside]: (into, { name = "", id = "", data }: Around) => (into.items as unknown[]).push({ kind: "aside", session: "", name, id, data }),
};
