import { raised } from "../errors.js";
import { ARRIVAL, ORDER, ORDERS } from "../gen/seam.gen.js";
import type { Mode } from "../gen/words.gen.js";
import { current, stopped, type Running } from "./core.js";
import { Held } from "./held.js";
import type { Errand, Fetch, Join, PageKind } from "./orders.js";
import { Row, type Relays, type Reply } from "./relays.js";

/** How a relay is opened: docs/seam.md. */
export interface RelayOptions {
  profile?: unknown;
  sessions?: string[];
  cursors?: string[];
  from?: string[];
  lastEventId?: string;
  mode?: Mode;
  verdicts?: boolean;
  maxFrame?: number;
  maxDepth?: number;
  pageSize?: number;
}

/** What one input led to, in order. */
export interface Taken {
  /** Bytes for the consumer. */
  out: Uint8Array[];
  /** Verdicts, as JSON. */
  verdicts: string[];
  errands: Errand[];
  /** Nothing more is judged: the answer ends, and the connection with it. */
  ends: boolean;
}

/** Where a session stands: text that only the module reads, and the number that has moved since. */
interface Place {
  text: Uint8Array;
  seq?: number;
}

/** The relay refuses to begin: the consumer is answered instead. */
export class Unopened {
  readonly reply: Reply;

  constructor(reply: Reply) {
    this.reply = reply;
  }
}

const decoder = new TextDecoder();

type Obey = (passage: Passage, into: Taken, row: Row) => void;

/**
 * One stream through the module. The module may stop over another stream: then this one goes on in a fresh instance, from
 * its places and the bytes that were not passed on, and nobody notices.
 */
export class Passage {
  readonly #options: RelayOptions;
  readonly #held = new Held();
  readonly #places = new Map<number, Place>();
  readonly #row = new Row();
  #at!: Running;
  #handle = 0;
  #begun = false;
  /** Places in the connection: where this relay began, what it was done with, and what it was given. */
  #zero = 0;
  #mark = 0;
  #read = 0;
  #through = false;
  #shut = false;

  /** Throws `Unopened`. */
  constructor(options: RelayOptions) {
    this.#options = options;
    this.#open();
  }

  /** Takes bytes of the connection. */
  feed(chunk: Uint8Array): Taken {
    this.#held.add(chunk);
    return this.#input();
  }

  /** Takes the page that was asked for last. */
  page(body: Uint8Array, kind: PageKind): Taken {
    return this.#input(() => this.#relays.page(this.#handle, body, kind));
  }

  /** The connection has ended. */
  closed(failed: boolean): Taken {
    const into = this.#input(() => this.#relays.closed(this.#handle, failed));
    into.ends ||= this.#through;
    return into;
  }

  /** Frees what the module keeps of it. */
  close(): void {
    if (this.#shut) return;
    this.#shut = true;
    this.#held.clear();
    this.#at.relays?.close(this.#handle);
  }

  /** Where the module stops over this very stream, that ends with an error; one that only watches lets everything pass. */
  #input(give?: () => number): Taken {
    const into: Taken = { out: [], verdicts: [], errands: [], ends: false };
    if (this.#through) return this.#passThrough(into);
    try {
      const joined = this.#resume(into);
      if (give && !joined) this.#obey(into, give());
    } catch (error) {
      if (this.#options.mode !== "observe" || !stopped(this.#at)) throw error;
      this.#passThrough(into);
    }
    return into;
  }

  /** Reads what was not read yet, in a fresh instance where that is needed. Whether that one has to ask for the stream again. */
  #resume(into: Taken): boolean {
    if (stopped(this.#at)) this.#open();
    if (!this.#begun) this.#obey(into, this.#relays.begin(this.#handle));
    this.#begun = true;
    const joined = into.errands.some((errand) => errand.do === "join");
    const unread: Uint8Array[] = [];
    this.#held.pieces(this.#read, this.#held.to, unread);
    for (const piece of unread) this.#readPiece(into, piece);
    return joined;
  }

  #readPiece(into: Taken, piece: Uint8Array): void {
    for (let at = 0; at < piece.length && !into.ends && !this.#through; at += ARRIVAL) {
      const slice = piece.length > ARRIVAL ? piece.subarray(at, at + ARRIVAL) : piece;
      this.#read += slice.length;
      this.#obey(into, this.#relays.feed(this.#handle, slice));
    }
  }

  /** What was opened once can be opened again; else the module does not read what it wrote. */
  #open(): void {
    const again = this.#begun;
    this.#at = current();
    this.#handle = 0; // one of another instance means somebody else here
    const places = Array.from(this.#places.values(), placed);
    const opened = this.#relays.open(JSON.stringify({ ...this.#options, midway: this.#mark > 0, places }));
    if (typeof opened !== "number") throw again ? raised(opened.fault!) : new Unopened(opened);
    this.#handle = opened;
    this.#begun = false;
    this.#zero = this.#read = this.#mark;
  }

  /** Carries out the orders of one input. */
  #obey(into: Taken, count: number): void {
    const relays = this.#relays;
    for (;;) {
      for (let i = 0; i < count; i++) {
        relays.row(i, this.#row);
        Passage.#obeys[this.#row.kind]?.(this, into, this.#row);
      }
      if (count < ORDERS) break;
      count = relays.next(this.#handle);
    }
    if (this.#through) return;
    this.#mark = this.#zero + relays.mark();
    this.#held.drop(this.#mark);
  }

  /** Everything that is held, unjudged. */
  #passThrough(into: Taken): Taken {
    this.#through = true;
    this.#held.pieces(this.#mark, this.#held.to, into.out);
    this.#mark = this.#held.to;
    this.#held.drop(this.#mark);
    return into;
  }

  /** The bytes that are fed from here on are those of another connection. */
  #turn(): void {
    this.#held.clear();
    this.#zero = this.#read = 0;
  }

  /** While an input is taken there is one. */
  get #relays(): Relays {
    return this.#at.relays!;
  }

  #text({ at, length }: Row): string {
    return this.#relays.text(at, length);
  }

  #json<T>(row: Row): T {
    return JSON.parse(this.#text(row)) as T;
  }

  static readonly #obeys: Readonly<Record<number, Obey>> = {
    [ORDER.pass]: (p, { out }, { from, to }) => p.#held.pieces(p.#zero + from, p.#zero + to, out),
    [ORDER.insert]: (p, { out }, { at, length }) => out.push(p.#relays.copy(at, length)),
    [ORDER.verdict]: (p, { verdicts }, row) => verdicts.push(p.#text(row)),
    [ORDER.keep]: (p, _, { lane, at, length }) => p.#places.set(lane, { text: p.#relays.copy(at, length) }),
    [ORDER.move]: (p, _, { lane, from }) => (p.#places.get(lane)!.seq = from),
    [ORDER.close]: (_, into) => (into.ends = true),
    [ORDER.through]: (p, into, { from }) => ((p.#mark = p.#zero + from), p.#passThrough(into)),
    [ORDER.fetch]: (p, { errands }, row) => errands.push({ do: "fetch", page: p.#json<Fetch>(row) }),
    [ORDER.store]: (p, { errands }, row) => errands.push({ do: "store", key: p.#text(row) }),
    [ORDER.evict]: (p, { errands }, row) => errands.push({ do: "evict", key: p.#text(row) }),
    [ORDER.join]: (p, { errands }, row) => (p.#turn(), errands.push({ do: "join", from: p.#json<Join>(row) })),
  };
}

function placed({ text, seq }: Place): object {
  return { ...(JSON.parse(decoder.decode(text)) as object), ...(seq !== undefined && { seq }) };
}
