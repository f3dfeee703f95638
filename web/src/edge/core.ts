import { startNow } from "../instance.js";
import { compiled, type ModuleSource } from "../load.js";
import { Relays } from "./relays.js";

let module: WebAssembly.Module | undefined;
let loading: Promise<WebAssembly.Module> | undefined;
let now: Running = { relays: undefined };

/** The instance that runs. Whoever keeps one is let go of the instance when that has stopped and another one takes its place. */
export interface Running {
  relays: Relays | undefined;
}

/** Names the module, for a host that has compiled it already. Nothing is started: some hosts refuse that outside of a request. */
export function use(compiledModule: WebAssembly.Module): void {
  module = compiledModule;
}

/**
 * Loads the module, from the file of the package or from a source of yours. Without this call it is loaded when the first
 * stream asks for it. What cannot be loaded is `stream.module_load`, and can be tried again.
 */
export async function init(source?: ModuleSource | PromiseLike<ModuleSource>): Promise<void> {
  module ??= await (source === undefined ? file() : compiled(source));
}

/** The one instance of this isolate. */
export async function ready(): Promise<Relays> {
  if (!module) await init();
  return running();
}

/**
 * What runs, or a fresh instance in place of one that has stopped. At once: a request never waits for what another one has
 * begun, which some hosts forbid.
 */
export function current(): Running {
  if (stopped(now)) {
    now.relays = undefined;
    now = { relays: startNow(module!, Relays) };
  }
  return now;
}

export function running(): Relays {
  return current().relays!;
}

export function stopped({ relays }: Running): boolean {
  return !relays || relays.dead;
}

function file(): Promise<WebAssembly.Module> {
  loading ??= compiled(new URL("../relay.wasm", import.meta.url)).finally(() => (loading = undefined));
  return loading;
}
