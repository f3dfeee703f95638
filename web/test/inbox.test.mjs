// in a page: what an inbox shows of streams that are judged, and never a card that is dead.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inbox } from "../dist/inbox.js";
import { init, open } from "../dist/index.js";
import { bytes } from "../dist/sources.js";
import { ADDRESS, NOW, page, reading, show } from "./support/boxes.mjs";
import { gate, stream, turns, withoutJitter, withTime } from "./support/fetch.mjs";
import { Parks, Server, START } from "./support/parks.mjs";

await init();

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
  assert.throws(() => (box.rows()[0].request.text = "of the app"), TypeError, "frozen as deep as it goes");
  assert.equal(box.rows(), box.rows());
  assert.deepEqual(box.sessions(), [{ session: "s1", known: true, pending: 1 }]);
  server.record(log, log.settle("a"));
  await turns();
  assert.equal(show(box), "a answered");
  assert.deepEqual(box.rows()[0].decision, { action: "approve_plan" });
  assert.ok(Object.isFrozen(box.rows()[0].decision));
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

// Each way in which a dead card could be shown.

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
