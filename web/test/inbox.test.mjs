// R-360 to R-369 in a page: what an inbox shows of streams that are judged, and never a card that is dead.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inbox } from "../dist/inbox.js";
import { init, open } from "../dist/index.js";
import { links } from "../dist/links.js";
import { bytes } from "../dist/sources.js";
import { gate, stream, turns, withoutJitter, withTime } from "./support/fetch.mjs";
import { Parks, Server, START } from "./support/parks.mjs";

const ADDRESS = "http://tidemark.invalid/v1/sessions/s1/events";
const NOW = () => START + 5000;
await init();

/** What a page would see: rows, then sessions that are not known. */
const show = (box) => [
  ...box.rows().map(({ decisionId, state, was }) => `${decisionId} ${state}${was ? `(${was})` : ""}`),
  ...box.sessions().filter(({ known }) => !known).map(({ session, why }) => `${session} ${why}`),
].join(", ");

/** An inbox that reads, on a page of its own. */
function page(t, server, { address = ADDRESS, now = NOW, box: boxed = {}, ...options } = {}) {
  const box = inbox(open(address, { fetch: server.fetch, ...options }), { now, ...boxed });
  const over = box.run();
  over.catch(() => {});
  t.after(() => box.close());
  return { box, over };
}

async function reading(t, server, options) {
  const { box } = page(t, server, options);
  await turns();
  return box;
}

test("rows say how questions stand, and are the same until something changes", async (t) => {
  const log = new Parks();
  log.ask("a", 1, 10);
  const server = new Server(log);
  const box = await reading(t, server);
  assert.deepEqual(box.rows(), [{
    session: "s1", decisionId: "a", turnId: "t1", checkpointId: "ca", seq: 1, generation: "7", state: "pending",
    request: { type: "plan_approval", text: "of a" }, requestType: "plan_approval", parkedAt: START + 1000, deadlineAt: START + 10_000,
  }]);
  assert.ok(Object.isFrozen(box.rows()) && Object.isFrozen(box.rows()[0]));
  assert.equal(box.rows(), box.rows());
  assert.deepEqual(box.sessions(), [{ session: "s1", known: true, pending: 1 }]);
  server.record(log, log.settle("a"));
  await turns();
  assert.equal(show(box), "a answered");
  assert.deepEqual(box.rows()[0].decision, { action: "approve_plan" });
  server.record(log, log.ask("a", 4));
  await turns();
  assert.equal(show(box), "a pending", "asked again, it is the newest");
});

test("the items are the stream's own, and are taken once", async (t) => {
  const log = new Parks();
  log.ask("a");
  const server = new Server(log);
  const opened = open(ADDRESS, { fetch: server.fetch });
  const box = inbox(opened, { now: NOW });
  t.after(() => box.close());
  await assert.rejects(async () => { for await (const _ of opened); }, { id: "stream.bad_handle" });
  const kinds = [];
  for await (const item of box) {
    kinds.push(item.kind);
    if (item.kind === "event") assert.deepEqual(item.event, log.events[0]);
    if (item.kind === "live") break;
  }
  assert.deepEqual(kinds, ["event", "live"]);
  assert.equal(opened.state().connection, "closed");
  assert.equal(show(box), "a unknown(pending), s1 disconnected", "nobody reads any more");
});

// Each way in which a dead card could be shown (R-368).

test("a question is not shown as open before what follows it was read", async (t) => {
  const log = new Parks();
  log.ask("a");
  log.settle("a");
  const seen = [];
  const box = inbox(open(ADDRESS, { fetch: new Server(log).fetch }), { now: NOW });
  t.after(() => box.close());
  for await (const { kind } of box) {
    seen.push(show(box));
    if (kind === "live") break;
  }
  assert.deepEqual(seen, ["a unknown(pending), s1 catching_up", "a unknown(answered), s1 catching_up", "a answered"]);
});

test("a lost connection is known at once, and not only with the next item", async (t) => {
  withoutJitter(t);
  const log = new Parks();
  log.ask("a");
  const server = new Server(log);
  let box;
  const seen = [];
  const told = gate();
  const onState = ({ connection }) => connection === "waiting" && seen.push(show(box));
  box = await reading(t, server, { onState, box: { onChange: (rows) => rows[0]?.state === "unknown" && told.open() } });
  assert.equal(show(box), "a pending");
  server.next.GET.push(() => new Promise(() => {}));
  log.settle("a"); // another tab, while nobody hears it
  server.cut();
  await told.passed;
  assert.deepEqual(seen, ["a unknown(pending), s1 disconnected"]);
});

