// The two marks of a session: what was handed over, and what the app has taken in. Only the second is for saving.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init, open } from "../dist/index.js";
import { driving } from "./support/driving.mjs";
import { collect, gate, serving, stream, turns } from "./support/fetch.mjs";
import { above, Log } from "./support/log.mjs";

const ADDRESS = "http://tidemark.invalid/v1/sessions/s1/events";
const forever = () => new Promise(() => {});

test("the applied mark follows what is given back, not what is handed over", async () => {
  const log = new Log({ count: 3, generation: 7 });
  const { driver, next, cursor } = driving({ fetch: serving(stream(log.head(), ...log.events.map((event) => log.recorded(event)), forever)).fetch, cursor: "s1:0" });
  await init();
  const seen = [];
  for (let i = 0; i < 3; i++) {
    await next();
    seen.push(cursor());
  }
  assert.deepEqual(seen, ["s1:0", "s1:1@7", "s1:2@7"]);
  driver.marks.settle();
  assert.equal(cursor(), "s1:3@7");
  assert.equal(cursor("s1"), "s1:3@7");
  assert.throws(() => cursor("s2"), { id: "stream.bad_input", expected: /^session: / });
  driver.stop();
});

test("the generation of a mark is the one adopted at that event", async () => {
  const log = new Log({ count: 4 });
  log.events.forEach((event, i) => (event.generation = i < 2 ? 1 : 2));
  log.generation = 2;
  const { driver, next, cursor } = driving({ fetch: serving(stream(log.head(), ...log.events.map((event) => log.recorded(event)), log.live(), forever)).fetch });
  const seen = [];
  for (let i = 0; i < 4; i++) await next(), driver.marks.settle(), seen.push(cursor());
  assert.equal(seen.at(-1), "s1:4@2");
  assert.ok(["s1:2", "s1:2@1"].includes(seen[1]), seen[1]);
  driver.stop();
});

test("a state that is on its way leaves nothing to save; once taken in, its cursor stands", async () => {
  const log = new Log({ count: 5, generation: 9 });
  const answer = (address) => stream(log.answer(above(address)).replace(log.end(), ""), forever);
  const { driver, next, cursor } = driving({ cursor: "s1:2@8", fetch: serving(answer, answer).fetch, load: () => ({ state: "new", cursor: "s1:4@9" }) });
  assert.equal((await next()).kind, "refused");
  await turns();
  assert.equal(cursor(), undefined);
  assert.equal((await next()).kind, "state");
  assert.equal(cursor(), undefined, "handed over, not taken in");
  const draft = await next();
  assert.equal(draft.kind, "draft");
  assert.equal(cursor(), "s1:4@9");
  assert.equal((await next()).seq, 5);
  await next();
  assert.equal(cursor(), "s1:5@9");
  driver.stop();
});

test("after the end there is a mark for each item that is still taken, and one for good", async () => {
  const log = new Log({ count: 3, generation: 7 });
  for (const answer of [[log.answer()], [log.answer().replace(log.end(), ""), new Response("no", { status: 404 })]]) {
    const { driver, next, cursor } = driving({ fetch: serving(stream(answer[0]), ...answer.slice(1)).fetch });
    const seen = new Set();
    try {
      while (await next()) seen.add(cursor());
    } catch (error) {
      assert.equal(error.id, "stream.http_status");
    }
    assert.deepEqual([...seen].filter(Boolean), ["s1:0", "s1:1@7", "s1:2@7", "s1:3@7"]);
    driver.stop();
    assert.equal(cursor(), "s1:3@7");
  }
});

test("a stream that is closed in the middle answers for what was taken in before", async () => {
  const log = new Log({ count: 3, generation: 7 });
  const { driver, next, cursor } = driving({ fetch: serving(stream(log.head(), ...log.events.map((event) => log.recorded(event)), forever)).fetch });
  await next();
  await next();
  driver.stop();
  assert.equal(cursor(), "s1:1@7");
  driver.marks.settle();
  assert.equal(cursor(), "s1:2@7", "what was in hand, once it is said to be applied");
});

// The handler in place of the loop.

test("subscribe hands over one item after the other, and resolves at the end", async () => {
  const log = new Log({ count: 3 });
  const seen = [];
  let busy = 0;
  const done = await open(ADDRESS, { fetch: serving(stream(log.answer())).fetch }).subscribe(async (item) => {
    assert.equal(++busy, 1, "one at a time");
    await turns();
    seen.push(item.kind);
    busy--;
  });
  assert.equal(done, undefined);
  assert.deepEqual(seen.filter((kind) => kind !== "draft"), ["event", "event", "event", "live", "end"]);
});

