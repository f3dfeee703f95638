// Saved snapshots of a stream: what is saved with which cursor, and what the next opening makes of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../dist/index.js";
import { memoryStore } from "../dist/storage/index.js";
import { collect, turns, withoutJitter } from "./support/fetch.mjs";
import { above, Log } from "./support/log.mjs";
import { serving } from "./support/server.mjs";

const rest = (log) => ({ url }) => log.answer(above(url));
const never = new Promise(() => {});
const seqsOf = (items) => items.filter(({ kind }) => kind === "event").map(({ seq }) => seq);
const kindsOf = (items) => items.map(({ kind }) => kind);

/** A view as an app has it: what was applied, as a list of seqs. */
class View {
  seqs = [];

  take(item) {
    if (item.kind === "state") this.seqs = [...item.state.seqs];
    if (item.kind === "event") this.seqs.push(item.seq);
  }
}

test("a saved snapshot costs one request, whatever its cursor is proven by", async (t) => {
  for (const generation of [undefined, 7]) {
    for (const proof of ["prefer", "off"]) {
      const log = new Log({ count: 3, generation });
      const store = memoryStore();
      const save = ({ kind, seq }, opened, view) => (kind === "event" && seq === 3 ? opened.save({ seqs: view.seqs }) : undefined);
      await follow(t, log, { snapshots: { store, scope: "" }, proof }, { each: save });
      log.append();
      const asked = []; // also what is given up before it reaches a server
      const counted = (url, init) => (asked.push(new URL(url).search.slice(1)), fetch(url, init));
      const { view } = await follow(t, log, { snapshots: { store, scope: "" }, proof, fetch: counted });
      assert.deepEqual(view.seqs, [1, 2, 3, 4]);
      assert.deepEqual(asked, [generation ? "cursor=s1%3A3%407" : proof === "off" ? "cursor=s1%3A3" : "cursor=s1%3A2"]);
    }
  }
});

/** Follows a log to its end, saving as it goes. */
async function follow(t, log, options, { view = new View(), each = () => {} } = {}) {
  const { address, requests } = await serving(t, rest(log), rest(log));
  const opened = open(address, { from: "beginning", ...options });
  const items = [];
  for await (const item of opened) {
    items.push(item);
    view.take(item);
    await each(item, opened, view);
  }
  return { items, view, opened, requests, asked: requests.map(({ url }) => url.split("?")[1] ?? "") };
}

