import type { Answer, Connection } from "./connection.js";
import { INVALID_OPTIONS, fault, TidemarkError } from "./errors.js";
import { type GiveHeaders, headersFrom } from "./headers.js";
import { addressOf } from "./request.js";
import type { Start } from "./rows.js";

/** What every request of one stream has in common. */
export interface Requests {
  url: URL;
  fetch: typeof fetch;
  headers: Headers | GiveHeaders;
  credentials: RequestCredentials | undefined;
}

/** Makes the connections of a stream over fetch. */
export class HttpSource {
  readonly #common: Requests;
  #renewed: Headers | undefined;

  constructor(common: Requests) {
    this.#common = common;
  }

  /** Asks at once. Headers that were renewed go with one request, and with the next one the app is asked again. */
  connect(starts: readonly Start[], attempt: number): Connection {
    const { url, headers } = this.#common;
    const address = addressOf(url, starts);
    const renewed = this.#renewed;
    this.#renewed = undefined;
    return new HttpConnection(this.#common, address, renewed ?? headersFrom(headers, { url: address, attempt }));
  }

  /** Asks the app for headers that the server takes. */
  async renew(starts: readonly Start[], attempt: number, status: 401 | 403): Promise<void> {
    const { url, headers } = this.#common;
    this.#renewed = await headersFrom(headers, { url: addressOf(url, starts), attempt, status });
  }
}

const BODY = 1 << 16;

/** One request and its body. Its body is only read when somebody asks for the next chunk. */
class HttpConnection implements Connection {
  readonly #abort = new AbortController();
  readonly #response: Promise<Response>;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(common: Requests, address: string, headers: Headers | Promise<Headers>) {
    this.#response = this.#ask(common, address, headers);
    this.#response.catch(() => {});
  }

  /** Headers that are there are sent in this very call. */
  async #ask({ fetch, credentials }: Requests, address: string, given: Headers | Promise<Headers>): Promise<Response> {
    const { signal } = this.#abort;
    const headers = given instanceof Headers ? given : await given;
    signal.throwIfAborted();
    return fetch(address, { headers, cache: "no-store", signal, ...(credentials && { credentials }) });
  }

  async answer(): Promise<Answer> {
    const response = await this.#response;
    if (typeof response?.status !== "number" || typeof response.headers?.get !== "function") {
      throw misfit("a Response", typeof response);
    }
    this.#reader = response.body?.getReader();
    const { status, headers } = response;
    const contentType = headers.get("content-type") ?? "";
    if (status === 200) return { status, contentType };
    return { status, contentType, ...waiting(headers.get("retry-after")), body: await this.#text() };
  }

  /** The beginning of a body as text. One that breaks off has said what it said. */
  async #text(): Promise<string> {
    const decoder = new TextDecoder();
    let text = "";
    try {
      for (let chunk; text.length < BODY && (chunk = await this.read()); ) text += decoder.decode(chunk, { stream: true });
    } catch (error) {
      if (error instanceof TidemarkError) throw error;
    }
    return text.slice(0, BODY);
  }

  async read(): Promise<Uint8Array | undefined> {
    const next = await this.#reader?.read();
    if (!next || next.done) return undefined;
    if (next.value instanceof Uint8Array) return next.value;
    throw misfit("a body of Uint8Array chunks", typeof next.value);
  }

  close(): void {
    this.#abort.abort();
    const cancel = (reader?: ReadableStreamDefaultReader) => reader?.cancel().catch(() => {});
    if (this.#reader) cancel(this.#reader);
    else this.#response.then((response) => cancel(response.body?.getReader()), () => {}).catch(() => {});
  }
}

/** Retry-After as milliseconds from now: it comes as seconds or as a date. */
function waiting(value: string | null): { retryAfterMs?: number } {
  if (value === null) return {};
  const ms = /^\s*\d+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? {} : { retryAfterMs: Math.min(Math.max(Math.round(ms), 0), 2 ** 31) };
}

function misfit(expected: string, found: string): TidemarkError {
  return fault(INVALID_OPTIONS, { expected: `fetch: a function that answers ${expected}`, found });
}
