// Prints what `import { open }` costs a page: minified, bundled, gzip, without the toolchain's glue and the module.
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const BUDGET = 8 * 1024;

const { outputFiles } = await build({
  stdin: { contents: 'export { open } from "./dist/index.js";', resolveDir: new URL("..", import.meta.url).pathname },
  bundle: true, minify: true, write: false, format: "esm", target: "es2022", legalComments: "none",
  external: ["*/wasm_exec.js"],
});
const bytes = outputFiles[0].contents;
const gzip = gzipSync(bytes, { level: 9 }).length;
console.log(`shell, import { open }: ${bytes.length} bytes minified, ${gzip} gzip (budget ${BUDGET})`);
if (gzip > BUDGET) process.exitCode = 1;