for (const worker of [false, true]) {
  const where = worker ? "in a worker" : "in the page";

  //
  test(`${where}: what was saved comes first, and the stream goes on from there`, async (t) => {
    const store = memoryStore();
    const log = new Log({ count: 5, generation: 7 });
    const saved = [];
    await follow(t, log, { worker, snapshots: { store, scope: "all" } }, {
      each: async (item, opened, view) => { if (item.seq === 3) saved.push(await opened.save({ seqs: view.seqs })); },
    });
    assert.deepEqual(saved, [{ saved: true, cursor: "s1:3@7" }]);
    log.append();
    const { items, view, asked } = await follow(t, log, { worker, snapshots: { store, scope: "all" } });
    assert.deepEqual(items[0], { kind: "state", why: "first", session: "s1", state: { seqs: [1, 2, 3] }, cursor: "s1:3@7" });
    assert.deepEqual(asked, ["cursor=s1%3A3%407"]);
    assert.deepEqual(view.seqs, [1, 2, 3, 4, 5, 6], "every event once");
  });

  test(`${where}: a view that is saved at every event never loses one nor has one twice`, async (t) => {
    const store = memoryStore();
    const log = new Log({ count: 6 });
    for (let visit = 0; visit < 4; visit++) {
      const { address } = await serving(t, rest(log));
      const opened = open(address, { worker, snapshots: { store, scope: "all" }, from: "beginning" });
      const view = new View();
      let taken = 0;
      for await (const item of opened) {
        view.take(item);
        if (item.kind !== "event") continue;
        await opened.save(view);
        if (++taken === 2) break;
      }
      assert.deepEqual(view.seqs, Array.from({ length: Math.min((visit + 1) * 2, 6) }, (_, i) => i + 1));
    }
  });

  test(`${where}: after the end, everything is in it`, async (t) => {
    const store = memoryStore();
    const { opened, view } = await follow(t, new Log({ count: 4 }), { worker, snapshots: { store, scope: "all" } });
    assert.deepEqual(await opened.save(view), { saved: true, cursor: "s1:4" });
    const { items } = await follow(t, new Log({ count: 4 }), { worker, snapshots: { store, scope: "all" } });
    assert.deepEqual(items[0].state, { seqs: [1, 2, 3, 4] });
    assert.deepEqual(seqsOf(items), []);
  });

  test(`${where}: a function is called when what was handed over was given back`, async (t) => {
    const store = memoryStore();
    const saves = [];
    await follow(t, new Log({ count: 3 }), { worker, snapshots: { store, scope: "all" } }, {
      each: async (item, opened, view) => {
        if (item.seq !== 2) return;
        view.seqs.pop(); // the item at hand is not taken in yet
        saves.push(opened.save(() => view));
        await turns();
        view.seqs.push(2);
      },
    });
    assert.deepEqual(await Promise.all(saves), [{ saved: true, cursor: "s1:2" }]);
    const { items } = await follow(t, new Log({ count: 3 }), { worker, snapshots: { store, scope: "all" } });
    assert.deepEqual(items[0].state, { seqs: [1, 2] });
  });

  test(`${where}: a rebuilt state begins a new epoch, and goes before any older one`, async (t) => {
    const store = memoryStore();
    const before = await follow(t, new Log({ count: 8, generation: 1 }), { worker, snapshots: { store, scope: "all" } });
    await before.opened.save(before.view);
    const log = new Log({ count: 3, generation: 2 });
    const load = async ({ why }) => ({ state: { seqs: [1], why }, cursor: "s1:1@2" });
    const { items, view, opened } = await follow(t, log, { worker, snapshots: { store, scope: "all" }, load, from: undefined });
    assert.deepEqual(kindsOf(items).filter((kind) => kind !== "draft"), ["state", "refused", "state", "event", "event", "live", "end"]);
    assert.deepEqual(items.filter(({ kind }) => kind === "state").map(({ state }) => state.why), [undefined, "rebuilt"]);
    assert.deepEqual(await opened.save(view), { saved: true, cursor: "s1:3@2" });
    assert.deepEqual(await before.opened.save(before.view), { saved: false, cursor: "s1:8@1" });
  });
}

// API-03: attach with a filter, cursor s1:3; resume with no filter.
test("a place that was saved under a filter is not used without it", async (t) => {
  const store = memoryStore();
  const log = new Log({ count: 5 });
  const { address, requests } = await serving(t, rest(log), rest(log), rest(log));
  const visit = async (query) => {
    const opened = open(address + query, { snapshots: store, from: "beginning" });
    const items = await collect(opened);
    await opened.save({ query });
    return items;
  };
  await visit("?types=message");
  assert.deepEqual(seqsOf(await visit("")), [1, 2, 3, 4, 5], "from the beginning");
  assert.equal(requests[1].url, "/v1/sessions/s1/events");
  const [first] = await visit("?types=message");
  assert.deepEqual(first.state, { query: "?types=message" }, "each has its own");
});

test("a record of another filter that a careless store hands out is reported and not used", async (t) => {
  let record;
  const slot = { read: () => record, write: (next) => ((record = next), true) };
  const log = new Log({ count: 3 });
  const first = await follow(t, log, { snapshots: { store: slot, scope: "messages" } });
  await first.opened.save(first.view);
  const [decisions, lines] = [[], []];
  const { items, opened, view } = await follow(t, log, { snapshots: { store: slot, scope: "" }, onDecision: (d) => decisions.push(d), debug: (line) => lines.push(line) });
  assert.deepEqual(seqsOf(items), [1, 2, 3]);
  assert.deepEqual(decisions[0], { session: "s1", verdict: "discarded", rule: "stream.snapshot_unused", problem: "another scope" });
  assert.match(lines[0], /s1 discarded rule=stream\.snapshot_unused problem="another scope"/);
  assert.equal((await opened.save(view)).saved, true, "and it is not in the way");
});