test("a handler that fails ends the stream with its error, and the item is not applied", async () => {
  const log = new Log({ count: 3, generation: 7 });
  const mine = new Error("mine");
  for (const fail of [() => Promise.reject(mine), () => { throw mine; }]) {
    let left = false;
    const fetch = async (_, { signal }) => (signal.addEventListener("abort", () => (left = true)), stream(log.head(), ...log.events.map((event) => log.recorded(event)), forever));
    const seqs = [];
    const opened = open(ADDRESS, { fetch });
    await assert.rejects(opened.subscribe(({ seq }) => (seqs.push(seq), seq === 2 ? fail() : undefined)), mine);
    assert.deepEqual(seqs, [1, 2]);
    assert.equal(left, true);
    assert.equal(opened.state().connection, "closed");
  }
});

test("subscribe passes on what ends the stream, and is the one loop over it", async () => {
  const { fetch } = serving(new Response("no", { status: 404 }));
  await assert.rejects(open(ADDRESS, { fetch }).subscribe(() => {}), { id: "stream.http_status" });
  const opened = open(ADDRESS, { fetch: serving().fetch });
  await assert.rejects(opened.subscribe("handler"), { id: "stream.bad_input", expected: "handler: a function" });
  const run = opened.subscribe(() => {});
  assert.throws(() => opened.batches(), { id: "stream.bad_handle" });
  await assert.rejects(opened.subscribe(() => {}), { id: "stream.bad_handle" });
  await run;
});

test("a slow handler holds the reading back: little is read ahead, and nothing is lost", async () => {
  const log = new Log({ count: 20_000, text: "x".repeat(300) });
  const bytes = new TextEncoder().encode(log.answer());
  let sent = 0;
  const pull = (controller) => {
    const chunk = bytes.subarray(sent, sent + (16 << 10));
    if (chunk.length === 0) return controller.close();
    sent += chunk.length;
    controller.enqueue(chunk);
  };
  const response = new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { headers: { "content-type": "text/event-stream" } });
  const seqs = [];
  let handled = 0;
  let most = 0;
  await open(ADDRESS, { fetch: async () => response }).subscribe((item) => {
    if (item.kind === "event") seqs.push(item.seq);
    handled += item.json?.length ?? 0;
    most = Math.max(most, sent - handled);
    return item.seq % 100 === 0 ? new Promise((resolve) => setImmediate(resolve)) : undefined;
  });
  assert.deepEqual(seqs, Array.from({ length: 20_000 }, (_, i) => i + 1));
  const overhead = bytes.length - handled; // frames around the payload, over the whole of it
  assert.ok(most - overhead < 1 << 20, `${most - overhead} bytes were read ahead of ${bytes.length}`);
});

// A cursor of the app's own.

test("reset goes on from another cursor, and drops what was of the one before", async () => {
  const log = new Log({ count: 6, generation: 7 });
  const { fetch, requests } = serving(stream(log.answer().replace(log.end(), ""), forever), (address) => stream(log.answer(above(address))));
  const opened = open(ADDRESS, { fetch });
  const items = [];
  for await (const item of opened) {
    items.push(item);
    if (items.length === 2) opened.reset("s1:4@7");
  }
  assert.deepEqual(items.filter(({ kind }) => kind === "event").map(({ seq }) => seq), [1, 5, 6]);
  assert.ok(!items.some(({ kind }) => kind === "state"), "the app has its state");
  assert.equal(requests[1], `${ADDRESS}?cursor=s1%3A4%407`);
});

test("reset before the module is there, and one that does not connect", async () => {
  const log = new Log({ count: 4 });
  const early = open(ADDRESS, { fetch: serving(() => stream(log.answer()), (address) => stream(log.answer(above(address)))).fetch });
  early.reset("s1:2");
  assert.deepEqual((await collect(early)).filter(({ kind }) => kind === "event").map(({ seq }) => seq), [3, 4]);
  const ahead = open(ADDRESS, { fetch: serving(() => stream(log.answer()), () => stream(log.head())).fetch });
  ahead.reset("s1:9");
  assert.equal((await collect(ahead)).find(({ kind }) => kind === "refused").refusal.reason, "cursor_ahead");
});

test("reset ends a load that runs: its answer is nobody's", async () => {
  const log = new Log({ count: 5 });
  const { fetch } = serving((address) => stream(log.answer(above(address))));
  const started = gate();
  const answered = gate();
  let told = false;
  const load = async ({ signal }) => {
    signal.addEventListener("abort", () => (told = true));
    started.open();
    await answered.passed;
    return { state: "late", cursor: "s1:1" };
  };
  const opened = open(ADDRESS, { fetch, load });
  const run = collect(opened);
  await started.passed;
  opened.reset("s1:3");
  assert.equal(told, true);
  answered.open();
  const items = await run;
  assert.deepEqual(items.filter(({ kind }) => kind === "event").map(({ seq }) => seq), [4, 5]);
  assert.ok(!items.some(({ kind }) => kind === "state"));
});

