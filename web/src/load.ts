import { fault, INVALID_OPTIONS, messageOf, MODULE_LOAD, TidemarkError } from "./errors.js";
import { start, type Instance, type Kind } from "./instance.js";

/** Where a module comes from. A Response is used up; bytes are compiled as they are now. */
export type ModuleSource = string | URL | BufferSource | Response | WebAssembly.Module;

/** What somebody is loading that may turn out to be any of the modules. */
export const undecided = new Set<Promise<unknown>>();

/** Holds others back until it is known which module `placed` is about. */
export function undecidedUntil(placed: Promise<unknown>): void {
  undecided.add(placed);
  const decided = () => undecided.delete(placed);
  placed.then(decided, decided);
}

/**
 * Loads one of the modules once, and keeps an instance of it running: one that stopped is replaced
 * from what was compiled. After a failure any source can be tried.
 */
export class Loader<T extends Instance> {
  protected readonly kind: Kind<T>;
  readonly beside: () => URL;
  module: WebAssembly.Module | undefined;
  /** What is loading, or was loaded, and from where. */
  loading: Promise<T> | undefined;
  source: unknown;
  protected current: T | undefined;

  /** `beside` names the file in the package. */
  constructor(kind: Kind<T>, beside: () => URL) {
    this.kind = kind;
    this.beside = beside;
  }

  begin(source: unknown, module: Promise<WebAssembly.Module>): Promise<T> {
    const loading = this.#run(module);
    this.source = source;
    this.loading = loading;
    loading.catch(() => {
      if (this.loading === loading) this.loading = undefined;
    });
    return loading;
  }

  /** A running instance, loading the module when nobody has. */
  async ready(): Promise<T> {
    while (undecided.size > 0) await Promise.allSettled(undecided);
    await (this.loading ?? this.begin(this.beside().href, fetched(this.beside())));
    if (this.current!.dead) {
      const fresh = await start(this.module!, this.kind);
      if (this.current!.dead) this.current = fresh;
    }
    return this.current!;
  }

  async #run(module: Promise<WebAssembly.Module>): Promise<T> {
    const compiled = await module;
    const fresh = await start(compiled, this.kind).catch((error) => {
      throw named(error);
    });
    this.module = compiled;
    return (this.current = fresh);
  }
}

/** Loads a module from a source. The same one again is fine; another one is an error, because one page runs one module. */
export function load<T extends Instance>(loader: Loader<T>, source: unknown, module = () => compiled(source)): Promise<T> {
  const key = identity(source);
  if (!loader.loading) return loader.begin(key, module());
  return loader.source === key ? loader.loading : Promise.reject(otherSource(loader.source, key));
}

/** The module in the file of the package. What other sources need is left to those who name one. */
async function fetched(url: URL): Promise<WebAssembly.Module> {
  try {
    return await fromURL(url);
  } catch (error) {
    throw named(error);
  }
}

/** Compiles a module from wherever it comes. Fails with `stream.module_load`. */
export async function compiled(source: unknown): Promise<WebAssembly.Module> {
  try {
    return await compile((await source) as object);
  } catch (error) {
    throw named(error);
  }
}

async function compile(source: object | string | null): Promise<WebAssembly.Module> {
  if (isModule(source)) return source as WebAssembly.Module;
  if (typeof source === "string") return fromURL(absolute(source));
  if (source instanceof URL) return fromURL(source);
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source as BufferSource);
  if (isResponse(source)) return fromResponse(source);
  const found = source === null ? "null" : typeof source;
  throw fault(MODULE_LOAD, { expected: "a URL, text, bytes, Response or WebAssembly.Module", found });
}

async function fromURL(url: URL): Promise<WebAssembly.Module> {
  if (url.protocol !== "file:") return fromResponse(await fetch(url));
  // Named in a variable so that no bundler looks for it in a page.
  const files = "node:fs/promises";
  const { readFile } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ files)) as {
    readFile(url: URL): Promise<Uint8Array<ArrayBuffer>>;
  };
  return WebAssembly.compile(await readFile(url));
}

/** Streaming wants this very type, without parameters; any other costs the streaming, not the module. */
async function fromResponse(response: Response): Promise<WebAssembly.Module> {
  const { ok, status, url, headers } = response;
  if (!ok) throw fault(MODULE_LOAD, { expected: "status 200", found: `status ${status} from ${url || "the response"}` });
  if (/^application\/wasm$/i.test(headers.get("content-type") ?? "") && WebAssembly.compileStreaming) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

function isModule(value: unknown): boolean {
  return Object.prototype.toString.call(value) === "[object WebAssembly.Module]";
}

function isResponse(value: unknown): value is Response {
  return typeof (value as Response | null)?.arrayBuffer === "function" && typeof (value as Response).ok === "boolean";
}

function absolute(text: string): URL {
  try {
    return new URL(text, globalThis.document?.baseURI ?? globalThis.location?.href);
  } catch (cause) {
    throw fault(MODULE_LOAD, { expected: "a URL; outside a page an absolute one", found: JSON.stringify(text.slice(0, 80)), cause });
  }
}

/** Texts and URLs are the same when they name the same place, all else when it is the same object. */
function identity(source: unknown): unknown {
  if (source instanceof URL) return source.href;
  if (typeof source !== "string") return source;
  try {
    return absolute(source).href;
  } catch {
    return source;
  }
}

function otherSource(had: unknown, wants: unknown): TidemarkError {
  return fault(INVALID_OPTIONS, { expected: `init() with the source of the first call, ${sort(had)}`, found: sort(wants) });
}

function sort(source: unknown): string {
  return typeof source === "string" ? source : Object.prototype.toString.call(source).slice(8, -1);
}

function named(error: unknown): TidemarkError {
  return error instanceof TidemarkError ? error : fault(MODULE_LOAD, { found: messageOf(error), cause: error });
}
