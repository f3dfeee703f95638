import type { Answer, Connection } from "./connection.js";
import { fault, messageOf, SOURCE_FAILED, TidemarkError } from "./errors.js";
import { Pending } from "./pending.js";
import { isIterable, isReadable, iteratorOf, leave, misfit } from "./pieces.js";
import { isResponse, ResponseBody } from "./response.js";
import type { Start } from "./rows.js";
import type { Source } from "./settings.js";

/** The bytes of an event stream, in pieces of any size. */
export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** One session that a connection is wanted for, and where it is to begin. */
export interface From extends Start {
  /** With start "cursor": the last recorded event that is there already, on the wire's numbering. */
  seq?: number;
  /** With start "cursor", when one is known: under which generation that event was written. */
  generation?: string;
}

/** The connection that is wanted. */
export interface Wanted {
  starts: readonly From[];
  /** Connections since the last recorded event, this one counted: 1 when all is well. */
  attempt: number;
  /** Fires when the connection is given up. */
  signal: AbortSignal;
}

/** Makes one connection after another. A Response is judged like one of fetch, by status and content type. */
export type Connect = (wanted: Wanted) => ByteStream | Response | PromiseLike<ByteStream | Response>;

/** Bytes of your own, or an answer that you have already, once; or a function that makes a connection whenever one is wanted. */
export type ByteSource = ByteStream | Response | Connect;

/**
 * A source for `open` of bytes that you have, or can get. What is there once cannot be asked again after a break: then the
 * stream ends as incomplete, or with `stream.source_failed` when reading threw.
 */
export function bytes(source: ByteSource): Source {
  if (typeof source !== "function" && !isBody(source)) throw misfit("bytes", `${BODIES}, or a function that answers one`, source);
  if (typeof source !== "function") return { single: true, connect: () => new Once(source) };
  return {
    single: false,
    connect: (starts, attempt) =>
      new Pending(async (signal) => connectionOf(await source({ starts: starts.map(placed), attempt, signal }))),
  };
}

const BODIES = "a ReadableStream, an async iterable or a Response";

function isBody(value: unknown): boolean {
  return isReadable(value) || isIterable(value) || isResponse(value);
}

/** A start with its token taken apart. */
function placed(start: Start): From {
  const { session, token } = start;
  if (token === undefined) return start;
  const [seq, generation] = token.slice(session.length + 1).split("@");
  return { ...start, seq: Number(seq), ...(generation !== undefined && { generation: decodeURIComponent(generation) }) };
}

/** A connection that nothing can take the place of: what fails ends the stream, and comes along as the cause. */
class Once implements Connection {
  readonly #only: Connection;

  constructor(source: ByteStream | Response) {
    this.#only = new Pending(async () => connectionOf(source));
  }

  answer(): Promise<Answer> {
    return blamed(this.#only.answer());
  }

  read(): Promise<Uint8Array | undefined> {
    return blamed(this.#only.read());
  }

  close(): void {
    this.#only.close();
  }
}

async function blamed<T>(use: Promise<T>): Promise<T> {
  try {
    return await use;
  } catch (cause) {
    if (cause instanceof TidemarkError) throw cause;
    throw fault(SOURCE_FAILED, { found: messageOf(cause), cause });
  }
}

function connectionOf(given: ByteStream | Response): Connection {
  if (isResponse(given)) return new ResponseBody(given, "bytes");
  if (isReadable(given) || isIterable(given)) return new Pieces(iteratorOf(given));
  throw misfit("bytes", `a function that answers ${BODIES}`, given);
}

/** Bytes without an answer before them. */
class Pieces implements Connection {
  readonly #iterator: AsyncIterator<Uint8Array>;

  constructor(iterator: AsyncIterator<Uint8Array>) {
    this.#iterator = iterator;
  }

  async answer(): Promise<Answer> {
    return { status: 200, contentType: "text/event-stream" };
  }

  async read(): Promise<Uint8Array | undefined> {
    const { done, value } = await this.#iterator.next();
    if (done) return undefined;
    if ((value as unknown) instanceof Uint8Array) return value;
    throw misfit("bytes", "pieces of Uint8Array", value);
  }

  close(): void {
    void leave(this.#iterator);
  }
}
