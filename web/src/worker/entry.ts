/** The script of the worker: serves one stream after the other, each through a port of its own. */
import { links } from "../links.js";
import { load } from "../load.js";
import { replaces } from "../replaces.js";
import type { Comparison, Opening, ToWorker } from "./messages.js";
import { Served } from "./served.js";

/** The scope of a worker, or in Node its way to the thread that made it. */
interface Scope {
  onmessage: ((event: { data: ToWorker }) => void) | null;
  postMessage(message: unknown): void;
}

let asked = false;

function serve(scope: Scope): void {
  scope.onmessage = ({ data }) => {
    if ("settings" in data) open(data);
    else if ("lock" in data) hold(data.lock, scope);
    else void compare(data);
  };
  scope.postMessage("ready");
}

function open({ port, settings, module }: Opening): void {
  // The first source is the one: what comes with later streams is another copy of the same.
  if (module && !asked) void load(links, module).catch(() => {});
  asked = true;
  new Served(port, settings);
}

/** undefined: the module has stopped. */
async function compare({ port, old, record }: Comparison): Promise<void> {
  const answer = await links.ready().then((module) => replaces(module, old, record)).catch(() => undefined);
  port.postMessage(answer);
}

/** A lock that is let go of when this worker is gone, however that came about. */
function hold(name: string, scope: Scope): void {
  void navigator.locks.request(name, () => (scope.postMessage("locked"), new Promise(() => {})));
}

if (typeof postMessage === "function") serve(globalThis as unknown as Scope);
else {
  // Named in a variable so that no bundler looks for it in a page.
  const threads = "node:worker_threads";
  const coming = import(/* @vite-ignore */ /* webpackIgnore: true */ threads) as Promise<{ parentPort: Scope }>;
  void coming.then(({ parentPort }) => serve(parentPort)); // not awaited at the top: bundlers make classic workers, too
}
