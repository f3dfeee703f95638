// Builds the worker as it would be uploaded, without an account or a network, and fails over budget:
//   npm --prefix web/edge-worker run size
// wrangler wants a newer Node than the project does, so it runs on the one that npm brings.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const BUDGET = 650_000; // bytes after gzip

const here = fileURLToPath(new URL("..", import.meta.url));
const node = `${here}node_modules/node/bin/node`;
const wrangler = `${here}node_modules/wrangler/bin/wrangler.js`;
const args = [wrangler, "deploy", "--dry-run", "--outdir", `${here}build`];
const said = execFileSync(node, args, { cwd: here, env: { ...process.env, WRANGLER_SEND_METRICS: "false", NO_COLOR: "1" } });

const found = /gzip: ([\d.]+) KiB/.exec(said.toString());
if (!found) {
  console.error(`expected wrangler to say "gzip: … KiB", found:\n${said}`);
  process.exit(1);
}
const bytes = Math.round(Number(found[1]) * 1024);
const fits = bytes <= BUDGET;
console.log(`${fits ? "ok  " : "over"} edge worker, upload after gzip: ${bytes.toLocaleString("en")} bytes, budget ${BUDGET.toLocaleString("en")} bytes`);
process.exit(fits ? 0 : 1);
