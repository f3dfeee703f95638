// Cases from public reports, by their id, about Go compiled to WebAssembly: each one's `must` and `must_not` is asserted.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { Calls, calls } from "../dist/ask.js";
import { explain, facts, formatCursor, init, normalize, open, parseCursor, resolve, TidemarkError, track } from "../dist/index.js";
import { links } from "../dist/links.js";
import * as op from "../dist/gen/ops.gen.js";
import { decoder } from "../dist/sse.js";
import { Go, toolchain } from "../dist/wasm_exec.js";
import { collect, serving, stream } from "./support/fetch.mjs";
import { above, Log } from "./support/log.mjs";

const ADDRESS = "http://tidemark.invalid/v1/sessions/s1/events";
const dist = (name) => new URL(`../dist/${name}`, import.meta.url);

before(() => init());

/** Runs a program of its own; answers what it printed once it has ended by itself. */
function run(code) {
  const program = code.replaceAll("DIST", dist("").href);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--unhandled-rejections=strict", "-e", program], { encoding: "utf8", timeout: 60_000 });
  assert.equal(status, 0, stderr);
  assert.equal(stderr, "");
  return stdout.trim();
}

test("API-23: a stream that is disposed of at once leaves nothing that could fail later", () => {
  // A program ends by itself when no timer is armed and nothing is awaited: what could come after 5 seconds cannot come then.
  const out = run(`
    import { createServer } from "node:http";
    import { open } from "DISTindex.js";
    const server = createServer((_, response) => response.writeHead(200, { "content-type": "text/event-stream" }).write(": \\n\\n"));
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = "http://127.0.0.1:" + server.address().port + "/v1/sessions/s1/events";
    const atOnce = open(address);
    atOnce.close();
    const busy = open(address);
    await new Promise((resolve) => setTimeout(resolve, 100));
    busy.close();
    for (const stream of [atOnce, busy]) for await (const item of stream) console.log(item.cause);
    server.closeAllConnections();
    server.close();
    process.once("beforeExit", async () => {
      const { parseCursor, init } = await import("DISTindex.js");
      await init();
      console.log("alive", parseCursor("s1:4").seq);
    });
  `);
  assert.deepEqual(out.split("\n"), ["closed", "closed", "alive 4"]);
});

test("API-25: a module that has long been idle in Node still answers", () => {
  const out = run(`
    import { init, resolve } from "DISTindex.js";
    await init();
    const ask = () => console.log(resolve({ cursor: "s1:1", head: { lastSeq: 2 }, events: [{ type: "m", seq: 2 }] }).status);
    setTimeout(ask, 3000);
    process.once("beforeExit", ask); // nothing is pending any more, which is what Go would call a deadlock
  `);
  assert.deepEqual(out.split("\n"), ["replayed", "replayed"]);
});

/** An instance with its glue in sight. */
async function instance() {
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(readFileSync(dist("calls.wasm")), go.importObject);
  go.run(instance);
  return { module: new Calls(instance, go), values: () => go._values.length - go._idPool.length };
}

test("API-27: 100,000 trackers leave nothing in the table of JavaScript values", async () => {
  const { module, values } = await instance();
  const once = () => {
    const { handle } = module.call(op.trackerOpen, 0, '{"cursor":"s1:4"}');
    module.call(op.trackerObserve, handle, '{"type":"m","seq":5}');
    module.call(op.trackerClose, handle);
  };
  once();
  const base = values();
  for (let i = 0; i < 100_000; i++) once();
  assert.ok(Math.abs(values() - base) <= 10, `${base} before, ${values()} after`);
});

test("API-29: memory that grows in the middle of a call is no detached buffer", async () => {
  const log = new Log({ count: 2 });
  log.events[0].text = "x".repeat(32 << 20);
  const bytes = new TextEncoder().encode(log.answer());
  let at = 0;
  const body = new ReadableStream({
    pull(controller) {
      const chunk = bytes.subarray(at, (at += 64 << 10));
      chunk.length > 0 ? controller.enqueue(chunk) : controller.close();
    },
  }, { highWaterMark: 0 });
  const sizes = [];
  for await (const item of open(ADDRESS, { fetch: async () => new Response(body, { headers: { "content-type": "text/event-stream" } }) })) {
    if (item.kind === "event") sizes.push(item.event.text.length);
  }
  assert.deepEqual(sizes, [32 << 20, 1]);
});

