// The demo server as a process of its own, on a free port.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const page = join(root, "web/demo/dist");

/** Builds the command once; answers how to start servers of it, and how to clean up. */
export function buildServer() {
  if (!existsSync(join(page, "index.html"))) throw new Error("web/demo/dist is not there: `make build` makes it");
  const folder = mkdtempSync(join(tmpdir(), "tidemark-"));
  const command = join(folder, process.platform === "win32" ? "tidemark.exe" : "tidemark");
  execFileSync("go", ["build", "-o", command, "./cmd/tidemark"], { cwd: root, stdio: "inherit" });
  return { start: (options) => start(command, options), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts a demo and waits for the address that it prints. */
async function start(command, { seed, speed, addr = "127.0.0.1:0" }) {
  const args = ["serve", "--demo", "--addr", addr, "--web", page, "--quiet", "--seed", String(seed), "--speed", String(speed)];
  const server = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  const exited = new Promise((resolve) => server.once("exit", resolve));
  let said = "";
  const url = await new Promise((resolve, reject) => {
    const hear = (chunk) => {
      said += chunk;
      const found = /http:\/\/\S+/.exec(said);
      if (found) resolve(found[0]);
    };
    server.stdout.on("data", hear);
    server.stderr.on("data", hear);
    exited.then((code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
  return { url, stop: () => (server.kill("SIGTERM"), exited) };
}
