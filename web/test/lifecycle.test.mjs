import assert from "node:assert/strict";
import { test } from "node:test";
import { init, open, parseCursor, track } from "../dist/index.js";
import { calls } from "../dist/ask.js";
import { decoder } from "../dist/sse.js";
import { collect, gate, serving, stream, withoutJitter } from "./support/fetch.mjs";
import { above, Log } from "./support/log.mjs";

const ADDRESS = "http://tidemark.invalid/v1/sessions/s1/events";

/** A connection that stays open after what it said, and tells when it was given up. */
function lasting(...chunks) {
  const left = gate();
  const fetch = async (_, { signal }) => {
    signal.addEventListener("abort", left.open);
    return stream(...chunks, () => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))));
  };
  return { fetch, left: left.passed };
}

test("leaving the loop closes the connection", async () => {
  const log = new Log({ count: 3 });
  const { fetch, left } = lasting(log.answer().slice(0, -80));
  for await (const item of open(ADDRESS, { fetch })) if (item.kind === "event") break;
  await left;
});

test("throwing out of the loop closes the connection", async () => {
  const { fetch, left } = lasting(new Log({ count: 1 }).head(), new Log({ count: 1 }).delta("x"));
  const mine = new Error("mine");
  await assert.rejects(async () => {
    for await (const _ of open(ADDRESS, { fetch })) throw mine;
  }, mine);
  await left;
});

test("leaving the batches closes the connection", async () => {
  const { fetch, left } = lasting(new Log({ count: 1 }).delta("x"));
  for await (const _ of open(ADDRESS, { fetch }).batches()) break;
  await left;
});

for (const how of ["abort", "close"]) {
  test(`${how} ends the loop quietly, with its cause`, async () => {
    const log = new Log({ count: 2 });
    const { fetch, left } = lasting(log.head(), log.recorded(log.events[0]));
    const controller = new AbortController();
    const opened = open(ADDRESS, { fetch, signal: controller.signal });
    const items = [];
    for await (const item of opened) {
      items.push(item);
      if (item.kind === "event") how === "abort" ? controller.abort() : opened.close();
    }
    assert.deepEqual(items.at(-1), { kind: "end", session: "s1", cause: "closed" });
    await left;
    opened.close();
  });
}

test("a signal that has fired already: no request at all", async () => {
  const { fetch, requests } = serving();
  const items = await collect(open(ADDRESS, { fetch, signal: AbortSignal.abort() }));
  assert.deepEqual(items, [{ kind: "end", session: "s1", cause: "closed" }]);
  assert.deepEqual(requests, []);
});

test("closed before anything came", async () => {
  const { fetch, left } = lasting();
  const opened = open(ADDRESS, { fetch });
  opened.close();
  assert.deepEqual(await collect(opened), [{ kind: "end", session: "s1", cause: "closed" }]);
  await left;
});

test("a session that nobody named ends without a name", async () => {
  const opened = open("http://x.invalid/stream", { fetch: lasting().fetch });
  opened.close();
  assert.deepEqual(await collect(opened), [{ kind: "end", session: "", cause: "closed" }]);
  const answered = await collect(open("http://x.invalid/stream", { fetch: serving().fetch }));
  assert.deepEqual(answered, [{ kind: "end", session: "", cause: "server" }]);
  const log = new Log({ count: 1 });
  const named = await collect(open("http://x.invalid/stream", { fetch: serving(stream(log.answer())).fetch }));
  assert.deepEqual(named.at(-1), { kind: "end", session: "s1", cause: "server" });
});

test("a stream is iterated once: who comes second is told, and takes nothing away", async () => {
  const log = new Log({ count: 2 });
  const opened = open(ADDRESS, { fetch: serving(stream(log.answer())).fetch });
  const items = opened[Symbol.asyncIterator]();
  for (const second of [() => opened[Symbol.asyncIterator](), () => opened.batches()]) {
    assert.throws(second, { id: "stream.bad_handle", found: "a second one" });
  }
  let last;
  for await (const item of { [Symbol.asyncIterator]: () => items }) last = item;
  assert.equal(last.cause, "server");
  assert.throws(() => opened.batches(), { id: "stream.bad_handle" }, "over is over");
});

test("an error comes after all items, once", async (t) => {
  withoutJitter(t);
  const log = new Log({ count: 2 });
  const { fetch } = serving(stream(log.head(), log.recorded(log.events[0])), new Response("no", { status: 404 }));
  const iterator = open(ADDRESS, { fetch })[Symbol.asyncIterator]();
  assert.equal((await iterator.next()).value.seq, 1);
  await assert.rejects(iterator.next(), { id: "stream.http_status" });
  assert.deepEqual(await iterator.next(), { done: true, value: undefined });
});

