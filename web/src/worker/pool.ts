import { fault, messageOf, MODULE_EXITED, MODULE_LOAD } from "../errors.js";
import { links } from "../links.js";
import { undecided } from "../load.js";
import type { SavedPlace } from "../replaces.js";
import type { FarSettings, ToWorker } from "./messages.js";

/** What a browser's Worker, one of Node's threads, and those of other engines have in common. */
interface Thread {
  postMessage(message: ToWorker, transfer?: Transferable[]): void;
  terminate(): unknown;
  addEventListener?(type: string, hear: (event: { data?: unknown; message?: string }) => void): void;
  on?(type: string, hear: (value: unknown) => void): void;
  unref?(): void;
}

/** Makes the worker, in place of the one of the package. */
export type MakeWorker = () => Worker;

/** The function among the values of the option `worker`, if it is one. */
export function makerOf(worker: boolean | MakeWorker | undefined): MakeWorker | undefined {
  return typeof worker === "function" ? worker : undefined;
}

/** The way to one stream in a worker. */
export interface Way {
  readonly port: MessagePort;
  /** The stream is over, or given up. */
  leave(): void;
}

/** What became of a worker that is gone. `started`: it had run at all. `silent`: it had all the time it wants, and never did. */
export interface Loss {
  started: boolean;
  silent: boolean;
  message: string;
}

/** How long a worker waits for another stream before it is let go of, in milliseconds. */
const LINGER = 5000;

/** How long a script may take until it says that it runs, in milliseconds: one that is not ours never does. */
const PATIENCE = 15_000;

/** What to do about a script that did not run. */
const ADVICE = "check its address, or make the worker yourself: worker: () => new Worker(…), with the script of tidemark/worker";

/** One worker for all streams of a page, and what it takes to notice that it is gone. */
class Host {
  readonly thread: Thread;
  readonly #streams = new Set<(loss: Loss) => void>();
  #started = false;
  #gone = false;
  #idle: ReturnType<typeof setTimeout> | undefined;
  readonly #silence = setTimeout(() => this.lost(`its script said nothing; ${ADVICE}`, !this.#started), PATIENCE);

  constructor(thread: Thread) {
    this.thread = thread;
    unref(this.#silence);
    thread.unref?.(); // in Node, streams keep the process alive, by their ports
    hear(thread, "message", (data) => this.#said(data));
    hear(thread, "error", (error) => this.lost(wordsOf(error)));
    hear(thread, "exit", () => this.lost("it exited"));
  }

  /** Serves one more stream. `lost` is called once, when the worker is gone. */
  serve(settings: FarSettings, module: WebAssembly.Module | undefined, lost: (loss: Loss) => void): Way {
    const [port, far] = this.#way(lost);
    port.addEventListener?.("close", () => this.#streams.has(lost) && this.lost("its end of a port is gone"));
    this.thread.postMessage({ port: far, settings, ...(module && { module }) }, [far]);
    return { port, leave: () => this.#left(lost, port) };
  }

  /** Whether a saved record may take the place of another. */
  replaces(old: SavedPlace, record: SavedPlace): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const lost = ({ message }: Loss) => reject(fault(MODULE_EXITED, { found: `a worker that stopped: ${message}` }));
      const [port, far] = this.#way(lost);
      port.onmessage = ({ data }: MessageEvent<boolean | undefined>) => {
        this.#left(lost, port);
        if (data === undefined) reject(fault(MODULE_EXITED));
        else resolve(data);
      };
      this.thread.postMessage({ port: far, old, record }, [far]);
    });
  }

  #way(lost: (loss: Loss) => void): [near: MessagePort, far: MessagePort] {
    clearTimeout(this.#idle);
    this.#streams.add(lost);
    const { port1, port2 } = new MessageChannel();
    return [port1, port2];
  }

  lost(message: string, silent = false): void {
    if (this.#gone) return;
    this.#gone = true;
    clearTimeout(this.#silence);
    if (host === this) host = undefined;
    this.thread.terminate();
    const loss = { started: this.#started, silent, message };
    for (const lost of [...this.#streams]) lost(loss);
    this.#streams.clear();
  }

  #said(data: unknown): void {
    if (data === "ready") this.#begin();
    if (data === "locked") this.#watched();
  }

  #locked: (() => void) | undefined;

  /** From here on it is noticed when the worker is gone; until then only its silence is. */
  #watched(): void {
    clearTimeout(this.#silence);
    this.#locked?.();
  }

  /** Where ports do not say that their other end is gone, a lock does: it is free once the worker that holds it is. */
  #begin(): void {
    this.#started = true;
    const { locks } = globalThis.navigator ?? {};
    if (!locks || "onclose" in MessagePort.prototype || this.thread.on) return this.#watched();
    const lock = `tidemark worker ${crypto.randomUUID()}`;
    this.#locked = () => void locks.request(lock, () => this.lost("it is gone"));
    this.thread.postMessage({ lock });
  }

  #left(lost: (loss: Loss) => void, port: MessagePort): void {
    if (!this.#streams.delete(lost)) return;
    port.close();
    if (this.#streams.size > 0 || this.#gone) return;
    this.#idle = setTimeout(() => this.lost("no stream needs it"), LINGER);
    unref(this.#idle);
  }
}

let host: Host | undefined;
let making: Promise<Host> | undefined;

/** Serves a stream in the worker that runs, or in a new one. */
export async function hosted(settings: FarSettings, make: MakeWorker | undefined, lost: (loss: Loss) => void): Promise<Way> {
  const module = await compiled();
  return (await there(make)).serve(settings, module, lost);
}

/** The module as the page has compiled it, from wherever the app said; undefined: the page has not. */
async function compiled(): Promise<WebAssembly.Module | undefined> {
  while (undecided.size > 0) await Promise.allSettled(undecided);
  await links.loading?.catch(() => {});
  return links.module;
}

/** Asks the core about two saved records. */
export async function replaces(make: MakeWorker | undefined, old: SavedPlace, record: SavedPlace): Promise<boolean> {
  return (await there(make)).replaces(old, record);
}

async function there(make: MakeWorker | undefined): Promise<Host> {
  while (!host) await (making ??= start(make).finally(() => (making = undefined)));
  return host;
}

/** The worker that runs; undefined when none does. */
export function running(): { terminate(): unknown } | undefined {
  return host?.thread;
}

async function start(make: MakeWorker | undefined): Promise<Host> {
  try {
    return (host = new Host(make ? (make() as unknown as Thread) : await thread()));
  } catch (cause) {
    throw fault(MODULE_LOAD, { found: `no worker: ${messageOf(cause)}`, cause });
  }
}

async function thread(): Promise<Thread> {
  if (typeof Worker === "function") return new Worker(new URL("./entry.js", import.meta.url), { type: "module" }) as unknown as Thread;
  // Named in a variable so that no bundler looks for it in a page.
  const threads = "node:worker_threads";
  const node = (await import(/* @vite-ignore */ /* webpackIgnore: true */ threads)) as { Worker: new (script: URL) => Thread };
  return new node.Worker(new URL("./entry.js", import.meta.url));
}

/** In Node a timer keeps the process alive. */
function unref(timer: unknown): void {
  (timer as { unref?(): void }).unref?.();
}

function hear(thread: Thread, type: string, heard: (value: unknown) => void): void {
  if (thread.on) thread.on(type, heard);
  else thread.addEventListener?.(type, (event) => heard(type === "message" ? event.data : event.message));
}

function wordsOf(error: unknown): string {
  return typeof error === "string" && error !== "" ? error : ((error as Error | null)?.message ?? `its script did not run; ${ADVICE}`);
}
