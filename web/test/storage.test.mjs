// Saved snapshots without a stream: what is a record, what stores keep, and who may write over whom.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { links } from "../dist/links.js";
import { replaces } from "../dist/replaces.js";
import { Snapshots } from "../dist/snapshots.js";
import { localStorageStore, memoryStore } from "../dist/storage/index.js";
import { fnv1a, sealed, unusable } from "../dist/storage/record.js";
import { contract, recordOf } from "./support/stores.mjs";

let module;
before(async () => (module = await links.ready()));

/** A storage area as browsers have it. */
class Area {
  items = new Map();
  getItem = (key) => this.items.get(key) ?? null;
  setItem = (key, text) => void this.items.set(key, String(text));
}

const parts = { session: "s1", tenant: "t", scope: "f", owner: "origin" };
const whole = () => sealed({ key: "k", format: 1, ...parts, epoch: 3, cursor: "s1:41@7", proof: "", state: '{"text":"é\\n"}' });

//
test("the check is FNV-1a of 64 bits", () => {
  const known = { "": "cbf29ce484222325", a: "af63dc4c8601ec8c", foobar: "85944171f73967e8" };
  for (const [text, hash] of Object.entries(known)) assert.equal(fnv1a(text), hash);
  const slow = (text) => [...new TextEncoder().encode(text)].reduce((hash, byte) => ((hash ^ BigInt(byte)) * 0x100000001b3n) & (2n ** 64n - 1n), 0xcbf29ce484222325n);
  for (const text of ["é", "日本語 😀", "x".repeat(1000), JSON.stringify(whole())]) assert.equal(fnv1a(text), slow(text).toString(16).padStart(16, "0"));
});

test("the record of docs/protocol.md is one", () => {
  const [text] = /^`({"key".*})`$/m.exec(readFileSync(new URL("../../docs/protocol.md", import.meta.url), "utf8")).slice(1);
  const record = JSON.parse(text);
  assert.equal(unusable(record, record.key, { session: "s1", tenant: "", scope: "mine", owner: "origin" }), undefined);
});

// nothing that is wrong with a record goes unseen, whichever member it is in.
test("a record that was changed anywhere is not used", () => {
  assert.equal(unusable(whole(), "k", parts), undefined);
  for (const name of Object.keys(whole())) {
    const changed = { ...whole(), [name]: typeof whole()[name] === "number" ? whole()[name] + 1 : whole()[name] + "x" };
    assert.equal(unusable(changed, "k", parts), name === "format" ? "another version" : "damaged", name);
    const { [name]: _, ...without } = whole();
    assert.match(unusable(without, "k", parts), /another version|a member is missing|damaged/, name);
  }
});

test("what is no record at all is not used", () => {
  for (const value of ["text", 4, true, [], {}, { format: "1" }, { format: 2 }, { format: 1, check: "x" }]) {
    assert.match(unusable(value, "k", parts), /no record|another version|a member is missing/);
  }
});

test("a record of something else is not used", () => {
  for (const name of ["session", "tenant", "scope"]) assert.equal(unusable(whole(), "k", { ...parts, [name]: "other" }), `another ${name}`);
  assert.equal(unusable(whole(), "k", { ...parts, owner: "tab" }), "another owner");
  assert.equal(unusable(whole(), "other", parts), "another key");
});

for (const [name, store] of Object.entries({
  memoryStore: () => memoryStore(),
  "localStorageStore of an area": () => localStorageStore(new Area()),
  "localStorageStore of the page": () => {
    globalThis.localStorage = new Area();
    return localStorageStore();
  },
})) {
  test(`${name} keeps records whole and compares before it writes`, async (t) => {
    t.after(() => delete globalThis.localStorage);
    for (const [what, got, want] of await contract(store())) assert.equal(got, want, what);
  });
}

test("text in a storage area that is no record may be replaced, but only as one that is not there", async () => {
  for (const text of ["", "{", "null", "4", '{"check":4}', "[]"]) {
    const area = new Area();
    area.setItem("k", text);
    const store = localStorageStore(area);
    assert.equal(await store.write(recordOf("a"), "x"), false);
    assert.equal(await store.write(recordOf("a"), undefined), true, text);
    assert.deepEqual(store.read("k"), recordOf("a"));
  }
});

test("an area says whose it is", (t) => {
  globalThis.sessionStorage = new Area();
  t.after(() => delete globalThis.sessionStorage);
  assert.equal(localStorageStore(globalThis.sessionStorage).owner, "tab");
  assert.equal(localStorageStore(new Area()).owner, "origin");
  assert.equal(localStorageStore().owner, "origin");
});

