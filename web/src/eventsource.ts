import type { AsideItem, FrameItem } from "./around.js";
import { Driver } from "./driver.js";
import { fault, INVALID_OPTIONS, type TidemarkError } from "./errors.js";
import type { EndCause, Item } from "./items.js";
import { settle } from "./options.js";
import { sessionOf } from "./route.js";
import type { OpenOptions } from "./settings.js";
import type { ConnectionState } from "./state.js";
import type { Refusal, Strength } from "./verdicts.js";

/** What an EventSource takes, and those options of `open` that mean something for one. */
export interface EventSourceInit
  extends Pick<OpenOptions, "cursor" | "from" | "session" | "headers" | "fetch" | "profile" | "proof" | "onDecision" | "debug" | "maxFrame" | "maxDepth"> {
  withCredentials?: boolean;
}

/** Why it is closed: one member is there. An error after which it goes on has null in its place. */
export interface Closing {
  refusal?: Refusal;
  /** What no retry can mend. */
  fault?: TidemarkError;
  end?: EndCause;
}

/** The events of its own, beside a MessageEvent for each event, of the type that its frame names. */
export interface EventSourceEventMap {
  open: Event;
  error: CustomEvent<Closing | null>;
  message: MessageEvent<string>;
  /** Just before the error that says that it is closed. */
  refused: CustomEvent<Refusal>;
  /** The replay has ended: what follows is live. */
  live: CustomEvent<{ seq: number; strength: Strength }>;
  /** Events without a place since this one come again: what was made of them is void. */
  restart: CustomEvent<{ afterSeq: number }>;
}

type Handler<E extends Event> = ((this: EventSource, event: E) => unknown) | null;
type Listener<E> = ((this: EventSource, event: E) => unknown) | { handleEvent(event: E): unknown };

export interface EventSource {
  addEventListener<K extends keyof EventSourceEventMap>(type: K, listener: Listener<EventSourceEventMap[K]> | null, options?: AddEventListenerOptions | boolean): void;
  addEventListener(type: string, listener: Listener<MessageEvent<string>> | null, options?: AddEventListenerOptions | boolean): void;
  removeEventListener<K extends keyof EventSourceEventMap>(type: K, listener: Listener<EventSourceEventMap[K]> | null, options?: EventListenerOptions | boolean): void;
  removeEventListener(type: string, listener: Listener<MessageEvent<string>> | null, options?: EventListenerOptions | boolean): void;
}

const CONNECTING = 0;
const OPEN = 1;
const CLOSED = 2;

/** What comes through the queue, in the order in which it came about. */
type Incoming = Item | FrameItem | AsideItem | { kind: "connection"; session: ""; connection: ConnectionState };

/**
 * The face of the browser's EventSource over a stream that is judged: put it in its place, and a splice becomes a
 * `refused` event and an error, with readyState CLOSED, where the browser's own goes on in silence. It follows one session.
 */
export class EventSource extends EventTarget {
  static readonly CONNECTING = CONNECTING;
  static readonly OPEN = OPEN;
  static readonly CLOSED = CLOSED;
  readonly CONNECTING = CONNECTING;
  readonly OPEN = OPEN;
  readonly CLOSED = CLOSED;

  readonly url: string;
  readonly withCredentials: boolean;
  #readyState: 0 | 1 | 2 = CONNECTING;
  #stood: ConnectionState = "idle";
  readonly #driver: Driver<unknown, unknown>;
  readonly #handlers = new Map<string, Handler<never>>();
  #frame: Pick<FrameItem, "name" | "id"> = { name: "", id: "" };

