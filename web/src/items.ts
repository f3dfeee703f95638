import type { TidemarkError } from "./errors.js";
import type { EndCause, LoadWhy } from "./gen/words.gen.js";
import type { Refusal, Strength } from "./verdicts.js";

export type { EndCause };

/** A whole new state from `load`, and the cursor it stands at: replaces what you had. */
export interface StateItem<S = unknown> {
  kind: "state";
  why: LoadWhy;
  session: string;
  state: S;
  cursor: string;
}

interface Payload<E> {
  session: string;
  /** Type of the event, "" when it has none. */
  type: string;
  /** The event, parsed on first read and then kept. */
  readonly event: E;
  /** The event's own text, byte for byte. */
  readonly json: string;
}

/** A recorded event, contiguous with all before it and of this generation. */
export interface EventItem<E = unknown> extends Payload<E> {
  kind: "event";
  seq: number;
  generation?: string;
}

/** An event that is not recorded: it may come again, and a `restart` voids it. */
export interface DraftItem<E = unknown> extends Payload<E> {
  kind: "draft";
  generation?: string;
}

/** Drafts of this session since `afterSeq` are void; they come again. */
export interface RestartItem {
  kind: "restart";
  session: string;
  afterSeq: number;
}

/** Replay has ended: what follows is live. */
export interface LiveItem {
  kind: "live";
  session: string;
  seq: number;
  strength: Strength;
}

/** This session does not go on; the others of the stream do. */
export interface RefusedItem {
  kind: "refused";
  session: string;
  refusal: Refusal;
}

/** Nothing more comes for this session. */
export interface EndItem {
  kind: "end";
  /** "" when the session was left to the server to name, and no name had come. */
  session: string;
  cause: EndCause;
  /** With cause "failed": what ended this session, while others of the stream go on. */
  fault?: TidemarkError;
}

/** What a stream hands over. Switch on `kind`. */
export type Item<E = unknown, S = unknown> =
  | StateItem<S> | EventItem<E> | DraftItem<E> | RestartItem | LiveItem | RefusedItem | EndItem;

const utf8 = new TextDecoder();
const bytewise = new TextDecoder("latin1");

/** One copy of linear memory that all events of a drain share. */
export class Page {
  readonly #bytes: Uint8Array;
  readonly #at: number;
  #text: string | undefined;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get size(): number {
    return this.#bytes.length;
  }

  /** The copy itself, to be handed to another thread; and where it had been. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  get at(): number {
    return this.#at;
  }

  /** Text at an address. ASCII is cut from one bytewise decoding of the whole page, which is faster. */
  text(at: number, length: number, ascii: boolean): string {
    const from = at - this.#at;
    if (!ascii) return utf8.decode(this.#bytes.subarray(from, from + length));
    this.#text ??= bytewise.decode(this.#bytes);
    return this.#text.slice(from, from + length);
  }
}

/** An event or draft over a shared page. The members are plain; `event` and `json` are read from the page. */
export class PageItem<E> {
  readonly kind: "event" | "draft";
  readonly session: string;
  readonly type: string;
  declare seq?: number;
  declare generation?: string;
  readonly #page: Page;
  readonly #at: number;
  readonly #length: number;
  readonly #ascii: boolean;
  #event: E | undefined;

  constructor(
    kind: "event" | "draft", session: string, type: string,
    page: Page, at: number, length: number, ascii: boolean,
  ) {
    this.kind = kind;
    this.session = session;
    this.type = type;
    this.#page = page;
    this.#at = at;
    this.#length = length;
    this.#ascii = ascii;
  }

  /** Where the text of an item stands, to be handed to another thread. */
  static place(item: PageItem<unknown>) {
    return { page: item.#page, at: item.#at, length: item.#length, ascii: item.#ascii };
  }

  get event(): E {
    return (this.#event ??= JSON.parse(this.json) as E);
  }

  get json(): string {
    return this.#page.text(this.#at, this.#length, this.#ascii);
  }

  toJSON(): object {
    return { ...this, event: this.event };
  }
}