// API-09: refuse, reload the page, attach fresh.
test("a refusal is not kept: the next visit works", async (t) => {
  withoutJitter(t);
  const store = memoryStore();
  const first = await follow(t, new Log({ count: 5, generation: 1 }), { snapshots: { store, scope: "all" } });
  await first.opened.save(first.view);
  const refused = await follow(t, new Log({ count: 2, generation: 2 }), { snapshots: { store, scope: "all" } });
  assert.deepEqual(kindsOf(refused.items), ["state", "refused"]);
  const still = await follow(t, new Log({ count: 7, generation: 1 }), { snapshots: { store, scope: "all" } });
  assert.deepEqual(seqsOf(still.items), [6, 7], "with the log it was saved from, nothing stands in its way");
  const load = async ({ why }) => ({ state: { seqs: [], why }, cursor: "s1:0" });
  const rebuilt = await follow(t, new Log({ count: 2, generation: 2 }), { snapshots: { store, scope: "all" }, load, from: undefined });
  assert.deepEqual(seqsOf(rebuilt.items), [1, 2]);
  assert.equal((await rebuilt.opened.save(rebuilt.view)).saved, true);
  const after = await follow(t, new Log({ count: 3, generation: 2 }), { snapshots: { store, scope: "all" } });
  assert.deepEqual(after.view.seqs, [1, 2, 3]);
});

// API-19: tab A stores s1:9, tab B (older) stores s1:6.
test("two tabs never move each other back", async (t) => {
  const store = memoryStore();
  const log = new Log({ count: 9 });
  const tabs = [];
  for (const at of [9, 6]) {
    const { address } = await serving(t, rest(log));
    tabs.push({ at, opened: open(address, { snapshots: { store, scope: "all" }, from: "beginning" }), view: new View() });
  }
  const results = [];
  for (const { at, opened, view } of tabs) {
    for await (const item of opened) {
      view.take(item);
      if (item.seq !== at) continue;
      results.push(await opened.save(view));
      break;
    }
  }
  assert.deepEqual(results, [{ saved: true, cursor: "s1:9" }, { saved: false, cursor: "s1:6" }]);
  const { items } = await follow(t, log, { snapshots: { store, scope: "all" } });
  assert.equal(items[0].cursor, "s1:9");
});

test("first comes what was saved, then what came with the page, then load", async (t) => {
  const log = new Log({ count: 4 });
  const ways = { snapshots: { store: memoryStore(), scope: "all" }, initial: { state: { seqs: ["initial"] }, cursor: "s1:1" }, load: async () => ({ state: { seqs: ["load"] }, cursor: "s1:0" }) };
  const first = async (options) => (await follow(t, log, { from: undefined, ...options })).items[0].state.seqs[0];
  assert.equal(await first(ways), "initial");
  assert.equal(await first({ ...ways, initial: undefined }), "load");
  const { opened } = await follow(t, log, { snapshots: ways.snapshots });
  await opened.save({ seqs: ["saved"] });
  assert.equal(await first(ways), "saved");
});

test("each session has its own, and those without one begin as usual", async (t) => {
  const store = memoryStore();
  const [a, b] = ["a", "b"].map((session) => new Log({ session, count: 3, generation: 1 }));
  const { address, requests } = await serving(t, [a.head(), b.head(), a.recorded(a.events[0]), b.recorded(b.events[0]), a.end(), b.end()], rest(a));
  const opened = open(new URL("/stream", address), { sessions: ["a", "b"], snapshots: { store, scope: "all" }, from: "beginning" });
  await collect(opened);
  assert.deepEqual(await opened.save("of a", "a"), { saved: true, cursor: "a:1@1" });
  await assert.rejects(opened.save("of whom"), { id: "stream.bad_input" });
  await assert.rejects(opened.save("of c", "c"), { id: "stream.bad_input" });
  const again = open(new URL("/stream", address), { sessions: ["a", "b"], snapshots: { store, scope: "all" }, from: "beginning" })[Symbol.asyncIterator]();
  assert.deepEqual((await again.next()).value, { kind: "state", why: "first", session: "a", state: "of a", cursor: "a:1@1" });
  await again.next();
  await again.return();
  assert.deepEqual(new URL(requests[1].url, address).searchParams.getAll("cursor"), ["a:1@1"]);
});

test("before anything has come, and while a new state is on its way, nothing is saved", async (t) => {
  const store = memoryStore();
  const { address } = await serving(t, () => never);
  const opened = open(address, { snapshots: { store, scope: "all" } });
  assert.deepEqual(await opened.save("early"), { saved: false });
  opened.close();
});

