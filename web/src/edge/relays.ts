import { BAD_HANDLE, fault, type RawFault } from "../errors.js";
import {
  ORDER_DATA, ORDER_DOUBLES, ORDER_FROM, ORDER_KIND, ORDER_LANE, ORDER_LENGTH, ORDER_MARK, ORDER_TO, ORDER_WORDS, ORDERS,
} from "../gen/seam.gen.js";
import { Instance, type Exports } from "../instance.js";
import type { PageKind } from "./orders.js";

export interface RelayExports extends Exports {
  rows(): number;
  arrival(): number;
  relay_judge(n: number): number;
  relay_open(n: number): number;
  relay_begin(handle: number): number;
  relay_feed(handle: number, n: number): number;
  relay_page(handle: number, n: number, kind: number): number;
  relay_closed(handle: number, failed: number): number;
  relay_next(handle: number): number;
  relay_close(handle: number): void;
  saved_replaces(n: number): number;
}

/** What is answered in place of a stream, or that there is one. */
export interface Reply {
  status: number;
  stream?: boolean;
  /** The body of the upstream passes as it came. */
  body?: boolean;
  /** The body that is answered instead. */
  problem?: object;
  fault?: RawFault;
}

/** The head of an upstream answer; status 0: there was none. */
export interface Head {
  status: number;
  contentType?: string;
  encoding?: string;
}

/** Where a consumer stands, and how often it has begun anew. */
export interface Place {
  epoch: number;
  cursor: string;
}

/** One order: a row of the table. Its data is `length` bytes of memory at `at`, until the next call. */
export class Row {
  kind = 0;
  lane = 0;
  from = 0;
  to = 0;
  at = 0;
  length = 0;
}

/** The module of an edge worker: relays by handle, and the orders that they give. */
export class Relays extends Instance<RelayExports> {
  #rows = 0;
  #arrival = 0;
  #words: Uint32Array = new Uint32Array();
  #places: Float64Array = new Float64Array();

  judge(head: Head): Reply {
    const n = this.put(JSON.stringify(head));
    return this.#reply(this.run((e) => e.relay_judge(n)));
  }

  /** A handle, or what the consumer is answered instead. */
  open(options: string): number | Reply {
    const n = this.put(options);
    const handle = this.run((e) => e.relay_open(n));
    return handle || this.#reply(this.run((e) => e.output_len()));
  }

  begin(handle: number): number {
    return this.#counted((e) => e.relay_begin(handle));
  }

  /** Takes bytes of the connection, `ARRIVAL` of them at most. */
  feed(handle: number, bytes: Uint8Array): number {
    this.#arrival ||= this.run((e) => e.arrival()) >>> 0;
    this.memory().set(bytes, this.#arrival);
    return this.#counted((e) => e.relay_feed(handle, bytes.length));
  }

  page(handle: number, body: Uint8Array, kind: PageKind): number {
    const n = this.put(body);
    return this.#counted((e) => e.relay_page(handle, n, kind));
  }

  closed(handle: number, failed: boolean): number {
    return this.#counted((e) => e.relay_closed(handle, failed ? 1 : 0));
  }

  next(handle: number): number {
    return this.#counted((e) => e.relay_next(handle));
  }

  /** Where the bytes begin that were neither passed on nor left out, of the relay that answered last. */
  mark(): number {
    this.#view();
    return this.#places[ORDER_MARK]!;
  }

  close(handle: number): void {
    if (!this.dead) this.run((e) => (e.relay_close(handle), 0));
  }

  /** Reads a row of the last answer. */
  row(i: number, into: Row): void {
    this.#view();
    into.kind = this.#words[i * ORDER_WORDS + ORDER_KIND]!;
    into.lane = this.#words[i * ORDER_WORDS + ORDER_LANE]!;
    into.from = this.#places[i * ORDER_DOUBLES + ORDER_FROM]!;
    into.to = this.#places[i * ORDER_DOUBLES + ORDER_TO]!;
    into.at = this.#words[i * ORDER_WORDS + ORDER_DATA]!;
    into.length = this.#words[i * ORDER_WORDS + ORDER_LENGTH]!;
  }

  /** Whether a place may take that of another: 1 yes, 0 no, -1 when one of them is none. */
  replaces(old: Place, place: Place): number {
    const n = this.put(JSON.stringify({ oldEpoch: old.epoch, oldCursor: old.cursor, epoch: place.epoch, cursor: place.cursor }));
    return this.run((e) => e.saved_replaces(n));
  }

  #view(): void {
    if (this.#words.length > 0) return;
    this.#rows ||= this.run((e) => e.rows()) >>> 0;
    const { buffer } = this.memory();
    this.#words = new Uint32Array(buffer, this.#rows, ORDERS * ORDER_WORDS);
    this.#places = new Float64Array(buffer, this.#rows, ORDER_MARK + 1);
  }

  #reply(length: number): Reply {
    return JSON.parse(this.output(length)) as Reply;
  }

  #counted(use: (e: RelayExports) => number): number {
    const count = this.run(use);
    if (count < 0) throw fault(BAD_HANDLE);
    return count;
  }
}
