// Runs the checks in the runtimes that have no page: each a process that prints what it found.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { enginePath } from "../../../scripts/engines.mjs";

const script = fileURLToPath(new URL("../checks/process.mjs", import.meta.url));

/** How each is started; its arguments follow. */
const COMMANDS = {
  node: () => [process.execPath, "--no-warnings", ...(typeof WebSocket === "undefined" ? ["--experimental-websocket"] : [])],
  deno: () => [enginePath("deno"), "run", "--quiet", "--no-config", "--no-lock", "--allow-read", "--allow-net"],
  bun: () => [enginePath("bun"), "--no-install"],
};

export const runtimes = Object.keys(COMMANDS);

/** The report of one runtime. */
export async function runIn(name, server, pages) {
  const [command, ...args] = COMMANDS[name]();
  const child = spawn(command, [...args, script, server, pages, name], {
    env: { ...process.env, DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1", DO_NOT_TRACK: "1" }, stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) child[name].setEncoding("utf8").on("data", (text) => (said[name] += text));
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${said.stderr.slice(-4000)}`);
  return JSON.parse(said.stdout);
}
