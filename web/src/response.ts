import type { Answer, Connection } from "./connection.js";
import { misfit } from "./pieces.js";
import { TidemarkError } from "./errors.js";

const BODY = 1 << 16;

export function isResponse(value: unknown): value is Response {
  const response = value as Response | null | undefined;
  return typeof response?.status === "number" && typeof response.headers?.get === "function";
}

/** An answer and its body, which is only read when somebody asks for the next chunk. */
export class ResponseBody implements Connection {
  readonly #response: Response;
  readonly #from: string;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  /** `from` names the option that the answer comes from. */
  constructor(response: Response, from: string) {
    this.#response = response;
    this.#from = from;
  }

  async answer(): Promise<Answer> {
    const { status, headers, body } = this.#response;
    this.#reader = body?.getReader();
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
    throw misfit(this.#from, "a body of Uint8Array chunks", next.value);
  }

  /** A body that nobody has begun to read is let go of, too. */
  close(): void {
    const { body } = this.#response;
    if (this.#reader) this.#reader.cancel().catch(() => {});
    else if (body && !body.locked) body.cancel().catch(() => {});
  }
}

/** Retry-After as milliseconds from now: it comes as seconds or as a date. */
function waiting(value: string | null): { retryAfterMs?: number } {
  if (value === null) return {};
  const ms = /^\s*\d+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? {} : { retryAfterMs: Math.min(Math.max(Math.round(ms), 0), 2 ** 31) };
}
