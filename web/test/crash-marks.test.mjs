// What can be saved after the module has stopped: a mark is never beyond what the app took in, whatever the
// module before had handed over, and there is one again as soon as one is certain.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../dist/index.js";
import { links } from "../dist/links.js";
import { memoryStore } from "../dist/storage/index.js";
import { Served } from "../dist/worker/served.js";
import { driving } from "./support/driving.mjs";
import { gate, serving, stream, turns, withoutJitter } from "./support/fetch.mjs";
import { above, Log } from "./support/log.mjs";
import { serving as server } from "./support/server.mjs";

const never = new Promise(() => {});
const forever = () => never;

/** The module stops once everything has been read that has come. */
async function stop() {
  await turns();
  const module = await links.ready();
  assert.throws(() => module.crash(), { id: "stream.module_exited" });
}

function prepare(t) {
  withoutJitter(t);
  t.mock.method(console, "error", () => {});
}

/** A head and these events, in one piece. */
const all = (log, events = log.events) => log.head() + events.map((each) => log.recorded(each)).join("");

/** Answers with everything of the log above what was asked for, up to the next of `lasts`, and stays open. */
function serve(log, ...lasts) {
  return serving(...lasts.map((last) => (address) => stream(all(log, log.events.slice(above(address), last)), forever)));
}

/** An app that folds what it gets, and looks after each step whether what it could save is what it has. */
function watching({ driver, next, cursor }, ...sessions) {
  const has = Object.fromEntries(sessions.map((session) => [session, undefined]));
  let hand;
  const look = () => sessions.map((session) => {
    const token = cursor(session);
    if (token !== undefined) assert.equal(token.replace(/@.*/, ""), `${session}:${has[session] ?? 0}`, "a mark that is not of what was taken in");
    return token;
  });
  const step = async () => {
    const taken = hand;
    const coming = next();
    if (taken?.kind === "event") has[taken.session] = taken.seq;
    if (taken?.kind === "state") has[taken.session] = Number(/:(\d+)/.exec(taken.cursor)[1]);
    hand = await coming;
    look();
    return hand;
  };
  const until = async (wanted) => {
    while (!wanted(await step()));
    return hand;
  };
  return { driver, step, until, look, has, over: (session, seq) => ((has[session] = seq), (hand = undefined)) };
}

const event = (seq) => (item) => item.kind === "event" && item.seq === seq;

/** The driver has seen that the module is gone, and has another one. */
async function noticed(driver, requests, n) {
  driver.page(true);
  while (requests.length < n) await turns();
  await turns();
}

for (const generation of [undefined, 7]) {
  const name = generation === undefined ? "unfenced" : "fenced";
  test(`${name}: events of the link before say nothing until the place is reached where the next one began`, async (t) => {
    prepare(t);
    const { fetch, requests } = serve(new Log({ count: 9, generation }), 8, 9);
    const app = watching(driving({ fetch }), "s1");
    await app.until(event(6));
    assert.match(app.look()[0], /^s1:5/);
    await stop();
    assert.deepEqual(app.look(), [undefined]);
    await noticed(app.driver, requests, 2);
    assert.deepEqual(app.look(), [undefined], "5 was taken in, and the link begins at 8");
    await app.until(event(8));
    assert.deepEqual(app.look(), [undefined]);
    await app.until(event(9));
    assert.match(app.look()[0], /^s1:8/, "all that the link before had handed over is taken in");
    app.driver.marks.settle();
    app.over("s1", 9);
    assert.match(app.look()[0], /^s1:9/);
    assert.match(requests[1], generation === undefined ? /cursor=s1%3A7$/ : /cursor=s1%3A8%407$/);
    app.driver.stop();
    assert.match(app.look()[0], /^s1:9/);
  });
}

test("all was taken in as it stopped: the mark is back with the next module, and has the same proof", async (t) => {
  prepare(t);
  for (const generation of [undefined, 7]) {
    const { fetch, requests } = serve(new Log({ count: 5, generation }), 5, 5);
    const app = driving({ fetch });
    for (let item; (item = await app.next()).seq !== 5; );
    app.driver.marks.settle();
    const before = app.driver.mark();
    assert.match(before.cursor, /^s1:5/);
    await stop();
    await noticed(app.driver, requests, 2);
    assert.deepEqual(app.driver.mark(), before);
    app.driver.stop();
  }
});

