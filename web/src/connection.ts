import { INVALID_OPTIONS, fault, TidemarkError } from "./errors.js";
import type { Settings } from "./options.js";

/** What a link has to know of an answer. The body only of one that is no stream, shortened. */
export interface Answer {
  status: number;
  contentType: string;
  retryAfterMs?: number;
  body?: string;
}

const BODY = 1 << 16;

/** One request and its body. Its body is only read when somebody asks for the next chunk. */
export class Connection {
  readonly address: string;
  readonly #abort = new AbortController();
  readonly #response: Promise<Response>;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  /** Starts the request at once. */
  constructor(settings: Settings<unknown>, address: string) {
    this.address = address;
    const { headers, credentials, fetch } = settings;
    const init: RequestInit = { headers, cache: "no-store", signal: this.#abort.signal, ...(credentials && { credentials }) };
    this.#response = (async () => fetch(address, init))();
    this.#response.catch(() => {});
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

  /** The next chunk; undefined at the end of the body. */
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
