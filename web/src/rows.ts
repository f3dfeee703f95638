import { raised, type RawFault, type TidemarkError } from "./errors.js";
import type { Links } from "./links.js";
import { Page, PageItem, type EndCause, type Item } from "./items.js";
import type { Change, ConnectionState, Phase } from "./state.js";
import type { CoreCounts } from "./stats.js";
import { linked, type Decision, type Refusal, type Strength } from "./verdicts.js";

/** Where one lane of a connection starts. */
export interface Start {
  /** "" when only the server knows its name. */
  session: string;
  start: "beginning" | "now" | "cursor";
  token?: string;
}

/** What the link orders its driver to do. */
export type Order =
  | { kind: "connect"; cursors: Start[] }
  | { kind: "wake"; at: number }
  | { kind: "load"; lane: number; session: string; why: "first" | "rebuilt"; refusal?: Refusal }
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

const EVENT = 1;
const DRAFT = 2;
const CURSOR = 13;
const ASCII = 0x100;
const PLACED = 0x400;
const DRAFTS = 0x800;
const NO_TYPE = 0xffffffff;
const TEXT_TYPES = 0x10000;

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
      const head = words[i * 8]!;
      const seq = seqs[i * 4 + 1]!;
      const kind = head & 0xff;
      into.moved ||= kind === EVENT;
      if (kind <= DRAFT) into.items.push(this.#event(words, i * 8, seq, page));
      else if (kind === CURSOR) this.#place(words, i * 8, seq, into, ours[i]);
      else this.#other(head, seq, ours[i], into);
    }
  }

  /** Event data stands in ascending order in one buffer: one copy serves all. */
  #page(words: Uint32Array, count: number): Page {
    let first = 0;
    let end = 0;
    for (let i = 0; i < count * 8; i += 8) {
      if ((words[i]! & 0xff) > DRAFT) continue;
      if (end === 0) first = words[i + 4]!;
      end = words[i + 4]! + words[i + 5]!;
    }
    return new Page(this.#links.copy(first, end - first), first);
  }

  #ours(words: Uint32Array, count: number): Uint8Array[] {
    const data: Uint8Array[] = [];
    for (let i = 0; i < count * 8; i += 8) {
      if ((words[i]! & 0xff) > DRAFT && words[i + 5]! > 0) data[i / 8] = this.#links.copy(words[i + 4]!, words[i + 5]!);
    }
    return data;
  }

  #event(words: Uint32Array, i: number, seq: number, page: Page): Item<E> {
    const head = words[i]!;
    const generation = words[i + 6]!;
    const relayed = words[i + 7]!;
    const item = new PageItem<E>(
      (head & 0xff) === EVENT ? "event" : "draft",
      relayed === 0 ? this.#lane(head >>> 16) : this.#text(relayed),
      this.#type(words[i + 1]!),
      page, words[i + 4]!, words[i + 5]!, (head & ASCII) !== 0,
    );
    if (seq >= 0) item.seq = seq;
    if (generation !== 0) item.generation = this.#text(generation);
    return item as Item<E>;
  }

  #other(head: number, seq: number, data: Uint8Array | undefined, into: Drained<E>): void {
    const kind = head & 0xff;
    const lane = head >>> 16;
    const said = (data?.length ? JSON.parse(utf8.decode(data)) : {}) as never;
    READERS[kind]?.(into as Drained<unknown>, said, { lane, session: this.#lane(lane), seq });
  }

  /** The first cursor of a lane names it. */
  #place(words: Uint32Array, i: number, seq: number, { places }: Drained<E>, proof?: Uint8Array): void {
    const head = words[i]!;
    const session = (this.#lanes[head >>> 16] ??= this.#text(words[i + 7]!));
    const place: Place = { session, placed: (head & PLACED) !== 0, drafts: (head & DRAFTS) !== 0 };
    if (seq >= 0) place.seq = seq;
    if (words[i + 6]! !== 0) place.generation = this.#text(words[i + 6]!);
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

/** One reader for each kind of row but events, by the numbers of docs/seam.md. */
const READERS: Record<number, Reader> = {
  3: (into, _, { session, seq }) => into.items.push({ kind: "restart", session, afterSeq: seq }),
  4: (into, { strength }: { strength: Strength }, { session, seq }) => into.items.push({ kind: "live", session, seq, strength }),
  5: (into, refusal: Refusal, { session }) => into.items.push({ kind: "refused", session, refusal: linked(refusal) }),
  6: (into, { cause, fault }: { cause: EndCause; fault?: RawFault }, { session }) =>
    into.items.push({ kind: "end", session, cause, ...(fault && { fault: raised(fault) }) }),
  7: (into, { cursors }: { cursors: Start[] }) => into.orders.push({ kind: "connect", cursors }),
  8: (into, _, { seq }) => into.orders.push({ kind: "wake", at: seq }),
  9: (into, { why, refusal }: { why: "first" | "rebuilt"; refusal?: Refusal }, { lane, session }) =>
    into.orders.push({ kind: "load", lane, session, why, ...(refusal && { refusal: linked(refusal) }) }),
  10: (into) => into.orders.push({ kind: "close" }),
  11: (into, data: RawFault) => into.orders.push({ kind: "fail", fault: raised(data) }),
  12: (into, decision: Decision) => into.decisions.push(decision),
  14: (into, { why, cursor }: { why: "first" | "rebuilt"; cursor: string }, { session }) =>
    into.items.push({ kind: "state", why, session, cursor, state: undefined }),
  15: (into, { status }: { status: 401 | 403 }) => into.orders.push({ kind: "credentials", status }),
  16: (into, { state: connection, attempt, at }: { state: ConnectionState; attempt?: number; at?: number }) =>
    into.changes.push({ connection, attempt, at }),
  17: (into, { phase }: { phase: Phase }, { session }) => session !== "" && into.changes.push({ session, phase }),
  18: (into, mark: Mark) => (into.mark = mark),
  19: (into, counts: CoreCounts) => (into.counts = counts),
  20: (into, { name = "", id = "" }: Around) => (into.items as unknown[]).push({ kind: "frame", session: "", name, id }),
  21: (into, { name = "", id = "", data }: Around) => (into.items as unknown[]).push({ kind: "aside", session: "", name, id, data }),
};