  /** Throws a SyntaxError for an address that is none, as the browser's own does, and a TidemarkError for a wrong option. */
  constructor(url: string | URL, init: EventSourceInit | null = {}) {
    super();
    const { withCredentials = false, ...wanted } = init ?? {};
    const { address, ...asked } = taken(absolute(url));
    this.url = absolute(url).href;
    this.withCredentials = withCredentials;
    const credentials = withCredentials ? "include" : "same-origin";
    const settings = settle(address, { ...asked, ...wanted, credentials, onState: ({ connection }) => this.#stands(connection) });
    this.#driver = new Driver({ ...settings, frames: true });
    void this.#run();
  }

  get readyState(): 0 | 1 | 2 {
    return this.#readyState;
  }

  /** Ends the connection. Nothing is dispatched any more. */
  close(): void {
    this.#readyState = CLOSED;
    this.#driver.stop();
    this.#driver.queue.clear();
  }

  /** In the queue, a change of the connection keeps its place among the events. */
  #stands(connection: ConnectionState): void {
    if (connection === this.#stood) return;
    this.#stood = connection;
    this.#driver.queue.put([{ kind: "connection", session: "", connection } as never], 0);
  }

  async #run(): Promise<void> {
    const { queue } = this.#driver;
    try {
      for (;;) {
        await queue.ready();
        const batch = queue.take() as Incoming[] | undefined;
        if (!batch) return this.#closed({});
        for (const item of batch) if (this.#readyState !== CLOSED) this.#take(item);
      }
    } catch (error) {
      this.#closed({ fault: error as TidemarkError });
    }
  }

  #take(item: Incoming): void {
    switch (item.kind) {
      case "connection":
        return this.#connection(item.connection);
      case "frame":
        return void (this.#frame = item);
      case "event":
      case "draft":
        return this.#message(this.#frame, item.json);
      case "aside":
        return this.#message(item, item.data);
      case "live":
        return this.#tell("live", { seq: item.seq, strength: item.strength });
      case "restart":
        return this.#tell("restart", { afterSeq: item.afterSeq });
      case "refused":
        this.#tell("refused", item.refusal);
        return this.#closed({ refusal: item.refusal });
      case "end":
        return this.#closed(item.fault ? { fault: item.fault } : { end: item.cause });
    }
  }

  /** As the browser's own: an error for each connection that broke or could not be made, and readyState says what is next. */
  #connection(now: ConnectionState): void {
    if (now === "closed") return; // why comes by itself
    const was = this.#readyState;
    this.#readyState = now === "open" ? OPEN : CONNECTING;
    if (now === "open") this.dispatchEvent(new Event("open"));
    else if (was === OPEN || now !== "connecting") this.#tell("error", null);
  }

  #closed(why: Closing): void {
    if (this.#readyState === CLOSED) return;
    this.close();
    this.#tell("error", why);
  }

  #message({ name, id }: Pick<FrameItem, "name" | "id">, data: string): void {
    this.dispatchEvent(new MessageEvent(name || "message", { data, lastEventId: id, origin: new URL(this.url).origin }));
  }

  #tell(type: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #handler<E extends Event>(type: string): Handler<E> {
    return (this.#handlers.get(type) as Handler<E> | undefined) ?? null;
  }

  /** The first handler decides where among the listeners it stands. */
  #handle(type: string, handler: Handler<never>): void {
    if (!this.#handlers.has(type)) super.addEventListener(type, (event) => this.#handlers.get(type)?.call(this, event as never));
    this.#handlers.set(type, typeof handler === "function" ? handler : null);
  }

  get onopen(): Handler<Event> {
    return this.#handler("open");
  }
  set onopen(handler: Handler<Event>) {
    this.#handle("open", handler);
  }
  get onmessage(): Handler<MessageEvent<string>> {
    return this.#handler("message");
  }
  set onmessage(handler: Handler<MessageEvent<string>>) {
    this.#handle("message", handler);
  }
  get onerror(): Handler<CustomEvent<Closing | null>> {
    return this.#handler("error");
  }
  set onerror(handler: Handler<CustomEvent<Closing | null>>) {
    this.#handle("error", handler);
  }
}

function absolute(url: string | URL): URL {
  try {
    return new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href);
  } catch {
    throw new DOMException(`An EventSource needs a URL: absolute, or relative to the page`, "SyntaxError");
  }
}

/** The address without what it says of sessions and starts, and that as options: each request says where to go on. */
function taken(address: URL): { address: URL } & Pick<OpenOptions, "session" | "cursor" | "from"> {
  const query = address.searchParams;
  const sessions = query.getAll("session");
  const [routed] = [sessionOf(address)].filter((session) => session !== undefined && !sessions.includes(session));
  if (sessions.length + (routed === undefined ? 0 : 1) > 1) {
    throw fault(INVALID_OPTIONS, { expected: "url: one session; `open` follows several", found: "more" });
  }
  const [session, cursor, from] = [sessions[0], query.getAll("cursor"), query.get("from")];
  for (const name of ["session", "cursor", "from"]) query.delete(name);
  return {
    address,
    ...(session !== undefined && { session }),
    ...(cursor.length > 0 && { cursor }),
    ...(from !== null && { from }),
  };
}
