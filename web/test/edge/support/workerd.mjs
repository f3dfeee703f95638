// One worker in a workerd of its own, on a free port of this machine.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import workerd from "workerd";

/** Newest behaviour of the platform that the workers are tested with. */
const COMPATIBILITY = "2026-07-01";

/**
 * Starts it. `modules` is a list of { name, esModule | wasm }, the main one first; `text` are the variables of the worker,
 * `objects` its Durable Objects by binding ({ CURSORS: "CursorObject" }), whose storage is on the disk in `storage` or ends
 * with the process; `cache` is the address of what keeps the pages of the Cache API, `flags` are those of its V8.
 */
export async function serveWorker(worker) {
  const folder = mkdtempSync(join(tmpdir(), "workerd-"));
  writeFileSync(join(folder, "config.capnp"), config(folder, worker));
  const child = spawn(workerd.default, ["serve", "--experimental", "--control-fd=3", join(folder, "config.capnp")], { stdio: ["ignore", "pipe", "pipe", "pipe"] });
  const log = [];
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => log.push(text));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const stop = async () => (child.kill("SIGKILL"), await ended, rmSync(folder, { recursive: true, force: true }));
  const gone = ended.then((code) => Promise.reject(new Error(`workerd has ended with ${code}: ${log.join("")}`)));
  gone.catch(() => {});
  return { url: `http://127.0.0.1:${await Promise.race([port(child.stdio[3]), gone])}`, pid: child.pid, log, stop };
}

/** The port, once it is listened on. */
async function port(control) {
  let text = "";
  for await (const chunk of control.setEncoding("utf8")) {
    const heard = /"port":(\d+)/.exec((text += chunk));
    if (heard) return Number(heard[1]);
  }
  return new Promise(() => {});
}

const quoted = JSON.stringify;

function config(folder, { modules, text = {}, objects = {}, storage, cache, flags = [] }) {
  const bindings = [
    ...Object.entries(text).map(([name, value]) => `(name = ${quoted(name)}, text = ${quoted(value)})`),
    ...Object.entries(objects).map(([name, className]) => `(name = ${quoted(name)}, durableObjectNamespace = ${quoted(className)})`),
  ];
  const namespaces = Object.values(objects).map((name) => `(className = ${quoted(name)}, uniqueKey = ${quoted(name)})`);
  const services = [
    `(name = "main", worker = .worker)`,
    `(name = "internet", network = (allow = ["private"]))`,
    ...(cache ? [`(name = "cache", external = (address = ${quoted(cache)}, http = (style = proxy)))`] : []),
    ...(storage ? [`(name = "disk", disk = (path = ${quoted(storage)}, writable = true))`] : []),
  ];
  const parts = [
    `modules = [${modules.map((module) => embedded(folder, module)).join(", ")}]`,
    `compatibilityDate = ${quoted(COMPATIBILITY)}`,
    `bindings = [${bindings.join(", ")}]`,
    ...(cache ? [`cacheApiOutbound = "cache"`] : []),
    ...(namespaces.length ? [`durableObjectNamespaces = [${namespaces}]`, `durableObjectStorage = ${storage ? `(localDisk = "disk")` : "(inMemory = void)"}`] : []),
  ];
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${services.join(", ")}],
  v8Flags = [${flags.map(quoted)}],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
const worker :Workerd.Worker = (${parts.join(", ")});
`;
}

/** A module is found by the name that it is imported by. */
function embedded(folder, { name, esModule, wasm }) {
  const file = join(folder, "modules", name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, esModule ?? wasm);
  return `(name = ${quoted(name)}, ${wasm ? "wasm" : "esModule"} = embed ${quoted(`modules/${name}`)})`;
}

/** Processor time that the threads of the process have used, in milliseconds, and its memory that is resident, in bytes. Linux only. */
export function usage({ pid }) {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]));
  const resident = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1];
  return { cpu: threads.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6, memory: Number(resident) * 1024 };
}