test("nothing was taken in yet, of some that had come", async (t) => {
  prepare(t);
  for (const cursor of [undefined, "s1:2@7"]) {
    const { fetch, requests } = serve(new Log({ count: 6, generation: 7 }), 4, 6);
    const app = watching(driving({ fetch, cursor }), "s1");
    if (cursor) app.over("s1", 2);
    const first = await app.step();
    assert.match(app.look()[0] ?? "s1:", /^s1:/);
    await stop();
    await noticed(app.driver, requests, 2);
    assert.deepEqual(app.look(), [undefined], `${first.seq} is in hand`);
    await app.until(event(5));
    assert.equal(app.look()[0], "s1:4@7");
    app.driver.stop();
  }
});

test("nothing had come yet", async (t) => {
  prepare(t);
  const { fetch, requests } = serve(new Log({ count: 3, generation: 7 }), 0, 3);
  const app = watching(driving({ fetch }), "s1");
  while (requests.length < 1) await turns();
  await turns();
  await stop();
  await noticed(app.driver, requests, 2);
  await app.until(event(3));
  assert.equal(app.look()[0], "s1:2@7");
  app.driver.stop();
});

test("it stops twice, and in the middle of what the second one had handed over", async (t) => {
  prepare(t);
  const { fetch, requests } = serve(new Log({ count: 12, generation: 7 }), 4, 8, 12);
  const app = watching(driving({ fetch }), "s1");
  await app.until(event(2));
  await stop();
  await noticed(app.driver, requests, 2);
  await app.until(event(3));
  await stop();
  await noticed(app.driver, requests, 3);
  await app.until(event(8));
  assert.deepEqual(app.look(), [undefined]);
  await app.until(event(9));
  assert.equal(app.look()[0], "s1:8@7");
  await app.until(event(12));
  app.driver.stop();
  assert.equal(app.look()[0], "s1:11@7");
});

test("a slow consumer: the queue is full as it stops", async (t) => {
  prepare(t);
  const { fetch, requests } = serve(new Log({ count: 3000, generation: 7 }), 2900, 3000);
  const app = watching(driving({ fetch }), "s1");
  await app.until(event(10));
  while (!app.driver.queue.full) await turns();
  await stop();
  await noticed(app.driver, requests, 2);
  assert.deepEqual(app.look(), [undefined]);
  await app.until(event(3000));
  assert.equal(app.look()[0], "s1:2999@7");
  const began = Number(/3A(\d+)%40/.exec(requests[1])[1]);
  assert.ok(began >= 1024, `${began} had come`);
  app.driver.stop();
});

test("several sessions, each for itself, and one that had ended is not taken for another", async (t) => {
  prepare(t);
  const [a, b] = ["a", "b"].map((session) => new Log({ session, count: 4, generation: 7 }));
  const first = stream(all(a) + all(b, b.events.slice(0, 2)) + a.end(), forever);
  const { fetch, requests } = serving(first, () => stream(b.answer(2), forever));
  const app = watching(driving({ fetch, sessions: ["a", "b"] }, "http://x.invalid/stream"), "a", "b");
  await app.until((item) => item.session === "a" && item.seq === 3);
  await stop();
  await noticed(app.driver, requests, 2);
  assert.deepEqual(app.look(), [undefined, undefined]);
  await app.until((item) => item.session === "b" && item.seq === 3);
  assert.deepEqual(app.look(), [undefined, "b:2@7"], "nobody knows any more how the cursor of a stood");
  await app.until((item) => item.kind === "end" && item.session === "b");
  assert.deepEqual(app.look(), [undefined, "b:4@7"]);
  app.driver.stop();
  assert.deepEqual(app.look(), [undefined, "b:4@7"]);
});

test("a state that was on its way as it stopped, at a cursor behind what the app had", async (t) => {
  prepare(t);
  const old = new Log({ count: 9, generation: 6 });
  const fresh = new Log({ count: 9, generation: 7 });
  const rest = gate();
  const lost = stream(all(old, old.events.slice(0, 6)), () => rest.passed.then(() => fresh.recorded(fresh.events[6])));
  const until = (last) => (address) => stream(all(fresh, fresh.events.slice(above(address), last)), forever);
  const { fetch, requests } = serving(lost, until(5), until(9));
  const app = watching(driving({ fetch, from: "beginning", load: () => ({ state: {}, cursor: "s1:3@7" }) }), "s1");
  await app.until(event(6));
  app.driver.marks.settle();
  app.over("s1", 6);
  assert.equal(app.look()[0], "s1:6@6");
  rest.open();
  while (requests.length < 2) await turns();
  await turns();
  assert.deepEqual(app.look(), [undefined]);
  await stop();
  await noticed(app.driver, requests, 3);
  assert.deepEqual(app.look(), [undefined], "6 is a number of the state before");
  await app.until(event(5));
  assert.deepEqual(app.look(), [undefined]);
  await app.until(event(7));
  assert.equal(app.look()[0], "s1:6@7");
  app.driver.stop();
});