test("reset says what it cannot take", async () => {
  const log = new Log({ count: 2 });
  const opened = open("http://x.invalid/stream", { sessions: ["a", "b"], fetch: serving(stream(log.head())).fetch });
  await init();
  await turns();
  for (const [cursor, session, expected] of [[7, "a", /^cursor: /], ["a:1", undefined, /^session: /], ["a:1", "c", /^session: /]]) {
    assert.throws(() => opened.reset(cursor, session), { id: "stream.bad_input", expected });
  }
  opened.close();
  assert.throws(() => opened.reset("a:1", "a"), { id: "stream.bad_handle" });
  const wrong = open(ADDRESS, { fetch: serving(stream(log.head(), forever)).fetch });
  wrong.reset("s1:x");
  await assert.rejects(collect(wrong), { name: "TidemarkError" });
});

// A state that was there before the stream.

test("an initial state comes first, and the stream goes on from its cursor", async () => {
  const log = new Log({ count: 4, generation: 7 });
  const { fetch, requests } = serving((address) => stream(log.answer(above(address))));
  const items = await collect(open(ADDRESS, { fetch, initial: { state: { n: 3 }, cursor: "s1:3@7" }, load: () => assert.fail("there is one") }));
  assert.deepEqual(items[0], { kind: "state", why: "first", session: "s1", state: { n: 3 }, cursor: "s1:3@7" });
  assert.deepEqual(items.filter(({ kind }) => kind === "event").map(({ seq }) => seq), [4]);
  assert.deepEqual(requests, [`${ADDRESS}?cursor=s1%3A3%407`]);
});

test("initial states of several sessions, one of them with colons in its name", async () => {
  const [a, b] = ["a", "a:b"].map((session) => new Log({ session, count: 2 }));
  const { fetch } = serving(stream(a.head(), b.head(), a.end(), b.end()));
  const initial = [{ state: "A", cursor: "a:2" }, { state: "B", cursor: "a:b:2" }];
  const items = await collect(open("http://x.invalid/stream", { sessions: ["a:b", "a"], fetch, initial }));
  assert.deepEqual(items.slice(0, 2).map(({ session, state }) => [session, state]), [["a", "A"], ["a:b", "B"]]);
});

test("an initial state whose cursor is none is not handed over", async () => {
  const { fetch, requests } = serving();
  for (const [cursor, id] of [["s1:x", "stream.invalid_cursor"], ["s2:4", "stream.foreign_session"]]) {
    const iterator = open(ADDRESS, { fetch, initial: { state: 1, cursor } })[Symbol.asyncIterator]();
    await assert.rejects(iterator.next(), { id });
  }
  assert.deepEqual(requests, []);
});

test("a token in from is a cursor", async () => {
  const log = new Log({ count: 3 });
  const { fetch, requests } = serving((address) => stream(log.answer(above(address))));
  const items = await collect(open(ADDRESS, { fetch, from: "s1:2" }));
  assert.deepEqual(items.filter(({ kind }) => kind === "event").map(({ seq }) => seq), [3]);
  assert.deepEqual(requests, [`${ADDRESS}?cursor=s1%3A2`]);
  await assert.rejects(collect(open(ADDRESS, { fetch, from: "s1:x" })), { id: "stream.invalid_cursor" });
});

// what was taken in lies behind what was handed over most of the time, and is proven all the same.
test("a mark behind what was handed over has the proof of its own event", async () => {
  const proofs = async (take) => {
    const log = new Log({ count: 4 });
    const all = log.head() + log.events.slice(0, take).map((event) => log.recorded(event)).join("");
    const { driver, next } = driving({ fetch: serving(stream(all, forever)).fetch });
    await init();
    await next();
    driver.marks.settle();
    const { cursor, proof } = driver.mark();
    driver.stop();
    return { cursor, proof };
  };
  const alone = await proofs(1);
  assert.equal(alone.cursor, "s1:1");
  assert.match(alone.proof, /^[0-9a-f]{32}$/);
  assert.deepEqual(await proofs(4), alone);
});

test("a reset reaches the session it names, before anything has come and though no option names the sessions", async () => {
  const asked = [];
  const fetch = (address) => (asked.push(new URL(address).searchParams.getAll("cursor")), new Promise(() => {}));
  const opened = open("http://tidemark.invalid/v1/events", { cursor: ["a:1", "b:2"], fetch });
  await init();
  await turns();
  opened.reset("b:7", "b");
  await turns();
  assert.deepEqual(asked, [["a:1", "b:2"], ["a:1", "b:7"]]);
  opened.close();
});
