import type { PAGE } from "../gen/seam.gen.js";

/** How a page was come by. */
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
