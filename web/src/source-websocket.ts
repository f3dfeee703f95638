import { misfit } from "./pieces.js";
import { addressOf } from "./request.js";
import type { Source } from "./settings.js";
import { framed } from "./source-framed.js";
import { bytes, type Wanted } from "./source.js";

export interface WebSocketOptions {
  protocols?: string | string[];
  /** Sent as soon as the socket is open, where it is not the address that says where to go on. */
  hello?: (wanted: Wanted) => string | BufferSource;
  /** The constructor, where there is no global one. */
  WebSocket?: typeof WebSocket;
}

/** Where a socket connects to: an address that is given the cursors as a request would be, or one of your own. */
export type WebSocketAddress = string | URL | ((wanted: Wanted) => string | URL | PromiseLike<string | URL>);

/**
 * A connection over a WebSocket, each message one event as JSON. A close with code 1000 is a clean end of the body, and
 * any other a break. A socket cannot be told to wait: when more has come than was taken, it is closed, and what it did
 * not bring any more is asked for again.
 */
export function webSocket(address: WebSocketAddress, { protocols, hello, WebSocket: own }: WebSocketOptions = {}): Source {
  const Socket = own ?? globalThis.WebSocket;
  if (typeof Socket !== "function") throw misfit("webSocket", "the option WebSocket, since there is no global one", Socket);
  const urlFor = typeof address === "function" ? address : addressed(absolute(address));
  return bytes(async (wanted) => {
    const url = await urlFor(wanted);
    wanted.signal.throwIfAborted();
    const socket = new Socket(url, protocols);
    socket.binaryType = "arraybuffer";
    const inbox = new Inbox(socket);
    wanted.signal.addEventListener("abort", () => socket.close());
    await inbox.opened;
    if (hello) socket.send(hello(wanted));
    return framed(inbox);
  });
}

const addressed = (url: URL) => ({ starts }: Wanted) => addressOf(url, starts);

/** Relative to the page, and with the scheme of sockets, which older engines insist on. */
function absolute(address: string | URL): URL {
  let url: URL;
  try {
    url = new URL(address, globalThis.document?.baseURI ?? globalThis.location?.href);
  } catch {
    throw misfit("webSocket", "an absolute URL, or one relative to the page", address); // the engine's own words hold the address
  }
  url.protocol = url.protocol.replace(/^http/, "ws");
  return url;
}

/** Units of text and bytes that wait at most. */
const ROOM = 1 << 20;
const CLEAN = 1000;

/** What has come and was not taken yet, bounded. */
class Inbox implements AsyncIterable<string | Uint8Array>, AsyncIterator<string | Uint8Array> {
  readonly opened: Promise<void>;
  readonly #socket: WebSocket;
  readonly #waiting: (string | Uint8Array)[] = [];
  #size = 0;
  #end: { error?: Error } | undefined;
  #wake: () => void = () => {};

  constructor(socket: WebSocket) {
    this.#socket = socket;
    this.opened = new Promise((resolve, reject) => {
      socket.addEventListener("open", () => resolve());
      socket.addEventListener("close", ({ code }) => reject(closed(code)));
    });
    this.opened.catch(() => {});
    socket.addEventListener("message", ({ data }) => this.#put(data as unknown));
    socket.addEventListener("close", ({ code }) => this.#finish(code === CLEAN ? {} : { error: closed(code) }));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<string | Uint8Array>> {
    while (this.#waiting.length === 0 && !this.#end) await new Promise<void>((resolve) => (this.#wake = resolve));
    const value = this.#waiting.shift();
    if (value === undefined) return this.#over();
    this.#size -= value.length;
    return { done: false, value };
  }

  async return(): Promise<IteratorResult<string | Uint8Array>> {
    this.#socket.close();
    return { done: true, value: undefined };
  }

  #over(): IteratorResult<string | Uint8Array> {
    if (this.#end?.error) throw this.#end.error;
    return { done: true, value: undefined };
  }

  #put(data: unknown): void {
    if (this.#end) return;
    const message = data instanceof ArrayBuffer ? new Uint8Array(data) : (data as string);
    this.#waiting.push(message);
    this.#size += message.length;
    if (this.#size > ROOM) this.#overflow();
    else this.#wake();
  }

  #overflow(): void {
    this.#finish({ error: new Error(`more than ${ROOM} bytes came before they were taken`) });
    this.#socket.close();
  }

  #finish(end: { error?: Error }): void {
    this.#end ??= end;
    this.#wake();
  }
}

const closed = (code: number) => new Error(`the socket was closed with code ${code}`);
