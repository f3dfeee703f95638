// Prints what a page has to fetch and fails over budget:
//   node scripts/size.mjs LEAN.wasm LINKED.wasm EMPTY.wasm CALLS.wasm FULL.wasm RELAY.wasm EDGE-FOLDER
// The module as it ships is compared with an empty Go program as Go links it, with the same flags: that floor
// is Go's. What ships has the names and lines of stack traces taken out (internal/wasmstrip); the ratio of the
// two as linked is printed beside it. The shell is what a bundler makes of the one import most pages have. Of
// the worker in Go, all modules count, because all are uploaded.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const MODULE_OVER_EMPTY = 1.12; // brotli, ratio
const SHELL_GZIP = 12_288; // bytes
const FULL_BROTLI = 800_000; // bytes
const RELAY_GZIP = 600_000; // bytes: what a worker uploads is counted so, and its script comes on top
const EDGE_GZIP = 1_700_000; // bytes

const web = fileURLToPath(new URL("../web/", import.meta.url));

const gzip = (bytes) => gzipSync(bytes, { level: 9 }).length;

const brotli = (bytes) =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  }).length;

const measure = (name, bytes) => ({ name, raw: bytes.length, gzip: gzip(bytes), brotli: brotli(bytes) });

// The Go toolchain's glue is not ours and is the same for every Go program. What is imported on demand is fetched only by
// pages that ask for it by an option.
const withoutGlue = {
  name: "without-glue",
  setup: (build) => build.onResolve({ filter: /./ }, ({ path, kind }) =>
    kind === "dynamic-import" || /wasm_exec\.js$/.test(path) ? { path, external: true } : undefined),
};

async function shell() {
  const esbuild = createRequire(`${web}package.json`)("esbuild");
  const built = await esbuild.build({
    stdin: { contents: `import { open } from "tidemark"; globalThis.open = open;`, resolveDir: web },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    logLevel: "error",
    external: ["node:*"],
    plugins: [withoutGlue],
  });
  return built.outputFiles[0].contents;
}

/** The modules of a worker as they are uploaded. */
function upload(name, folder) {
  const modules = readdirSync(folder).filter((file) => /\.(wasm|m?js)$/.test(file)).map((file) => measure(file, readFileSync(`${folder}/${file}`)));
  const sum = (of) => modules.reduce((all, module) => all + module[of], 0);
  return { name, raw: sum("raw"), gzip: sum("gzip"), brotli: sum("brotli") };
}

function print(rows) {
  const cells = [["", "raw", "gzip -9", "brotli 11"]];
  for (const r of rows) cells.push([r.name, ...[r.raw, r.gzip, r.brotli].map((n) => n.toLocaleString("en"))]);
  for (const [name, ...numbers] of cells) console.log(name.padEnd(24) + numbers.map((n) => n.padStart(12)).join(""));
}

function verdict(what, found, budget, show) {
  const over = found > budget;
  console.log(`${over ? "OVER" : "ok  "} ${what}: ${show(found)}, budget ${show(budget)}`);
  return over;
}

async function main([leanPath, linkedPath, emptyPath, callsPath, fullPath, relayPath, edgePath]) {
  if (!edgePath) throw new Error("usage: node scripts/size.mjs LEAN.wasm LINKED.wasm EMPTY.wasm CALLS.wasm FULL.wasm RELAY.wasm EDGE-FOLDER");
  const lean = measure("lean module, shipped", readFileSync(leanPath));
  const linked = measure("lean module, linked", readFileSync(linkedPath));
  const empty = measure("empty program, linked", readFileSync(emptyPath));
  const js = measure("JavaScript shell", await shell());
  const calls = measure("calls module, shipped", readFileSync(callsPath));
  const full = measure("full module, shipped", readFileSync(fullPath));
  const relay = measure("relay module, shipped", readFileSync(relayPath));
  const edge = upload("worker in Go, uploaded", edgePath);
  print([lean, linked, empty, js, calls, full, relay, edge]);
  console.log(`     both as linked, brotli: ${(linked.brotli / empty.brotli).toFixed(4)}`);

  const over = [
    verdict("shipped over empty, brotli", lean.brotli / empty.brotli, MODULE_OVER_EMPTY, (n) => n.toFixed(4)),
    verdict("JavaScript shell, gzip", js.gzip, SHELL_GZIP, (n) => `${n.toLocaleString("en")} bytes`),
    verdict("full module, brotli", full.brotli, FULL_BROTLI, (n) => `${n.toLocaleString("en")} bytes`),
    verdict("relay module, gzip", relay.gzip, RELAY_GZIP, (n) => `${n.toLocaleString("en")} bytes`),
    verdict("worker in Go, gzip", edge.gzip, EDGE_GZIP, (n) => `${n.toLocaleString("en")} bytes`),
  ];
  if (over.includes(true)) process.exitCode = 1;
}

await main(process.argv.slice(2));