/** The snapshots of one tab, and what it reports. */
function tab(store, options = {}) {
  const reports = [];
  const snapshots = new Snapshots({ store, about: "http://x/s1", ...options }, (decision) => reports.push(decision));
  const replacing = (old, record) => replaces(module, old, record);
  const save = (cursor, state = cursor) => snapshots.save("s1", state, Promise.resolve({ cursor }), replacing);
  const first = async () => (await snapshots.first(["s1"]))[0];
  return { snapshots, reports, save, first };
}

/** A store with one place for everything, as a careless one of a user's own. */
function slot() {
  let record;
  return {
    read: () => record,
    write: (next, expected) => record?.check === expected && ((record = next), true),
    set: (value) => (record = value),
    get record() { return record; },
  };
}

test("what is saved is found again, state and cursor as one", async () => {
  const store = memoryStore();
  assert.equal(await tab(store).first(), undefined);
  assert.deepEqual(await tab(store).save("s1:4@7", { text: "é", list: [1, null] }), { saved: true, cursor: "s1:4@7" });
  assert.deepEqual(await tab(store).first(), { session: "s1", state: { text: "é", list: [1, null] }, cursor: "s1:4@7" });
});

test("the proof of a cursor is kept with it", async () => {
  const store = memoryStore();
  const proof = "0123456789abcdef0123456789abcdef";
  await tab(store).snapshots.save("s1", 0, Promise.resolve({ cursor: "s1:4", proof }), () => true);
  assert.equal((await tab(store).first()).proof, proof);
});

// R-328, API-19: tab A stores s1:9, tab B (older) stores s1:6.
test("two tabs never move each other back", async () => {
  const store = memoryStore();
  const [a, b] = [tab(store), tab(store)];
  assert.equal((await a.save("s1:9")).saved, true);
  assert.deepEqual(await b.save("s1:6"), { saved: false, cursor: "s1:6" });
  assert.equal((await tab(store).first()).cursor, "s1:9");
  assert.equal((await b.save("s1:10")).saved, true);
  assert.equal((await a.save("s1:9")).saved, false);
  assert.deepEqual(await tab(store).first(), { session: "s1", state: "s1:10", cursor: "s1:10" });
});

// API-19, when they meet: whatever the order in which reads and writes cross, the furthest one stays.
test("tabs that save at once leave the furthest record", async () => {
  const store = slow(memoryStore());
  const seqs = [5, 12, 3, 9, 100, 99, 1, 20];
  await Promise.all(seqs.map((seq) => tab(store).save(`s1:${seq}`)));
  assert.equal((await tab(store).first()).cursor, "s1:100");
});

/** Lets others come between reading and writing. */
function slow(store) {
  let n = 0;
  const later = async (run) => {
    for (let i = (n++ * 7) % 5; i > 0; i--) await null;
    return run();
  };
  return { owner: store.owner, read: (key) => later(() => store.read(key)), write: (...args) => later(() => store.write(...args)) };
}

test("saves of one tab are written in their order", async () => {
  const store = slow(memoryStore());
  const { save } = tab(store);
  const saved = await Promise.all([1, 2, 3, 4].map((seq) => save(`s1:${seq}`)));
  assert.deepEqual(saved.map(({ saved }) => saved), [true, true, true, true]);
  assert.equal((await tab(store).first()).cursor, "s1:4");
});

test("the state is taken as it is when save is called", async () => {
  const store = slow(memoryStore());
  const state = { n: 1 };
  const saving = tab(store).save("s1:1", state);
  state.n = 2;
  await saving;
  assert.deepEqual((await tab(store).first()).state, { n: 1 });
});

// a load may land anywhere, so it begins a new epoch.
test("a state that was loaded goes before any older one, also one that is further", async () => {
  const store = memoryStore();
  const [a, b] = [tab(store), tab(store)];
  await a.save("s1:500@7");
  b.snapshots.loading("s1");
  b.snapshots.loaded("s1");
  assert.equal((await b.save("s1:100@8")).saved, true);
  assert.equal((await a.save("s1:501@7")).saved, false, "the other tab is on a log that was taken over");
  a.snapshots.loading("s1");
  a.snapshots.loaded("s1");
  assert.equal((await a.save("s1:90@8")).saved, true);
  assert.equal((await b.save("s1:101@8")).saved, false);
});

test("tabs that load at the same time are of the same epoch", async () => {
  const store = memoryStore();
  const tabs = [tab(store), tab(store)];
  await tabs[0].save("s1:500");
  for (const { snapshots } of tabs) snapshots.loading("s1");
  await new Promise(setImmediate);
  for (const { snapshots } of tabs) snapshots.loaded("s1");
  assert.equal((await tabs[1].save("s1:120")).saved, true);
  assert.equal((await tabs[0].save("s1:100")).saved, false);
});