test("an answer that came while the connection was lost is read before anything is known again", async (t) => {
  withoutJitter(t);
  const log = new Parks();
  log.ask("a");
  const server = new Server(log);
  const states = [];
  const box = await reading(t, server, { box: { onChange: (rows) => states.push(rows[0].state) } });
  assert.equal(states.at(-1), "pending");
  states.length = 0;
  log.settle("a");
  server.cut();
  while (show(box) !== "a answered") await new Promise((resolve) => setTimeout(resolve, 10));
  await turns();
  assert.ok(!states.includes("pending") && states.at(-1) === "answered", states.join());
});

test("an app that takes its items late does not make a card live again", async (t) => {
  withTime(t);
  withoutJitter(t);
  const log = new Parks();
  log.ask("a");
  const server = new Server(log);
  const opened = open(ADDRESS, { fetch: server.fetch });
  const box = inbox(opened, { now: NOW });
  t.after(() => box.close());
  const items = box[Symbol.asyncIterator]();
  assert.equal((await items.next()).value.kind, "event");
  await turns(); // the first live waits to be taken
  log.settle("a");
  server.cut();
  await turns();
  t.mock.timers.tick(1000);
  await turns(); // the answer, and the second live
  assert.equal(opened.state().sessions.s1, "live");
  const seen = [show(box)];
  while (!seen.at(-1).startsWith("a answered")) {
    await items.next();
    seen.push(show(box));
  }
  assert.deepEqual(seen, ["a unknown(pending), s1 catching_up", "a unknown(pending), s1 catching_up", "a unknown(answered), s1 catching_up", "a answered"]);
});

test("an answer that waits to be taken makes its card unknown", async (t) => {
  const log = new Parks();
  log.ask("a");
  const server = new Server(log);
  const box = inbox(open(ADDRESS, { fetch: server.fetch }), { now: NOW });
  t.after(() => box.close());
  const items = box[Symbol.asyncIterator]();
  for (let kind; kind !== "live"; ) kind = (await items.next()).value.kind;
  assert.equal(show(box), "a pending");
  server.record(log, log.settle("a"));
  await turns();
  assert.equal(show(box), "a unknown(pending), s1 catching_up");
  await items.next();
  assert.equal(show(box), "a answered");
});

test("a refused stream knows nothing, and nothing that it showed is gone", async (t) => {
  withTime(t);
  withoutJitter(t);
  const log = new Parks();
  log.ask("a");
  const server = new Server(log);
  const box = await reading(t, server);
  log.generation = 8; // another writer, and its log is shorter
  log.events.length = 0;
  server.cut();
  await turns();
  t.mock.timers.tick(1000);
  await turns();
  assert.equal(show(box), "a unknown(pending), s1 refused");
  assert.deepEqual(box.sessions(), [{ session: "s1", known: false, why: "refused", pending: 0 }]);
});

test("after a refusal a state is loaded: without a fold the session is elsewhere, with one it goes on", async (t) => {
  withTime(t);
  withoutJitter(t);
  for (const [fold, want] of [[undefined, "a unknown(pending), b unknown(pending), s1 elsewhere"], [(state) => state.inbox, "c pending, b pending"]]) {
    const log = new Parks();
    log.ask("a");
    const server = new Server(log);
    const other = new Parks({ generation: 8 });
    other.ask("c");
    const made = await reading(t, new Server(other));
    const kept = made.save();
    assert.deepEqual({ seq: kept.seq, generation: kept.generation }, { seq: 1, generation: "8" });
    const load = () => ({ state: { inbox: JSON.parse(JSON.stringify(kept)) }, cursor: "s1:1@8" });
    const box = await reading(t, server, { from: "beginning", load, box: { fold } });
    assert.equal(show(box), "a pending");
    other.ask("b");
    server.logs.set("s1", other);
    server.cut();
    await turns();
    t.mock.timers.tick(1000);
    await turns();
    assert.equal(show(box), want);
  }
});

test("a stream that goes on from a cursor knows its rows with what was saved there, and not without", async (t) => {
  const log = new Parks();
  log.ask("a");
  log.append();
  const server = new Server(log);
  const before = await reading(t, server);
  const saved = JSON.parse(JSON.stringify(before.save()));
  log.ask("b");
  const wrong = { ...saved, fold: saved.fold.replace('"seq":2', '"seq":1') };
  for (const [cursor, kept, want] of [
    ["s1:2@7", saved, "a pending, b pending"],
    ["s1:2@7", undefined, "b unknown(pending), s1 elsewhere"],
    ["s1:1@7", saved, "b unknown(pending), s1 elsewhere"],
    ["s1:2@7", wrong, "b unknown(pending), s1 elsewhere"],
    ["s1:2@7", { ...saved, fold: '{"v":1}' }, "b unknown(pending), s1 elsewhere"],
    ["s1:2@7", { ...saved, fold: "{}},x" }, "b unknown(pending), s1 elsewhere"],
    ["s1:2@7", { ...saved, session: "s2" }, "b unknown(pending), s1 elsewhere"],
  ]) {
    assert.equal(show(await reading(t, server, { cursor, box: { saved: kept } })), want, JSON.stringify(kept));
  }
  assert.equal(show(await reading(t, server, { from: "now" })), "s1 elsewhere");
});

