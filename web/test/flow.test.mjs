import assert from "node:assert/strict";
import { test } from "node:test";
import { Go } from "../dist/wasm_exec.js";
import { Calls } from "../dist/ask.js";
import { init, open } from "../dist/index.js";
import * as op from "../dist/gen/ops.gen.js";
import { Links } from "../dist/links.js";
import * as INPUT from "../dist/gen/inputs.gen.js";
import { Link } from "../dist/link.js";
import { readFile } from "node:fs/promises";
import { above, Log } from "./support/log.mjs";
import { serving, stream, turns, withTime } from "./support/fetch.mjs";

const ADDRESS = "http://tidemark.invalid/v1/sessions/s1/events";

/** A body in pieces that counts what was asked of it. */
function counted(bytes, piece) {
  const sent = { bytes: 0 };
  const pull = (controller) => {
    const chunk = bytes.subarray(sent.bytes, sent.bytes + piece);
    if (chunk.length === 0) return controller.close();
    sent.bytes += chunk.length;
    controller.enqueue(chunk);
  };
  return { body: new ReadableStream({ pull }, { highWaterMark: 0 }), sent };
}

const answer = (body) => new Response(body, { headers: { "content-type": "text/event-stream" } });

test("a slow consumer pauses the reading, and loses nothing", async () => {
  const log = new Log({ count: 20_000, text: "x".repeat(200) });
  const bytes = new TextEncoder().encode(log.answer());
  const { body, sent } = counted(bytes, 16 << 10);
  const iterator = open(ADDRESS, { fetch: async () => answer(body) })[Symbol.asyncIterator]();
  await iterator.next();
  await turns();
  const paused = sent.bytes;
  await turns();
  assert.equal(sent.bytes, paused, "nothing is read while nobody takes");
  assert.ok(paused < 1 << 20, `${paused} bytes were read ahead of ${bytes.length}`);
  const seqs = [];
  for (let next; !(next = await iterator.next()).done; ) if (next.value.kind === "event") seqs.push(next.value.seq);
  assert.deepEqual(seqs, Array.from({ length: 20_000 }, (_, i) => i + 1));
  assert.equal(sent.bytes, bytes.length);
});

test("one huge chunk is taken in pieces, as the consumer takes", async () => {
  const log = new Log({ count: 20_000, text: "x".repeat(200) });
  let seen = 0;
  let most = 0;
  for await (const batch of open(ADDRESS, { fetch: async () => stream(log.answer()) }).batches()) {
    seen += batch.filter(({ kind }) => kind === "event").length;
    most = Math.max(most, batch.length);
  }
  assert.equal(seen, 20_000);
  assert.ok(most < 2000, `${most} items at once`);
});

test("silence while nobody reads is no silence", async (t) => {
  await init();
  withTime(t);
  const log = new Log({ count: 5000, text: "x".repeat(200) });
  const { body } = counted(new TextEncoder().encode(log.answer()), 16 << 10);
  const { fetch, requests } = serving(answer(body));
  const iterator = open(ADDRESS, { fetch })[Symbol.asyncIterator]();
  await iterator.next();
  await turns();
  for (let minute = 0; minute < 10; minute++) {
    t.mock.timers.tick(60_000);
    await turns();
  }
  let last;
  for (let next; !(next = await iterator.next()).done; ) last = next.value;
  assert.equal(last.kind, "end");
  assert.equal(requests.length, 1, "the connection was kept");
});

test("silence on the wire is noticed, and the stream goes on from its cursor", async (t) => {
  await init();
  t.mock.method(Math, "random", () => 0);
  withTime(t);
  const log = new Log({ count: 3, generation: 7 });
  const silent = stream(log.head(), log.recorded(log.events[0]), () => new Promise(() => {}));
  const { fetch, requests } = serving(silent, (address) => stream(log.answer(above(address))));
  const iterator = open(ADDRESS, { fetch })[Symbol.asyncIterator]();
  assert.equal((await iterator.next()).value.seq, 1);
  const next = iterator.next();
  for (let i = 0; i < 4; i++) {
    await turns();
    t.mock.timers.tick(20_000);
  }
  await turns();
  assert.equal((await next).value.kind, "draft");
  assert.equal(requests[1], `${ADDRESS}?cursor=s1%3A1%407`);
  await iterator.return();
});

/** An instance of a module whose memory the test can see. */
async function instance(name, Kind) {
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(await readFile(new URL(`../dist/${name}.wasm`, import.meta.url)), go.importObject);
  go.run(instance);
  return { module: new Kind(instance, go), size: () => instance.exports.mem.buffer.byteLength };
}

test("100,000 trackers and decoders, opened and closed, leave nothing behind", async () => {
  const { module, size } = await instance("calls", Calls);
  const once = () => {
    const tracker = module.call(op.trackerOpen, 0, '{"cursor":"s1:4"}').handle;
    module.call(op.trackerObserve, tracker, '{"type":"m","seq":5}');
    module.call(op.trackerClose, tracker);
    const decoder = module.call(op.decoderOpen, 0, "{}").handle;
    module.call(op.decoderFeed, decoder, "data: x\n\n");
    module.call(op.decoderClose, decoder);
  };
  for (let i = 0; i < 10_000; i++) once();
  const before = size();
  for (let i = 0; i < 90_000; i++) once();
  assert.ok(size() - before <= 4 << 20, `grew from ${before} to ${size()}`);
});

test("links that are opened, fed and closed leave nothing behind", async () => {
  const { module, size } = await instance("tidemark", Links);
  const bytes = new TextEncoder().encode(new Log({ count: 50 }).answer());
  const once = () => {
    const link = new Link(module, '{"sessions":["s1"]}');
    link.input(INPUT.start);
    link.input(INPUT.opened, { status: 200, contentType: "text/event-stream" });
    assert.equal(link.feed(bytes).items.filter(({ kind }) => kind === "event").length, 50);
    link.close();
  };
  for (let i = 0; i < 200; i++) once();
  const before = size();
  for (let i = 0; i < 2000; i++) once();
  assert.ok(size() - before <= 4 << 20, `grew from ${before} to ${size()}`);
});