test("a frame that comes late from an old connection is dropped", async (t) => {
  withoutJitter(t);
  const log = new Log({ count: 3 });
  const late = gate();
  const first = stream(log.head(), log.recorded(log.events[0]), log.recorded(log.events[2]), () => late.passed.then(() => log.recorded(log.events[1])));
  const { fetch } = serving(first, () => (late.open(), stream(log.answer(1))));
  const items = await collect(open(ADDRESS, { fetch }));
  assert.deepEqual(items.filter(({ kind }) => kind === "event").map(({ seq }) => seq), [1, 2, 3]);
});

// What load does.

test("load gives the first state, and the stream goes on from its cursor", async () => {
  const log = new Log({ count: 4, generation: 1 });
  const { fetch, requests } = serving((address) => stream(log.answer(above(address))));
  const asked = [];
  const load = async ({ signal, ...request }) => (asked.push(request), assert.equal(signal.aborted, false), { state: { n: 3 }, cursor: "s1:3@1" });
  const items = await collect(open(ADDRESS, { fetch, load }));
  assert.deepEqual(asked, [{ session: "s1", why: "first" }]);
  assert.deepEqual(items[0], { kind: "state", why: "first", session: "s1", state: { n: 3 }, cursor: "s1:3@1" });
  assert.deepEqual(items.filter(({ kind }) => kind === "event").map(({ seq }) => seq), [4]);
  assert.equal(requests.length, 1);
});

test("after a refusal load rebuilds, and the new state comes before what follows it", async () => {
  const log = new Log({ count: 5, generation: 9 });
  const { fetch } = serving((address) => stream(log.answer(above(address))), (address) => stream(log.answer(above(address))));
  const asked = [];
  const load = async ({ signal, ...request }) => (asked.push(request), { state: "new", cursor: "s1:4@9" });
  const items = await collect(open(ADDRESS, { cursor: "s1:2@8", fetch, load }));
  assert.deepEqual(items.map(({ kind }) => kind).filter((kind) => kind !== "draft"), ["refused", "state", "event", "live", "end"]);
  assert.equal(asked[0].why, "rebuilt");
  assert.equal(asked[0].refusal.reason, "generation_changed");
  assert.equal(items.find(({ kind }) => kind === "state").why, "rebuilt");
});

test("a load that throws, or answers nonsense, ends the stream with its cause", async () => {
  const mine = new Error("mine");
  for (const [load, cause] of [[() => Promise.reject(mine), mine], [() => ({ state: 1 }), undefined], [() => null, undefined], [() => ({ state: 1, cursor: "x" }), undefined]]) {
    const { fetch } = serving();
    await assert.rejects(collect(open(ADDRESS, { fetch, load })), (error) => {
      assert.equal(error.id, "stream.load_failed");
      if (cause) assert.equal(error.cause, cause);
      return true;
    });
  }
});

test("load is told when the stream is closed meanwhile", async () => {
  const { fetch } = serving();
  const started = gate();
  let told;
  const opened = open(ADDRESS, { fetch, load: ({ signal }) => (started.open(), new Promise(() => signal.addEventListener("abort", () => (told = true)))) });
  await started.passed;
  opened.close();
  assert.equal((await collect(opened)).at(-1).cause, "closed");
  assert.equal(told, true);
});

test("trackers go on in a fresh module; a decoder says that its connection is over", async (t) => {
  await init();
  t.mock.method(console, "error", () => {});
  const tracker = track({ cursor: "s1:4@7" });
  assert.equal(tracker.observe({ type: "m", seq: 5, generation: 7 }).verdict, "accept");
  const blocks = decoder();
  assert.throws(() => calls.now().crash(), { id: "stream.module_exited" });
  assert.equal(parseCursor("s1:4").seq, 4);
  assert.equal(tracker.observe({ type: "m", seq: 7 }).verdict, "gap");
  assert.equal(tracker.observe({ type: "m", seq: 6 }).verdict, "accept");
  assert.deepEqual(tracker.state, { session: "s1", seq: 6, generation: "7", token: "s1:6@7" });
  assert.throws(() => blocks.feed("data: x\n\n"), { id: "stream.module_exited" });
  tracker.close();
  blocks.close();
});

test("what was closed says so", async () => {
  await init();
  const tracker = track({ session: "s1" });
  const blocks = decoder();
  for (const closed of [tracker, blocks]) closed.close(), closed.close();
  assert.throws(() => tracker.observe({}), { id: "stream.bad_handle" });
  assert.throws(() => blocks.feed("x"), { id: "stream.bad_handle" });
});

test("a body without an end is closed with the stream", async () => {
  let cancelled;
  const endless = new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!cancelled) controller.enqueue(new TextEncoder().encode(": \n\n"));
    },
    cancel: () => void (cancelled = true),
  });
  const opened = open(ADDRESS, { fetch: async () => new Response(endless, { headers: { "content-type": "text/event-stream" } }) });
  setTimeout(() => opened.close(), 0);
  await collect(opened);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(cancelled, true);
});