test("a cursor of the app's own makes the session elsewhere", async (t) => {
  const log = new Parks();
  log.ask("a");
  log.settle("a");
  log.ask("b");
  const server = new Server(log);
  const opened = open(ADDRESS, { fetch: server.fetch });
  const box = inbox(opened, { now: NOW });
  t.after(() => box.close());
  void box.run();
  await turns();
  assert.equal(show(box), "a answered, b pending");
  log.settle("b");
  opened.reset("s1:4@7");
  assert.equal(show(box), "a unknown(answered), b unknown(pending), s1 elsewhere");
  await turns();
  assert.equal(show(box), "a unknown(answered), b unknown(pending), s1 elsewhere");
});

test("a stream that does not say when it is caught up never is", async (t) => {
  const log = new Parks({ generation: undefined });
  log.ask("a");
  const box = await reading(t, new Server(log), { profile: { name: "x", continuity: "monotonic" } });
  assert.equal(show(box), "a unknown(pending), s1 catching_up");
});

test("a stream that was cut off for good knows nothing any more", async (t) => {
  const log = new Parks();
  log.ask("a");
  const cut = gate();
  const only = bytes(stream(log.head(), log.recorded(log.events[0]), log.live(), () => cut.passed));
  const box = inbox(open(only, { session: "s1" }), { now: NOW });
  t.after(() => box.close());
  const over = box.run();
  await turns();
  assert.equal(show(box), "a pending");
  cut.open();
  await over;
  assert.equal(show(box), "a unknown(pending), s1 incomplete");
});

test("a session that has ended is known to its end, and its deadlines still pass", async (t) => {
  const log = new Parks();
  log.ask("a", 1, 10);
  log.ask("b");
  const server = new Server(log);
  let now = START + 5000;
  const { box, over } = page(t, server, { now: () => now });
  await turns();
  server.end();
  await over;
  assert.equal(show(box), "a pending, b pending");
  now = START + 10_000;
  assert.equal(show(box), "a expired, b pending");
});

// Time.

test("a deadline passes by the clock alone, with one alarm for the next", async (t) => {
  const timers = withTime(t, START + 5000);
  const log = new Parks();
  log.ask("a", 1, 10);
  log.ask("b", 1, 20);
  const told = [];
  const { box } = page(t, new Server(log), { now: Date.now, box: { onChange: (rows) => told.push(rows.map(({ state }) => state).join()) } });
  await turns();
  assert.equal(told.at(-1), "pending,pending");
  timers.tick(4999);
  await turns();
  assert.equal(told.at(-1), "pending,pending");
  timers.tick(1);
  await turns();
  assert.equal(told.at(-1), "expired,pending");
  timers.tick(10_000);
  await turns();
  assert.equal(told.at(-1), "expired,expired");
  assert.equal(show(box), "a expired, b expired");
});

test("in a hidden page, where timers come late, the clock decides as soon as anybody looks", async (t) => {
  const hidden = new EventTarget();
  hidden.visibilityState = "hidden";
  globalThis.document = hidden;
  t.after(() => delete globalThis.document);
  let now = START + 5000;
  t.mock.timers.enable({ apis: ["setTimeout"] }); // no timer fires at all
  const log = new Parks();
  log.ask("a", 1, 10);
  const told = [];
  const { box } = page(t, new Server(log), { now: () => now, box: { onChange: (rows) => told.push(rows[0].state) } });
  await turns();
  now = START + 60_000;
  assert.equal(show(box), "a expired", "for whoever asks");
  now = START + 5000;
  assert.equal(show(box), "a pending", "a clock that was set back");
  await turns();
  now = START + 60_000;
  hidden.visibilityState = "visible";
  hidden.dispatchEvent(new Event("visibilitychange"));
  await turns();
  assert.equal(told.at(-1), "expired", "for whoever waits to be told");
});

// Changes.

test("changes are told once a task, and an iterator gets the newest", async (t) => {
  const log = new Parks();
  for (let i = 0; i < 100; i++) log.ask(`d${i}`);
  const server = new Server(log);
  let calls = 0;
  const { box } = page(t, server, { box: { onChange: () => calls++ } });
  const lengths = [];
  const reading = (async () => {
    for await (const rows of box.changes()) lengths.push(rows.length);
  })();
  await turns();
  assert.ok(calls > 0 && calls < 20, `${calls}`);
  assert.equal(lengths.at(-1), 100);
  server.record(log, log.settle("d0"));
  await turns();
  box.close();
  await reading;
  assert.ok(box.rows().every(({ state }) => state === "unknown"), "a closed inbox knows nothing");
});

