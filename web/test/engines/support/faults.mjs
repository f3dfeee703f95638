// The server that misbehaves on purpose (internal/flaky) as a process of its own, on a free port.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** Builds and starts it; `url` is what it answers under. */
export async function serveFaults() {
  const folder = mkdtempSync(join(tmpdir(), "flaky-"));
  const command = join(folder, process.platform === "win32" ? "flaky.exe" : "flaky");
  execFileSync("go", ["build", "-o", command, "./internal/flaky/cmd/flaky"], { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  const server = spawn(command, ["-addr", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const url = await new Promise((resolve, reject) => {
    server.stdout.once("data", (line) => resolve(String(line).trim()));
    ended.then((code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { url, stop: async () => (server.kill("SIGTERM"), await ended, rmSync(folder, { recursive: true, force: true })) };
}