test("an epoch goes on where the snapshot was", async () => {
  const store = memoryStore();
  const before = tab(store);
  before.snapshots.loading("s1");
  before.snapshots.loaded("s1");
  await before.save("s1:7");
  const later = tab(store);
  await later.first();
  assert.equal((await later.save("s1:8")).saved, true);
  assert.equal((await tab(store).save("s1:9")).saved, false, "who had not seen it is of an older epoch");
});

test("while a new state is on its way, the old one is not saved", async () => {
  const store = memoryStore();
  const { snapshots, save } = tab(store);
  snapshots.loading("s1");
  assert.deepEqual(await save("s1:9"), { saved: false, cursor: "s1:9" });
  snapshots.loaded("s1");
  assert.equal((await save("s1:3")).saved, true);
});

// reported, not used, and not in the way.
test("an unusable record is reported once, not used, and replaced by the next save", async (t) => {
  const good = slot();
  await tab(good, { scope: "f" }).save("s1:9");
  const damaged = { ...good.record, state: '"other"' };
  for (const [name, value, problem] of [
    ["damaged", damaged, "damaged"], ["of a later version", { ...good.record, format: 2 }, "another version"],
    ["no record", "s1:9", "no record"], ["a cursor without its state", { ...good.record, state: undefined }, "a member is missing"],
    ["another session", sealed({ ...good.record, session: "s2" }), "another session"], ["another tenant", sealed({ ...good.record, tenant: "y" }), "another tenant"],
    ["another scope", sealed({ ...good.record, scope: "g" }), "another scope"], ["another owner", sealed({ ...good.record, owner: "tab" }), "another owner"],
    ["no JSON inside", sealed({ ...good.record, state: "{" }), "a state that is no JSON"],
  ]) {
    await t.test(name, async () => {
      const store = slot();
      store.set(value);
      if (typeof value === "string") store.write = (next) => (store.set(next), true);
      const { first, save, reports } = tab(store, { scope: "f" });
      assert.equal(await first(), undefined);
      assert.deepEqual(reports, [{ session: "s1", verdict: "discarded", rule: "stream.snapshot_unused", problem }]);
      assert.deepEqual(await save("s1:2"), { saved: true, cursor: "s1:2" });
      assert.equal(reports.length, 1, "saving reports nothing");
    });
  }
});

test("a store that throws is as one without the record, and what it threw is not repeated", async () => {
  const store = { read: () => { throw new Error("secret"); }, write: async () => { throw new Error("full"); } };
  const { first, save, reports } = tab(store);
  assert.equal(await first(), undefined);
  assert.deepEqual(reports, [{ session: "s1", verdict: "discarded", rule: "stream.snapshot_unused", problem: "not readable" }]);
  await assert.rejects(save("s1:1"), { message: "full" });
  store.read = () => undefined;
  store.write = () => true;
  assert.equal((await save("s1:2")).saved, true, "one that failed does not hold up the next");
});

test("a store that never writes is named, not asked for ever", async () => {
  await assert.rejects(tab({ read: () => undefined, write: () => false }).save("s1:1"), { id: "stream.bad_input" });
});

test("a state that JSON cannot hold is refused at once", () => {
  const loop = {};
  loop.loop = loop;
  for (const state of [undefined, () => {}, Symbol("x"), 4n, loop]) {
    assert.throws(() => tab(memoryStore()).snapshots.save("s1", state, Promise.resolve({ cursor: "s1:1" }), () => true), { id: "stream.bad_input" });
  }
});

// API-03: attach with a filter, resume without it.
test("a place that was found under one filter is not used under another", async () => {
  const store = memoryStore();
  await tab(store, { about: "http://x/s1?types=a" }).save("s1:3");
  for (const options of [{ about: "http://x/s1" }, { about: "http://x/s1?types=b" }, { scope: "mine" }]) assert.equal(await tab(store, options).first(), undefined);
  assert.equal((await tab(store, { about: "http://x/s1?types=a" }).first()).cursor, "s1:3");
  const one = slot();
  await tab(one, { scope: "a" }).save("s1:3");
  const other = tab(one, { scope: "" });
  assert.equal(await other.first(), undefined, "also when the store mixes them up");
  assert.equal(other.reports[0].problem, "another scope");
});

test("what the key is made of cannot run together", async () => {
  const store = memoryStore();
  const named = [{ tenant: "a", scope: "b" }, { tenant: "a:b", scope: "" }, { tenant: "", scope: "a:b" }, { tenant: 'a","b', scope: "" }, { key: "k", tenant: "a", scope: "b" }];
  for (const [i, options] of named.entries()) await tab(store, options).save(`s1:${i + 1}`, i);
  for (const [i, options] of named.entries()) assert.equal((await tab(store, options).first()).state, i);
});

test("nothing of an address can be read in the key", async () => {
  const store = slot();
  await tab(store, { about: "http://x/s1?token=secret" }).save("s1:1");
  assert.ok(!JSON.stringify(store.record).includes("secret"));
});
