import { NOT_ASKED } from "../gen/headers.gen.js";
import { sessionOf } from "../route.js";
import { passing, type Pairs } from "./headers.js";
import type { Join } from "./orders.js";

/** How a request is made: as the global fetch does. The headers are its to change. */
export type Fetching = (input: string, init: RequestInit & { headers: Headers }) => Promise<Response>;

export interface ExchangeOptions {
  /** The server: absolute, http or https, without credentials, query or fragment. */
  upstream: string | URL;
  /** Makes the requests. Default: the global fetch. */
  fetch?: Fetching;
  /** Go along with every request to the server, in place of what the consumer says under these names. */
  headers?: HeadersInit;
}

/** A body that comes with these means nothing, and no platform sends one. */
const BODILESS = ["GET", "HEAD"];

/** Where a stream starts, in its headers. */
const START_HEADER = ["last-event-id"];

/** What one consumer's request leads to at the server: with its credentials, and only as long as it stays. */
export class Exchange {
  readonly #request: Request;
  readonly #options: ExchangeOptions;
  readonly #address: URL;
  #stop: AbortController | undefined;
  #ended = false;
  #forget: (() => void) | undefined;

  constructor(request: Request, options: ExchangeOptions) {
    this.#request = request;
    this.#options = options;
    this.#address = addressAt(options.upstream, request);
  }

  /** Aborts when the consumer leaves, on hosts that say so. */
  get signal(): AbortSignal | undefined {
    return this.#request.signal;
  }

  /** Asks for what the consumer asks for; from a cursor where it has named no start. */
  first(cursor: string | undefined): Promise<Response> {
    const { method, body } = this.#request;
    const sent = BODILESS.includes(method) ? null : body;
    const address = cursor === undefined ? this.#address : from(this.#address, cursor);
    // not every engine sends a stream without being told that it need not wait for the answer
    const init = { method, headers: this.#headers("text/event-stream"), signal: this.signal ?? null, ...(sent && { body: sent, duplex: "half" }) };
    return this.#ask(address, init);
  }

  /** Asks for the stream again, from another place. */
  again({ cursor }: Join): Promise<Response> {
    return this.#ask(from(this.#address, cursor), { headers: this.#headers("text/event-stream", START_HEADER), signal: this.#behind() });
  }

  /** The address of the log route, with what else the consumer asks for: whoever asks for the same is answered from the same log. */
  log(cursor?: string): URL {
    const address = from(this.#address, cursor);
    address.pathname = address.pathname.replace(/\/events\/?$/, "/log");
    return address;
  }

  /** Asks the log route for a page. */
  page(cursor: string | undefined, limit: number): Promise<Response> {
    return this.#ask(asking(this.log(cursor), { limit: String(limit) }), { headers: this.#headers("application/json", START_HEADER), signal: this.#behind() });
  }

  /** Nothing of what was asked for behind the consumer's own request is needed any more. */
  end(): void {
    this.#ended = true;
    this.#forget?.();
    this.#stop?.abort();
  }

  /** Redirects are not followed, because credentials would go along. */
  async #ask(address: URL, init: RequestInit & { headers: Pairs }): Promise<Response> {
    const { fetch: own } = this.#options;
    const asked = { ...init, redirect: "manual" } as const;
    return own ? own(address.href, { ...asked, headers: new Headers(init.headers) }) : fetch(address.href, asked);
  }

  /** Those of the consumer, with those of the worker over them. What passes is read, so it must not be compressed. */
  #headers(accept: string, left: readonly string[] = []): Pairs {
    const { headers: own } = this.#options;
    const ours = { accept, "accept-encoding": "identity", ...(own && Object.fromEntries(new Headers(own))) };
    return passing(this.#request.headers, [...NOT_ASKED, ...left], ours);
  }

  /** Aborts at the end as well. It is made where there is such a request: a signal of its own costs a short request a seventh. */
  #behind(): AbortSignal {
    if (this.#ended) return AbortSignal.abort(); // it has ended while a page was looked for
    if (!this.#stop) this.#follow(this.signal, (this.#stop = new AbortController()));
    return this.#stop!.signal;
  }

  #follow(signal: AbortSignal | undefined, stop: AbortController): void {
    const abort = () => stop.abort(signal!.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    this.#forget = () => signal?.removeEventListener("abort", abort);
  }
}

/** Whether a request is for the stream of a session on our route, beside which there is its log. */
export function hasLog({ method, url }: Request): boolean {
  return method === "GET" && sessionOf(new URL(url)) !== undefined;
}

/** The same path and query at the upstream. */
function addressAt(upstream: string | URL, request: Request): URL {
  const { pathname, search } = new URL(request.url);
  const address = new URL(upstream);
  address.pathname = address.pathname.replace(/\/$/, "") + pathname;
  address.search = search;
  return address;
}

/** The address with another start; undefined: from the beginning. */
function from(address: URL, cursor: string | undefined): URL {
  return asking(address, { cursor, from: undefined });
}

/** The address with these in its query, undefined ones absent. What else is there stays as it was written. */
function asking(address: URL, values: Record<string, string | undefined>): URL {
  const names = Object.keys(values);
  const rest = address.search.slice(1).split("&").filter((pair) => pair && !names.includes(nameIn(pair)));
  const added = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]));
  const other = new URL(address);
  other.search = [...rest, ...added].join("&");
  return other;
}

/** The name in one part of a query, which may begin with the sign of a query. */
function nameIn(pair: string): string {
  return new URLSearchParams(`&${pair}`).keys().next().value!;
}