test("a state of the next module is certain at once", async (t) => {
  prepare(t);
  const old = new Log({ count: 6, generation: 6 });
  const fresh = new Log({ count: 9, generation: 7 });
  const { fetch, requests } = serving(stream(all(old), forever),
    () => stream(fresh.head(), forever), (address) => stream(fresh.answer(above(address)), forever));
  const app = watching(driving({ fetch, from: "beginning", load: () => ({ state: {}, cursor: "s1:8@7" }) }), "s1");
  await app.until(event(4));
  await stop();
  await noticed(app.driver, requests, 3);
  await app.until(({ kind }) => kind === "state");
  assert.deepEqual(app.look(), [undefined]);
  app.driver.marks.settle();
  app.over("s1", 8);
  assert.equal(app.look()[0], "s1:8@7");
  app.driver.stop();
});

for (const [when, before] of [["while the next one starts", true], ["that notices it", false]]) {
  test(`a reset ${when} is not lost: the stream goes on from it, and so does the mark`, async (t) => {
    prepare(t);
    const { fetch } = serve(new Log({ count: 9, generation: 7 }), 8, 9, 9, 9);
    const app = watching(driving({ fetch }), "s1");
    await app.until(event(6));
    await stop();
    if (before) app.driver.page(true);
    app.driver.reset("s1:3@7");
    app.over("s1", 3);
    assert.deepEqual(app.look(), [undefined]);
    const seqs = [];
    for (let item; (item = await app.step()).seq !== 9; ) if (item.kind === "event") seqs.push(item.seq);
    assert.deepEqual(seqs, [4, 5, 6, 7, 8]);
    assert.equal(app.look()[0], "s1:8@7");
    app.driver.stop();
  });
}

test("a reset from inside a callback counts as soon as it is made", async (t) => {
  prepare(t);
  const { fetch } = serve(new Log({ count: 4, generation: 7 }), 4, 4);
  let marked = "not asked";
  const onDecision = ({ seq }) => {
    if (seq !== 3 || marked !== "not asked") return;
    app.driver.reset("s1:1@7");
    marked = app.cursor();
  };
  const app = driving({ fetch, onDecision });
  for (let item; (item = await app.next()).seq !== 4; );
  assert.ok(marked === undefined || marked === "s1:1@7", marked);
  app.driver.stop();
});

