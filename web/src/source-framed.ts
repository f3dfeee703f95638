import { iteratorOf, misfit } from "./pieces.js";

/** Messages of a transport that keeps them apart: each is one event as JSON, in text or as UTF-8. */
export type Messages = ReadableStream<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/**
 * Messages as the bytes of an event stream: each one becomes one event, without a name and an id. An empty message is
 * none. Line ends between the members of a message come out as LF; nothing else of it is changed.
 */
export function framed(messages: Messages): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => frames(iteratorOf(messages)) };
}

/** No generator: one that waits for the next message could not be left. */
function frames(iterator: AsyncIterator<string | Uint8Array>): AsyncIterator<Uint8Array> {
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const { done, value } = await iterator.next();
    return done ? { done, value: undefined } : { done: false, value: frame(bytesOf(value)) };
  };
  return { next, return: async () => (await iterator.return?.(), { done: true, value: undefined }) };
}

const encoder = new TextEncoder();

function bytesOf(message: unknown): Uint8Array {
  if (typeof message === "string") return encoder.encode(message);
  if (message instanceof Uint8Array) return message;
  throw misfit("framed", "messages that are text or a Uint8Array each", message);
}

const LF = 10;
const CR = 13;
const DATA = encoder.encode("data: ");
const LINE_END = Uint8Array.of(LF);

/** One data field for each line, and a blank line. */
function frame(message: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (let at = 0; at <= message.length; at++) {
    const byte = message[at];
    if (byte !== undefined && byte !== LF && byte !== CR) continue;
    parts.push(DATA, message.subarray(from, at), LINE_END);
    if (byte === CR && message[at + 1] === LF) at++;
    from = at + 1;
  }
  return joined([...parts, LINE_END]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
