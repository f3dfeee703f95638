// How streams of tidemark/edge begin and end: who lets go of what, and how much is read ahead.
import assert from "node:assert/strict";
import { test } from "node:test";
import { proxy, validate } from "../dist/edge/index.js";
import { counting, fed, pieces } from "./support/edge.mjs";
import { gate, serving, stream, turns } from "./support/fetch.mjs";
import { Log } from "./support/log.mjs";

const asked = { sessions: ["s1"] };
const request = (init) => new Request("http://edge/v1/sessions/s1/events", init);

test("a consumer that leaves takes the connection and the relay along", async (t) => {
  const open = counting(t);
  const log = new Log({ count: 2 });
  const leaving = {
    "between chunks": async (reader) => void (await reader.read()),
    "while nothing comes": async (reader) => void (await reader.read(), reader.read().catch(() => {}), await turns()),
    "before the first": async () => {},
  };
  for (const [name, before] of Object.entries(leaving)) {
    const upstream = fed();
    upstream.give(log.head());
    const reader = (await validate(upstream.response, asked)).body.getReader();
    await before(reader);
    assert.equal(open.size, 1, name);
    await reader.cancel("gone");
    assert.equal(await upstream.left, "gone", name);
    assert.equal(open.size, 0, name);
  }
});

test("a signal ends the answer with its reason", async (t) => {
  const open = counting(t);
  for (const early of [true, false]) {
    const upstream = fed();
    const stop = new AbortController();
    if (early) stop.abort(new Error("mine"));
    const reader = (await validate(upstream.response, { ...asked, signal: stop.signal })).body.getReader();
    const next = reader.read();
    stop.abort(new Error("mine"));
    await assert.rejects(next, /mine/);
    assert.match((await upstream.left).message, /mine/);
    assert.equal(open.size, 0);
  }
});

test("a consumer that leaves before the server has answered takes its request along", async (t) => {
  const open = counting(t);
  const stop = new AbortController();
  const left = gate();
  const fetch = (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => (left.open(), reject(signal.reason))));
  const answer = proxy(request({ signal: stop.signal }), { upstream: "http://up", fetch });
  await turns();
  stop.abort();
  await left.passed;
  assert.equal((await answer).status, 502);
  assert.equal(open.size, 0);
});

test("nothing is kept of a consumer before the server has answered: some hosts forget one that leaves, and what it waited for", async (t) => {
  const open = counting(t);
  void proxy(request(), { upstream: "http://up", fetch: () => new Promise(() => {}) });
  await turns();
  assert.equal(open.size, 0);
});

test("options that are found to be wrong behind the answer of the server let go of it", async (t) => {
  const open = counting(t);
  for (const ask of [(fetch) => proxy(request(), { upstream: "http://up", fetch, profile: "unheard of" }), async (fetch) => validate(await fetch(), { profile: "unheard of" })]) {
    const upstream = fed();
    await assert.rejects(ask(async () => upstream.response), { id: "stream.invalid_profile" });
    await upstream.left;
    assert.equal(open.size, 0);
  }
});

test("a stream that ends frees its relay, however it ends", async (t) => {
  const open = counting(t);
  const log = new Log({ count: 3 });
  const endings = {
    end: [log.answer()], refused: [log.head(), log.recorded(log.events[2])], fault: ["event: tidemark.head\ndata: {}\n\n"], empty: [],
  };
  for (const [name, chunks] of Object.entries(endings)) {
    await (await validate(stream(...chunks), asked)).text();
    assert.equal(open.size, 0, name);
  }
  await assert.rejects((await validate(stream(log.head(), new Error("cut")), asked)).text(), /cut/);
  for (const answer of [new Error("down"), new Response("<p>", { status: 500 }), new Response(null, { status: 204 })]) {
    await proxy(request(), { upstream: "http://up", fetch: serving(answer).fetch });
  }
  assert.equal(open.size, 0);
});

test("no more is read than its consumer takes", async () => {
  const log = new Log({ count: 100 });
  let given = 0;
  const chunks = log.events.map((event) => () => (given++, log.recorded(event)));
  const reader = (await validate(stream(log.head(), ...chunks), asked)).body.getReader();
  await turns();
  assert.equal(given, 0);
  for (let taken = 1; taken <= 10; taken++) {
    await reader.read();
    await turns();
    assert.ok(given < taken, `${given} read, ${taken} taken`);
  }
  await reader.cancel();
});

test("200 streams share one instance, and none sees anything of another", async (t) => {
  const open = counting(t);
  const logs = Array.from({ length: 200 }, (_, i) => new Log({ session: `s${i}`, count: 5, text: `of ${i}` }));
  const upstreams = logs.map(fed);
  const answers = await Promise.all(upstreams.map(({ response }, i) => validate(response, { sessions: [`s${i}`] })));
  const texts = answers.map((answer) => answer.text());
  const parts = logs.map((log, i) => [...pieces(log.answer(), 61 + i)]);
  for (let turn = 0; turn < Math.max(...parts.map(({ length }) => length)); turn++) {
    for (const [i, part] of parts.entries()) if (part[turn]) upstreams[i].give(part[turn]);
    await turns();
    if (turn === 0) assert.equal(open.size, 200);
  }
  assert.deepEqual(await Promise.all(texts), logs.map((log) => log.answer()));
  assert.equal(open.size, 0);
});

test("what is still to be done is handed on once, whenever the consumer leaves", async () => {
  const log = new Log({ count: 1 });
  for (let behind = 0; behind < 20; behind++) {
    let handed = 0;
    const answer = await proxy(request(), { upstream: "http://up", fetch: async () => stream(log.head() + log.recorded(log.events[0]) + log.end()), waitUntil: () => void handed++ });
    const reader = answer.body.getReader();
    await reader.read();
    for (let i = 0; i < behind; i++) await undefined;
    await reader.cancel();
    assert.equal(handed, 1, `${behind} turns behind the last bytes`);
  }
});

test("an answer ends, whatever becomes of what is handed to waitUntil", async (t) => {
  t.mock.method(console, "error", () => {});
  const log = new Log({ count: 1 });
  const waitUntil = () => { throw new Error("mine"); };
  const answer = await proxy(request(), { upstream: "http://up", fetch: async () => stream(log.answer()), waitUntil });
  assert.equal(await answer.text(), log.answer());
});