test("what is saved right after it is never more than the app has, and a page that begins again has everything", async (t) => {
  prepare(t);
  const log = new Log({ count: 9, generation: 7 });
  const store = memoryStore();
  const options = (...lasts) => ({ ...serve(log, ...lasts), snapshots: store, load: () => ({ state: [], cursor: "s1:0" }) });
  const address = "http://tidemark.invalid/v1/sessions/s1/events";
  let { requests, ...rest } = options(8, 9);
  let had = [];
  const saved = [];
  const first = open(address, rest);
  for await (const item of first) {
    if (item.kind === "event") had = [...had, item.seq];
    if (item.kind !== "event") continue;
    if (item.seq === 5) await stop().then(() => first.stats());
    saved.push(await first.save(had));
    if (item.seq === 7) break; // the page is gone
  }
  ({ requests, ...rest } = options(9));
  for await (const item of open(address, rest)) {
    if (item.kind === "state") had = item.state;
    if (item.kind === "event") had = [...had, item.seq];
    if (item.seq === 9) break;
  }
  assert.deepEqual(had, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.deepEqual(saved.map(({ saved, cursor }) => [saved, cursor]).slice(0, 4), [1, 2, 3, 4].map((seq) => [true, `s1:${seq}@7`]));
});

/** The far half of a stream, with a page that says what it was told to. */
async function far(t, settings, ...answers) {
  const { address, requests } = await server(t, ...answers);
  const { port1: page, port2 } = new MessageChannel();
  const lots = [];
  const marks = new Map();
  let sessions = {};
  page.onmessage = ({ data }) => {
    if (data.kind === "items") lots.push(data);
    if (data.kind === "state") sessions = data.state.sessions;
    if (data.kind === "ask") page.postMessage({ kind: "answer", id: data.id, value: settings.loaded });
    if (data.kind === "answer") marks.get(data.id)(data.value?.cursor);
  };
  t.after(() => (page.postMessage({ kind: "stop" }), setTimeout(() => page.close(), 50)));
  const { loaded, ...given } = settings;
  new Served(port2, { sessions: ["s1"], cursors: [], headers: [], load: loaded !== undefined, decisions: false, initial: [], url: address, ...given });
  let id = 0;
  const mark = (seq, heard) => new Promise((resolve) => {
    marks.set(++id, resolve);
    page.postMessage({ kind: "mark", id, session: "s1", applied: seq && { seq }, heard });
  });
  const took = () => page.postMessage({ kind: "took" });
  const lot = async (n) => { while (lots.length < n) await turns(); };
  const phase = async (name) => { while (sessions.s1 !== name) await turns(); };
  return { lots, requests, mark, took, lot, phase, visible: () => page.postMessage({ kind: "page", visible: true }) };
}

test("in a worker: the module stops while items wait there that the page has not got", async (t) => {
  prepare(t);
  const [log, longer] = [8, 9].map((count) => new Log({ count, generation: 7 }));
  const gates = [gate(), gate()];
  const chunks = [all(log, log.events.slice(0, 1)), () => gates[0].passed.then(() => log.recorded(log.events[1])), () => gates[1].passed.then(() => log.events.slice(2).map((each) => log.recorded(each)).join("") + log.live()), forever];
  const worker = await far(t, {}, chunks, [all(longer, longer.events.slice(8)), forever]);
  await worker.lot(1);
  gates[0].open();
  await worker.lot(2);
  gates[1].open(); // two lots are under way, so these wait
  await worker.phase("live");
  await stop();
  worker.visible();
  while (worker.requests.length < 2) await turns();
  await worker.phase("replaying");
  for (const seq of [undefined, 1, 2]) assert.equal(await worker.mark(seq, 2), undefined, String(seq));
  worker.took();
  await worker.lot(3);
  for (const seq of [3, 7]) assert.equal(await worker.mark(seq, 3), undefined, String(seq));
  assert.equal(await worker.mark(8, 3), "s1:8@7");
  assert.equal(await worker.mark(9, 3), "s1:9@7");
});

test("in a worker: a state waits there that the page has not got, so its numbers are of the one before", async (t) => {
  prepare(t);
  const old = new Log({ count: 5, generation: 6 });
  const fresh = new Log({ count: 9, generation: 7 });
  const gates = [gate(), gate()];
  const chunks = [all(old, old.events.slice(0, 1)), () => gates[0].passed.then(() => old.events.slice(1).map((each) => old.recorded(each)).join("")), () => gates[1].passed.then(() => fresh.recorded(fresh.events[5]))];
  const worker = await far(t, { loaded: { state: 1, cursor: "s1:3@7" }, from: "beginning" }, chunks, [all(fresh, fresh.events.slice(3)) + fresh.live(), forever]);
  await worker.lot(1);
  gates[0].open();
  await worker.lot(2);
  assert.equal(await worker.mark(5, 2), "s1:5@6");
  gates[1].open();
  await worker.phase("live");
  for (const seq of [undefined, 4, 5]) assert.equal(await worker.mark(seq, 2), undefined, String(seq));
  worker.took();
  await worker.lot(3);
  assert.equal(await worker.mark(undefined, 3), "s1:3@7");
  assert.equal(await worker.mark(9, 3), "s1:9@7");
});

test("a worker that is replaced: what it had handed over and is not taken in cannot be saved", async (t) => {
  const { running } = await import("../dist/worker/pool.js");
  const log = new Log({ count: 9, generation: 7 });
  const rows = log.events.map((each) => log.recorded(each));
  const { address } = await server(t, [log.head() + rows.slice(0, 8).join(""), forever], ({ url }) => [log.head(), ...rows.slice(above(url)), forever]);
  const stream = open(address, { worker: true, snapshots: memoryStore(), load: () => ({ state: [], cursor: "s1:0" }) });
  const cursors = [];
  for await (const item of stream) {
    if (item.kind !== "event") continue;
    if (item.seq === 5) {
      running().terminate();
      await turns();
    }
    const { saved, cursor } = await stream.save([item.seq]);
    cursors.push([item.seq, saved, cursor]);
    if (cursor !== undefined) assert.equal(cursor, `s1:${item.seq}@7`);
    if (item.seq === 9) break;
  }
  assert.deepEqual(cursors.filter(([, saved]) => saved).map(([seq]) => seq).slice(0, 4), [1, 2, 3, 4]);
  assert.deepEqual(cursors.at(-1), [9, true, "s1:9@7"]);
});
