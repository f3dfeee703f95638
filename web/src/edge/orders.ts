/** What a row of the order table asks for. The numbers are those of pkg/relay/order.go. */
export const ORDER = {
  pass: 1, insert: 2, verdict: 3, keep: 4, close: 5, through: 6, fetch: 7, store: 8, evict: 9, join: 10, move: 11,
} as const;

/** How a page was come by: the kinds of `relay_page`, wasm/abi/relays.go. */
export const PAGE = { none: 0, cached: 1, fresh: 2 } as const;

export type PageKind = (typeof PAGE)[keyof typeof PAGE];

/** Where a page is kept, and what the log route is asked for to get it. */
export interface Fetch {
  key: string;
  session: string;
  /** Absent: from the beginning. */
  cursor?: string;
  /** Events of the page, with the one that it shares with the page before. */
  limit: number;
  /** Nothing that is kept will do. */
  fresh: boolean;
}

/** From where the stream is asked for again. */
export interface Join {
  session: string;
  /** Absent: from the beginning. */
  cursor?: string;
}

/** What is to be done beside the answer, in the order in which it was said. */
export type Errand =
  | { do: "fetch"; page: Fetch }
  | { do: "store"; key: string }
  | { do: "evict"; key: string }
  | { do: "join"; from: Join };