test("a store that never answers holds up nothing but the beginning", async (t) => {
  const { address, requests } = await serving(t);
  const store = { read: () => never, write: () => false };
  const closed = open(address, { snapshots: store });
  closed.close();
  assert.deepEqual(await collect(closed), [{ kind: "end", session: "s1", cause: "closed" }]);
  const controller = new AbortController();
  const aborted = collect(open(address, { snapshots: store, signal: controller.signal }));
  await turns();
  controller.abort();
  assert.deepEqual(await aborted, [{ kind: "end", session: "s1", cause: "closed" }]);
  assert.deepEqual(requests, []);
});

test("leaving the loop gives nothing back: a function that waits for that is not called", async (t) => {
  const store = memoryStore();
  const { address } = await serving(t, rest(new Log()));
  const opened = open(address, { snapshots: { store, scope: "all" }, from: "beginning" });
  let saving;
  for await (const item of opened) {
    if (item.kind !== "event") continue;
    saving = opened.save(() => assert.fail("called"));
    break;
  }
  assert.deepEqual(await saving, { saved: false });
});

test("nor is one that comes after leaving: what was in hand never was given back", async (t) => {
  for (const worker of [false, true]) {
    const { address } = await serving(t, rest(new Log()));
    const opened = open(address, { worker, snapshots: { store: memoryStore(), scope: "all" } });
    await assert.rejects(opened.subscribe(({ seq }) => assert.notEqual(seq, 3)));
    assert.deepEqual(await opened.save(() => assert.fail("called")), { saved: false });
    assert.equal((await opened.save({})).cursor, "s1:3", "a value says that it is in");
  }
});

test("a cursor of the app's own begins a new epoch", async (t) => {
  const store = memoryStore();
  const log = new Log({ count: 9 });
  const ahead = await follow(t, log, { snapshots: { store, scope: "all" } });
  await ahead.opened.save(ahead.view);
  const { address } = await serving(t, rest(log), [log.head(), log.recorded(log.events[3]), () => never]);
  const opened = open(address, { snapshots: { store, scope: "all" } });
  for await (const item of opened) {
    if (item.kind === "state") opened.reset("s1:3");
    if (item.seq !== 4) continue;
    assert.deepEqual(await opened.save({ seqs: [4] }), { saved: true, cursor: "s1:4" });
    break;
  }
});

test("save needs a store, a state and a session that is followed", async (t) => {
  const { address } = await serving(t, rest(new Log()), rest(new Log()));
  const without = open(address);
  await assert.rejects(without.save({}), { id: "stream.invalid_options", expected: /snapshots/ });
  without.close();
  const opened = open(address, { snapshots: memoryStore(), from: "beginning" });
  await collect(opened);
  await assert.rejects(opened.save(undefined), { id: "stream.bad_input" });
  await assert.rejects(opened.save(1, "s2"), { id: "stream.bad_input" });
});

test("wrong options throw at once", () => {
  const store = memoryStore();
  const bad = [4, "text", null, {}, { read() {} }, { read: 1, write: 1 }, { store: {} }, { store: { read() {} } }];
  for (const snapshots of bad) assert.throws(() => open("http://x.invalid/sessions/s1/events", { snapshots }), { id: "stream.invalid_options", expected: /^snapshots: / });
  assert.throws(() => open("http://x.invalid/stream", { snapshots: store }), { id: "stream.invalid_options", expected: /^snapshots: .*session/ });
  for (const start of [{ cursor: "s1:4" }, { from: "s1:4" }]) {
    assert.throws(() => open("http://x.invalid/sessions/s1/events", { snapshots: { store, scope: "all" }, ...start }), { id: "stream.invalid_options", expected: /snapshots/ });
  }
});

test("what tells records apart is checked before the store is asked", async () => {
  const store = { ...memoryStore(), read: () => assert.fail("asked") };
  for (const part of [{ key: 4 }, { tenant: null }, { scope: {} }, { owner: "nobody" }, { owner: "origin" }, { more: "x" }]) {
    const opened = open("http://x.invalid/sessions/s1/events", { snapshots: { store, ...part }, fetch: () => assert.fail("asked") });
    await assert.rejects(collect(opened), { id: "stream.invalid_options", expected: /^snapshots: / }, JSON.stringify(part));
  }
  open("http://x.invalid/sessions/s1/events", { snapshots: { store: memoryStore(), owner: "tab", key: "k", tenant: "t", scope: "s" }, fetch: () => never }).close();
});
