// The workers that are tested, as modules for a workerd, each made as its users make it.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** A worker in JavaScript and all that it imports, as wrangler bundles it: WebAssembly stays a module of its own. */
export async function bundled(url) {
  const modules = [];
  const wasm = {
    name: "wasm",
    setup({ onResolve }) {
      onResolve({ filter: /\.wasm$/ }, async ({ path, resolveDir }) => {
        const name = basename(path);
        if (!modules.some((module) => module.name === name)) modules.push({ name, wasm: readFileSync(`${resolveDir}/${path}`) });
        return { path: `./${name}`, external: true };
      });
    },
  };
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(url)], bundle: true, write: false, format: "esm", target: "es2022", conditions: ["workerd", "worker"],
    mainFields: ["module"], external: ["node:*", "cloudflare:*"], plugins: [wasm], logLevel: "warning",
  });
  return [{ name: "worker.mjs", esModule: outputFiles[0].text }, ...modules];
}

/** The worker whose core is the module of the package. */
export async function tidemark(upstream) {
  return { modules: await bundled(new URL("../workers/tidemark.mjs", import.meta.url)), text: { UPSTREAM: upstream }, objects: { CURSORS: "CursorObject" } };
}

/** The worker in Go, as `make edge` leaves it. */
async function inGo(upstream) {
  const file = (name) => readFileSync(new URL(`../../../../build/edge/${name}`, import.meta.url));
  const scripts = ["worker.mjs", "wasm_exec.js", "runtime.mjs"].map((name) => ({ name, esModule: file(name) }));
  return { modules: [...scripts, { name: "app.wasm", wasm: file("app.wasm") }], text: { TIDEMARK_UPSTREAM: upstream } };
}

/** What serveWorker takes, of each worker there is, in front of an upstream. */
export const workers = { "tidemark/edge": tidemark, "wasm/edge": inGo };
