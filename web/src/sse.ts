/**
 * text/event-stream bytes to messages, for those who bring their own transport. Any cutting of the
 * same bytes gives the same messages.
 */
import { BAD_INPUT, fault } from "./errors.js";
import { calls, type Calls } from "./ask.js";
import * as op from "./gen/ops.gen.js";
import { given, members } from "./wire.js";

export { init } from "./calls.js";
export { TidemarkError } from "./errors.js";

export interface Message {
  /** Type of the message; "message" when the block named none. */
  event: string;
  /** The id field of this block itself; absent when it had none, "" for an explicit reset. */
  id?: string;
  data: string;
  /** The connection's last id when this message went out. */
  lastEventId: string;
  /** Reconnection time that this block set, in milliseconds. */
  retry?: number;
}

/** How a stream stood when it ended. */
export interface StreamEnd {
  /** It ended inside a block, which was not handed over and whose id was not kept. */
  incompleteTail: boolean;
  lastEventId: string;
  retry?: number;
  /** Comment lines seen. */
  comments: number;
}

/** Decodes one connection. Close it to free its memory; a new connection takes a new decoder. */
export interface Decoder {
  /** The messages that these bytes complete. Text is taken as UTF-8. */
  feed(chunk: Uint8Array | ArrayBuffer | string): Message[];
  /** Says that the connection has ended. */
  end(): StreamEnd;
  close(): void;
}

/** Opens a decoder. A frame beyond `maxFrame` bytes is `stream.frame_too_large`. Needs `await init()`. */
export function decoder(options: { maxFrame?: number } = {}): Decoder {
  return new BlockDecoder(calls.now(), given(options, "options", "maxFrame").maxFrame);
}

const PIECE = 1 << 20;
const encoder = new TextEncoder();

class BlockDecoder implements Decoder {
  readonly #calls: Calls;
  #handle: number;

  constructor(on: Calls, maxFrame: number | undefined) {
    this.#calls = on;
    this.#handle = (on.call(op.decoderOpen, 0, members({ maxFrame })) as { handle: number }).handle;
  }

  feed(chunk: Uint8Array | ArrayBuffer | string): Message[] {
    const bytes = bytesOf(chunk);
    const messages: Message[] = [];
    for (let at = 0; at < bytes.length; at += PIECE) {
      const part = this.#calls.call(op.decoderFeed, this.#handle, bytes.subarray(at, at + PIECE)) as Message[];
      for (const message of part) messages.push(message);
    }
    return messages;
  }

  end(): StreamEnd {
    return this.#calls.call(op.decoderEnd, this.#handle) as StreamEnd;
  }

  close(): void {
    const handle = this.#handle;
    this.#handle = 0;
    if (handle !== 0 && !this.#calls.dead) this.#calls.call(op.decoderClose, handle);
  }
}

function bytesOf(chunk: unknown): Uint8Array {
  if (typeof chunk === "string") return encoder.encode(chunk);
  if (chunk instanceof Uint8Array) return chunk;
  if (chunk instanceof ArrayBuffer) return new Uint8Array(chunk);
  throw fault(BAD_INPUT, {
    expected: "a Uint8Array, an ArrayBuffer or text",
    found: chunk === null ? "null" : typeof chunk,
  });
}
