import { calls } from "./ask.js";
import { links } from "./links.js";
import { compiled, load, undecidedUntil, type ModuleSource } from "./load.js";

/**
 * Makes everything ready: the module that opens streams and the one that answers questions. `open()`
 * loads the first by itself, so a page that only opens streams need not call this.
 *
 * With a source, only the module that it turns out to hold: `tidemark.wasm` or `calls.wasm`. The same
 * source again is fine; another one for the same module is `stream.invalid_options`. What cannot be
 * loaded is `stream.module_load`, and can be tried again, from any source.
 */
export async function init(source?: ModuleSource | PromiseLike<ModuleSource>): Promise<void> {
  if (source === undefined) return void (await Promise.all([links.ready(), calls.ready()]));
  const placed = place(source);
  undecidedUntil(placed);
  await placed;
}

async function place(source: unknown): Promise<void> {
  const module = compiled(source);
  const asks = WebAssembly.Module.exports(await module).some(({ name }) => name === "call");
  await (asks ? load(calls, source, () => module) : load(links, source, () => module));
}
