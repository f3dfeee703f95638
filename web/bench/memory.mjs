// Whether a stream that lives long grows: wasm linear memory and the heap after a collection, at live event 100,000 and at
// 1,000,000 of one open() over a loopback connection. The server waits at each mark, so that nothing is under way.
//
//   node --expose-gc bench/memory.mjs      EVENTS=1000000
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { busy, setting } from "./paired.mjs";

const EVENTS = setting("EVENTS", 1_000_000);
const MARKS = [0.1, 0.25, 0.5, 1].map((share) => Math.round(share * EVENTS));

const memories = [];
const own = WebAssembly.instantiate;
WebAssembly.instantiate = async (...given) => {
  const instance = await own.apply(WebAssembly, given);
  if (instance.exports?.mem) memories.push(instance.exports.mem);
  return instance;
};
const { open } = await import("../dist/index.js");

/** Nothing waits and everything collectable is collected. */
async function weigh() {
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (let i = 0; i < 3; i++) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const wasm = memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  return { heap: heapUsed, wasm, beside: external - wasm, rss };
}

async function life(drafts) {
  const server = fork(fileURLToPath(new URL("live-server.mjs", import.meta.url)), { env: { ...process.env, DRAFTS: `${drafts}` } });
  const [url] = await once(server, "message");
  const weights = [];
  const told = once(server, "message");
  const stream = open(url);
  const marks = [...MARKS];
  void told.then(() => server.send(marks[0]));
  const begun = performance.now();
  let read = 0;
  for await (const item of stream) {
    if (item.kind === "event" || item.kind === "draft") read += item.event.type.length;
    if (item.kind !== "event" || item.seq !== marks[0]) continue;
    weights.push(await weigh());
    marks.shift();
    if (marks.length === 0) break;
    server.send(marks[0]);
  }
  server.kill();
  await once(server, "exit");
  const { events, drafts: passed } = stream.stats();
  return { weights, events, passed, ms: performance.now() - begun, read };
}

const MB = (bytes) => (bytes / 2 ** 20).toFixed(2).padStart(7);

for (const drafts of [0, 2]) {
  const { weights, events, passed, ms } = await life(drafts);
  const grown = (name) => (weights.at(-1)[name] / weights[0][name]).toFixed(3);
  console.log(`\n${events} live events${passed ? ` and ${passed} drafts between` : ""}, each read, in ${(ms / 1000).toFixed(0)} s, Node ${process.version}, ${busy()}        MiB`);
  console.log(`  at event        ${MARKS.map((mark) => String(mark).padStart(8)).join("")}   last to first`);
  for (const [name, label] of [["wasm", "wasm memory"], ["heap", "heap after GC"], ["beside", "other buffers"], ["rss", "process"]]) {
    console.log(`  ${label.padEnd(15)} ${weights.map((weight) => ` ${MB(weight[name])}`).join("")}   ${grown(name)}`);
  }
}
