import { fault, messageOf, SOURCE_FAILED } from "./errors.js";
import { iteratorOf } from "./pieces.js";

/** Answers text for an event that names its stream. */
export type Identify = (event: unknown) => string | undefined;

/** As far as a name is looked for, in characters. */
const LIMIT = 1 << 20;

/** The same answer, read along until an event has named the stream. `found` hears of it before the event is handed on. */
export function readAlong(response: Response, identify: Identify, found: (name: string) => void): Response | AsyncIterable<Uint8Array> {
  const { status, headers, body } = response;
  if (status !== 200 || !body || !/^text\/event-stream\b/i.test(headers.get("content-type") ?? "")) return response;
  const search = new Search(identify, found);
  const pieces = iteratorOf<Uint8Array>(body);
  const next = async () => {
    const piece = await pieces.next();
    if (!piece.done) search.see(piece.value);
    return piece;
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: () => pieces.return!() }) };
}

/** Reads events only as far as a name may be in them; what they are worth is for the link to say. */
class Search {
  readonly #identify: Identify;
  readonly #found: (name: string) => void;
  readonly #decoder = new TextDecoder();
  #text = "";
  #over = false;

  constructor(identify: Identify, found: (name: string) => void) {
    this.#identify = identify;
    this.#found = found;
  }

  see(piece: Uint8Array): void {
    if (this.#over) return;
    this.#text += this.#decoder.decode(piece, { stream: true });
    this.#over = this.#text.length > LIMIT || this.#frames().some((frame) => this.#names(frame));
  }

  /** The frames that have ended, with LF as the only line end. A CR at the very end may be half of one. */
  #frames(): string[] {
    const whole = this.#text.endsWith("\r") ? this.#text.slice(0, -1) : this.#text;
    const frames = whole.replace(/\r\n?/g, "\n").split("\n\n");
    this.#text = frames.pop()! + this.#text.slice(whole.length);
    return frames;
  }

  #names(frame: string): boolean {
    const lines = frame.split("\n").filter((line) => line.startsWith("data:"));
    const name = this.#ask(lines.map((line) => line.slice(5)).join("\n"));
    if (typeof name === "string") this.#found(name);
    return typeof name === "string";
  }

  #ask(data: string): string | undefined {
    let event: unknown;
    try {
      event = JSON.parse(data);
    } catch {
      return undefined;
    }
    try {
      return this.#identify(event);
    } catch (cause) {
      throw fault(SOURCE_FAILED, { found: messageOf(cause), cause });
    }
  }
}
