import { Core, start, startNow } from "./core.js";
import { NOT_READY, MODULE_LOAD, INVALID_OPTIONS, fault, messageOf, TidemarkError } from "./errors.js";

/** Where the module comes from. A Response is used up; bytes are compiled as they are now. */
export type ModuleSource = string | URL | BufferSource | Response | WebAssembly.Module;

/** What has been asked for. Kept while it is good, so that a second call gets the same module. */
interface Loading {
  readonly source: unknown;
  readonly ready: Promise<Core>;
}

let loading: Loading | undefined;
let module: WebAssembly.Module | undefined;
let current: Core | undefined;

/**
 * Loads and starts the module. `open()` calls it by itself; call it first to choose the source or to
 * use the functions that answer at once. The same source again is the same promise; another source
 * is an error, because one page runs one module. After a failure any source can be tried.
 */
export async function init(source?: ModuleSource | PromiseLike<ModuleSource>): Promise<void> {
  await load(source);
}

/** A running instance, loading the module when nobody has. */
export function ready(): Promise<Core> {
  if (current && !current.dead) return Promise.resolve(current);
  if (current && module) return replace(module);
  return load(undefined);
}

/** The running instance, for functions that cannot wait. A dead one is replaced. */
export function core(): Core {
  if (!current || !module) {
    throw fault(NOT_READY);
  }
  if (current.dead) current = startNow(module);
  return current;
}

function load(source: unknown): Promise<Core> {
  const key = identity(source ?? beside());
  if (loading) {
    if (source === undefined || loading.source === key) return loading.ready;
    return Promise.reject(otherSource(loading.source, key));
  }
  const mine: Loading = { source: key, ready: run(source ?? beside()) };
  loading = mine;
  mine.ready.catch(() => {
    if (loading === mine) loading = undefined;
  });
  return mine.ready;
}

async function run(source: unknown): Promise<Core> {
  try {
    const compiled = await compile((await source) as object);
    const fresh = await start(compiled);
    module = compiled;
    return (current = fresh);
  } catch (error) {
    throw error instanceof TidemarkError ? error : cannotLoad(messageOf(error), error);
  }
}

async function replace(compiled: WebAssembly.Module): Promise<Core> {
  const fresh = await start(compiled);
  if (current?.dead) current = fresh;
  return current ?? fresh;
}

async function compile(source: object | string | null): Promise<WebAssembly.Module> {
  if (isModule(source)) return source as WebAssembly.Module;
  if (typeof source === "string") return fromURL(absolute(source));
  if (source instanceof URL) return fromURL(source);
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source as BufferSource);
  if (isResponse(source)) return fromResponse(source);
  throw cannotLoad(typeof source, undefined, "a URL, text, bytes, Response or WebAssembly.Module");
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

/** A server that does not know the type of a .wasm file costs the streaming, not the module. */
async function fromResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) throw cannotLoad(`status ${response.status} from ${response.url || "the response"}`, undefined, "status 200");
  const type = response.headers.get("content-type") ?? "";
  if (/^application\/wasm\s*(;|$)/i.test(type) && WebAssembly.compileStreaming) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Bundlers know this form and carry the file along. */
function beside(): URL {
  return new URL("./tidemark.wasm", import.meta.url);
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
  } catch (error) {
    throw cannotLoad(JSON.stringify(text.slice(0, 80)), error, "an absolute URL, such as new URL(…, import.meta.url)");
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
  return fault(INVALID_OPTIONS, {
    expected: `init() with the source it was first called with, ${describe(had)}`,
    found: describe(wants),
  });
}

function describe(source: unknown): string {
  return typeof source === "string" ? source : Object.prototype.toString.call(source).slice(8, -1);
}

function cannotLoad(found: string, cause?: unknown, expected?: string): TidemarkError {
  return fault(MODULE_LOAD, { found, cause, ...(expected && { expected }) });
}
