import { PAGE } from "../gen/seam.gen.js";
import type { Beyond, Reader } from "./course.js";
import type { Exchange } from "./exchange.js";
import { running } from "./core.js";
import type { Fetch, Join, PageKind } from "./orders.js";
import { isStream } from "./reply.js";

/** Where pages are kept: a Cache, `caches.default` or what `caches.open` gives. */
export interface PageCache {
  match(url: string): Promise<Response | undefined>;
  put(url: string, page: Response): Promise<void>;
  delete(url: string): Promise<boolean>;
}

export interface HistoryOptions {
  /** One that fails costs its pages, and no stream. */
  cache: PageCache;
  /** Events of a page; the log route is asked for one more. 1 to 65536; default: 256. */
  pageSize?: number;
  /**
   * Keeps pages of servers, tenants or deployments apart that share the cache. Default: the address of the log, with all of the
   * query but where to start. Required where only credentials tell two logs apart whose session ids may be the same.
   */
  scope?: string;
}

export const PAGE_SIZE = 256;

/** Bytes of a page. One that has more is passed over: many streams share the memory of an isolate. */
const MOST = 16 << 20;

/** A host that nobody can ask: what is kept under it is reached by no request from outside. */
const PAGES = "https://pages.tidemark.invalid/";
const NEVER_CHANGES = { "content-type": "application/json", "cache-control": "public, max-age=31536000, immutable" };
const NONE = { body: new Uint8Array(), kind: PAGE.none };

/** Pages from the cache or the server, and the stream behind them. What it is ordered to do, and when, is the module's to say. */
export class History implements Beyond {
  readonly #cache: PageCache;
  readonly #scope: string;
  readonly #exchange: Exchange;
  #done: Promise<unknown> = Promise.resolve();
  #page = NONE.body;

  constructor({ cache, scope }: HistoryOptions, exchange: Exchange) {
    this.#cache = cache;
    this.#scope = scope ?? exchange.log().href;
    this.#exchange = exchange;
  }

  async fetch(page: Fetch): Promise<{ body: Uint8Array; kind: PageKind }> {
    const kept = page.fresh ? undefined : await this.#kept(page.key);
    return kept ? { body: kept, kind: PAGE.cached } : this.#fresh(page);
  }

  store(key: string): void {
    const page = new Response(this.#page, { headers: NEVER_CHANGES });
    this.#later(() => this.#cache.put(this.#address(key), page));
  }

  evict(key: string): void {
    this.#later(() => this.#cache.delete(this.#address(key)));
  }

  async join(from: Join): Promise<Reader> {
    this.#page = NONE.body; // the stream behind it can stay open for long
    const answer = await this.#exchange.again(from);
    if (answer.body && isStream(running(), answer)) return answer.body.getReader();
    void answer.body?.cancel().catch(() => {});
    throw new Error(`the stream behind the history was answered with status ${answer.status}`);
  }

  /** What was ordered of the cache is done. */
  async settled(): Promise<void> {
    for (let last; last !== this.#done; ) await (last = this.#done);
  }

  /** A cache that fails has nothing. */
  async #kept(key: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      const page = await this.#cache.match(this.#address(key));
      return page && new Uint8Array(await page.arrayBuffer());
    } catch {
      return undefined;
    }
  }

  async #fresh({ cursor, limit }: Fetch): Promise<{ body: Uint8Array; kind: PageKind }> {
    try {
      const answer = await this.#exchange.page(cursor, limit);
      if (answer.status !== 200) return void answer.body?.cancel().catch(() => {}), NONE;
      this.#page = await whole(answer);
      return { body: this.#page, kind: PAGE.fresh };
    } catch {
      return NONE;
    }
  }

  /** One after the other, because a page that is given up is not to be kept behind that. What becomes of one harms no stream. */
  #later(work: () => Promise<unknown>): void {
    this.#done = this.#done.then(work).catch(() => {});
  }

  #address(key: string): string {
    return `${PAGES}${encodeURIComponent(this.#scope)}/${encodeURIComponent(key)}`;
  }
}

/** The body of an answer. Throws, and leaves it, when that has too many bytes. */
async function whole({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = body?.getReader();
  let length = 0;
  for (let next; (next = await reader?.read()) && !next.done; chunks.push(next.value)) {
    if ((length += next.value.length) <= MOST) continue;
    void reader!.cancel().catch(() => {});
    throw new Error(`a page of more than ${MOST} bytes`);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
