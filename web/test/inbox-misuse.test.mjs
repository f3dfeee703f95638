// What an inbox makes of options, callbacks and clocks that fail: nothing waits that may be none, and no module ends.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inbox } from "../dist/inbox.js";
import { init, open } from "../dist/index.js";
import { links } from "../dist/links.js";
import { ADDRESS, NOW, page, reading, show } from "./support/boxes.mjs";
import { turns } from "./support/fetch.mjs";
import { Parks, Server, START } from "./support/parks.mjs";

await init();

function asked(...ids) {
  const log = new Parks();
  for (const id of ids) log.ask(id, 1, 10);
  return { log, server: new Server(log) };
}

/** What was reported where nobody could catch it. */
function reports(t) {
  const all = [];
  t.mock.method(console, "error", (error) => all.push(error));
  return all;
}

test("R-369: a fold that a state brings is one of that session, or none", async (t) => {
  const other = new Parks({ session: "s2" });
  other.ask("theirs");
  const foreign = (await reading(t, new Server(other), { address: ADDRESS.replace("s1", "s2") })).save();
  assert.deepEqual([foreign.session, foreign.seq], ["s2", 1]);
  const { server } = asked("a");
  const box = await reading(t, server, { load: () => ({ state: foreign, cursor: "s1:1@7" }), box: { fold: (state) => state } });
  assert.equal(show(box), "s1 elsewhere");
});

test("a fold function that throws is reported, and the stream goes on without one", async (t) => {
  const told = reports(t);
  const { server } = asked("a", "b");
  const fold = () => { throw new Error("mine"); };
  const { box, over } = page(t, server, { load: () => ({ state: {}, cursor: "s1:1@7" }), box: { fold } });
  await turns();
  assert.equal(show(box), "b unknown(pending), s1 elsewhere");
  assert.deepEqual(told.map(({ message }) => message), ["mine"]);
  box.close();
  await over;
});

test("a clock that answers no time makes every row unknown, and ends nothing", async (t) => {
  const told = reports(t);
  const module = await links.ready();
  const { log, server } = asked("a");
  let now = NOW;
  const box = await reading(t, server, { now: () => now() });
  assert.equal(show(box), "a pending");
  for (const broken of [() => NaN, () => undefined, () => 5n, () => Symbol("now"), () => "1", () => 1e300, () => { throw new Error("mine"); }]) {
    now = broken;
    assert.equal(show(box), "a unknown(pending), s1 catching_up", String(broken));
    server.record(log, log.ask("a", 1, 10));
    await turns();
    now = NOW;
    assert.equal(show(box), "a pending", String(broken));
  }
  assert.equal(await links.ready(), module, "the module lives");
  assert.ok(told.every(({ message }) => message === "mine"));
});

test("an inbox is read once, as its stream is", async (t) => {
  const { server } = asked("a");
  const { box, over } = page(t, server);
  await assert.rejects(async () => { for await (const _ of box); }, { id: "stream.bad_handle" });
  await assert.rejects(box.run(), { id: "stream.bad_handle" });
  await turns();
  assert.equal(show(box), "a pending", "and the first loop goes on");
  box.close();
  await over;
});

test("what was saved is an object, each of them", (t) => {
  const stream = open(ADDRESS, { fetch: () => new Promise(() => {}) });
  t.after(() => stream.close());
  for (const saved of [5, "x", [null], [5], [undefined, {}]]) assert.throws(() => inbox(stream, { saved }), { id: "stream.invalid_options", expected: /saved: / });
});

test("options of an answer that are none are refused", async (t) => {
  const { server } = asked("a");
  const box = await reading(t, server);
  for (const options of [null, 5, { signal: 5 }, { signal: {} }]) await assert.rejects(async () => box.answer(box.rows()[0], { action: "pause" }, options), { id: /stream\.(bad_input|invalid_options)/ });
  assert.equal(server.posts.length, 0);
});

test("a deadline further away than any timer, and a clock that jumps", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: START });
  const log = new Parks();
  log.ask("far", 1, 3_000_000);
  const told = [];
  const { box } = page(t, new Server(log), { now: Date.now, box: { onChange: (rows) => told.push(rows[0].state) } });
  await turns();
  for (const left of [2 ** 31 - 1, 3_000_000_000 - 2 ** 31]) {
    t.mock.timers.tick(left);
    await turns();
    assert.equal(told.at(-1), "pending");
  }
  t.mock.timers.tick(1);
  await turns();
  assert.equal(told.at(-1), "expired");
  assert.equal(show(box), "far expired");
});
