// Builds web/demo/dist: the demo page as static files, from the built package in web/dist.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const demo = fileURLToPath(new URL(".", import.meta.url));
const web = join(demo, "..");
const dist = join(demo, "dist");

for (const name of ["index.js", "inbox.js", "tidemark.wasm"]) {
  if (existsSync(join(web, "dist", name))) continue;
  console.error(`demo: web/dist/${name} is not there; \`make build\` makes it first`);
  process.exit(1);
}

execFileSync(process.execPath, [join(web, "node_modules/typescript/bin/tsc"), "-p", demo], { stdio: "inherit" });

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
await build({
  absWorkingDir: demo,
  entryPoints: [{ in: "src/main.ts", out: "demo" }, { in: "css/demo.css", out: "demo" }],
  outdir: dist,
  bundle: true,
  format: "esm",
  target: ["es2022", "chrome111", "firefox114", "safari16.4"],
  minify: true,
  sourcemap: true,
  logLevel: "warning",
});
copyFileSync(join(demo, "index.html"), join(dist, "index.html"));
// The package looks for its module beside the script that it was bundled into.
copyFileSync(join(web, "dist/tidemark.wasm"), join(dist, "tidemark.wasm"));