const trap = new Proxy({}, new Proxy({}, { get: () => () => { throw new Error("trap"); } }));
const HOSTILE = { null: null, undefined, "a symbol": Symbol("s"), "a throwing proxy": trap, "a function": () => 1, "a huge number": 2 ** 70, "a lone surrogate": "\ud800" };

for (const [name, value] of Object.entries(HOSTILE)) {
  test(`API-31: ${name} as an argument is a typed error, and the next call works`, () => {
    const running = calls.now();
    const tried = {
      resolve: () => resolve(value), parseCursor: () => parseCursor(value), formatCursor: () => formatCursor(value),
      track: () => track(value === undefined ? null : value), "resolve cursor": () => resolve({ cursor: value ?? 7, head: { lastSeq: 1 }, events: [] }),
      "resolve head": () => resolve({ head: value, events: [] }), "resolve events": () => resolve({ head: { lastSeq: 1 }, events: value }),
    };
    for (const [call, use] of Object.entries(tried)) {
      assert.throws(use, (error) => error instanceof TidemarkError && error.id.startsWith("stream."), call);
    }
    for (const words of [explain, normalize, facts]) words(value); // these take anything that can be thrown
    const tracker = track({ session: "s1" });
    assert.equal(tracker.observe(value).verdict, "invalid");
    assert.equal(tracker.observe({ type: "m", seq: 1 }).verdict, "accept");
    tracker.close();
    assert.equal(parseCursor("s1:4").seq, 4);
    assert.equal(calls.now(), running, "the same instance");
    assert.equal(running.dead, false);
  });
}

test("API-33: the glue is that of the toolchain which built the modules", () => {
  const go = (...args) => execFileSync("go", args, { encoding: "utf8" }).trim();
  const sha = (text) => createHash("sha256").update(text).digest("hex");
  const [, glue] = /\/\/<wasm_exec\.js\n([^]*)\/\/wasm_exec\.js>/.exec(readFileSync(dist("wasm_exec.js"), "utf8"));
  assert.equal(sha(glue), sha(readFileSync(join(go("env", "GOROOT"), "lib/wasm/wasm_exec.js"))));
  for (const name of ["tidemark.wasm", "calls.wasm", "check.wasm"]) {
    const versions = new Set(readFileSync(dist(name), "latin1").match(/\bgo1\.\d+(\.\d+)?\b/g));
    assert.ok(versions.has(toolchain), `${name} was built by ${[...versions]}, the glue is of ${toolchain}`);
  }
});

test("API-35: undefined, null and nothing at all are one thing: not recorded", async () => {
  for (const event of [{ seq: undefined }, { seq: null }, {}]) {
    const tracker = track({ session: "s1" });
    const { verdict, seq } = tracker.observe({ type: "text_delta", ...event });
    assert.deepEqual([verdict, seq], ["pass", undefined]);
    assert.equal(tracker.observe({ type: "m", seq: 1 }).verdict, "accept", "it was no 0 and no 1");
    tracker.close();
  }
  const text = '{"type":"text_delta","sessionId":"s1","seq":null,"text":"x"}';
  const log = new Log({ count: 1 });
  const [item] = await collect(open(ADDRESS, { fetch: serving(stream(log.head(), `data: ${text}\n\n`, log.answer())).fetch }));
  assert.deepEqual([item.kind, item.json], ["draft", text]);
  assert.equal("seq" in item, false);
});

test("API-41: a stream that was abandoned in the middle holds up no other in the same instance", async () => {
  const log = new Log({ count: 3 });
  const module = await links.ready();
  const stuck = open(ADDRESS, { fetch: serving(stream(log.head(), log.recorded(log.events[0]), () => new Promise(() => {}))).fetch });
  const iterator = stuck[Symbol.asyncIterator]();
  assert.equal((await iterator.next()).value.seq, 1);
  const abandoned = iterator.next(); // never settles: nobody reads on, and nobody closes
  const silent = open(ADDRESS, { fetch: () => new Promise(() => {}), headers: () => new Promise(() => {}), load: () => new Promise(() => {}) });
  const items = await collect(open(ADDRESS, { fetch: serving((address) => stream(log.answer(above(address)))).fetch }));
  assert.deepEqual(items.filter(({ kind }) => kind === "event").map(({ seq }) => seq), [1, 2, 3]);
  assert.equal(await links.ready(), module);
  stuck.close();
  silent.close();
  assert.equal((await abandoned).value.cause, "closed");
});