test("what a callback throws is reported, and none of the inbox's business", async (t) => {
  const errors = [];
  t.mock.method(console, "error", (error) => errors.push(error));
  const log = new Parks();
  log.ask("a");
  const box = await reading(t, new Server(log), { box: { onChange: () => { throw new Error("mine"); } } });
  assert.equal(show(box), "a pending");
  assert.ok(errors.length > 0 && errors.every(({ message }) => message === "mine"));
});

// Sessions, volume, crashes.

test("one session's trouble is not another's", async (t) => {
  withTime(t);
  withoutJitter(t);
  const [a, b] = [new Parks({ session: "a" }), new Parks({ session: "b" })];
  a.ask("x");
  b.ask("y");
  const server = new Server(a, b);
  const box = await reading(t, server, { address: "http://x.invalid/stream", sessions: ["a", "b"] });
  assert.equal(show(box), "x pending, y pending");
  a.generation = 9;
  a.events.length = 0;
  server.cut();
  await turns();
  assert.equal(show(box), "x unknown(pending), y unknown(pending), a disconnected, b disconnected");
  t.mock.timers.tick(1000);
  await turns();
  assert.equal(show(box), "x unknown(pending), y pending, a refused");
});

test("10,000 questions, and settled rows within bounds", async (t) => {
  const log = new Parks();
  for (let i = 0; i < 10_000; i++) log.ask(`p${i}`);
  for (let i = 0; i < 1000; i++) {
    log.ask(`q${i}`);
    log.settle(`q${i}`);
  }
  const { box } = page(t, new Server(log), { box: { keep: 5 } });
  for (let i = 0; !box.sessions()[0]?.known; i++) await new Promise((resolve) => setTimeout(resolve, 20));
  const count = (state) => box.rows().filter((row) => row.state === state).length;
  assert.deepEqual([count("pending"), count("answered")], [10_000, 5]);
  assert.equal(box.sessions()[0].pending, 10_000);
});

test("when the module stops, rows are unknown until the inbox is folded anew", async (t) => {
  withTime(t);
  withoutJitter(t);
  t.mock.method(console, "error", () => {});
  const log = new Parks();
  for (let i = 0; i < 700; i++) { // more than is kept unfolded
    log.ask(`q${i}`);
    log.settle(`q${i}`);
  }
  log.ask("a");
  const server = new Server(log);
  const box = await reading(t, server, { box: { keep: 1 } });
  assert.equal(show(box), "q699 answered, a pending");
  const running = await links.ready();
  assert.throws(() => running.crash(), { id: "stream.module_exited" });
  assert.equal(show(box), "q699 unknown(answered), a unknown(pending), s1 catching_up");
  log.settle("a");
  server.cut();
  await turns();
  t.mock.timers.tick(2000);
  await turns();
  assert.equal(show(box), "a answered");
});

test("in a worker the same", async (t) => {
  const log = new Parks();
  log.ask("a");
  log.settle("a");
  log.ask("b");
  const { createServer } = await import("node:http");
  const responses = [];
  const http = createServer((request, response) => {
    responses.push(response);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const from = Number(/:(\d+)/.exec(new URL(request.url, "http://x").searchParams.get("cursor") ?? ":0")[1]);
    response.write([log.head(), ...log.events.slice(from).map((event) => log.recorded(event)), log.live()].join(""));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => http.once("listening", resolve));
  t.after(() => (http.closeAllConnections(), http.close()));
  const box = inbox(open(`http://127.0.0.1:${http.address().port}/v1/sessions/s1/events`, { worker: true }), { now: NOW });
  t.after(() => box.close());
  void box.run();
  const until = async (want) => {
    for (let i = 0; show(box) !== want && i < 500; i++) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(show(box), want);
  };
  await until("a answered, b pending");
  const gone = until("a unknown(answered), b unknown(pending), s1 disconnected");
  log.settle("b");
  responses[0].destroy();
  await gone;
  await until("a answered, b answered");
});

test("what is no stream, no option, or has no verdicts is refused", (t) => {
  const opened = (options) => {
    const stream = open(ADDRESS, { fetch: () => new Promise(() => {}), ...options });
    t.after(() => stream.close());
    return stream;
  };
  for (const [make, expected] of [
    [() => inbox({}), /stream: what open/],
    [() => inbox(opened(), { keeep: 1 }), /keeep: one of/],
    [() => inbox(opened(), { keep: 0 }), /keep: rows from 1/],
    [() => inbox(opened(), { onChange: 1 }), /onChange: a function/],
    [() => inbox(opened({ mode: "observe" })), /mode: "enforce"/],
  ]) assert.throws(make, (error) => error.id === "stream.invalid_options" && expected.test(error.expected));
});
