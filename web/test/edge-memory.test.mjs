// Consumers that keep no cursor: what tidemark/edge remembers of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CursorObject, durableMemory, proxy, replaces } from "../dist/edge/index.js";
import { fed } from "./support/edge.mjs";
import { stream, turns } from "./support/fetch.mjs";
import { above, Log } from "./support/log.mjs";

/** Durable Objects of one class, and what they keep, for one isolate. */
class Objects {
  kept = new Map();
  #objects = new Map();
  idFromName = (name) => ({ name });
  get = ({ name }) => ({
    fetch: async (url, init) => {
      if (!this.#objects.has(name)) this.#objects.set(name, new CursorObject({ storage: this.#storage(name) }, {}));
      return this.#objects.get(name).fetch(new Request(url, init));
    },
  });
  #storage = (name) => ({ get: async (key) => this.kept.get(name + key), put: async (key, value) => void this.kept.set(name + key, value) });
}

/** A server, a consumer and what is remembered of it. */
function standing(log, more) {
  const asked = [];
  const store = durableMemory(new Objects());
  const fetch = async (address) => (asked.push(new URL(address).search), stream(log.answer(above(address))));
  const ask = (query = "", headers = {}) => proxy(new Request(`http://edge/v1/sessions/s1/events${query}`, { headers: { user: "u1", ...headers } }), {
    upstream: "http://up", fetch, memory: { store, key: ({ headers }) => headers.get("user") || undefined }, ...more,
  });
  return { asked, store, ask };
}

test("a consumer that names no start goes on where its last stream ended", async () => {
  const log = new Log({ count: 3 });
  const { ask, asked, store } = standing(log);
  assert.equal(await (await ask()).text(), log.answer());
  assert.deepEqual(await store.load("u1/s1"), { epoch: 0, cursor: "s1:3" });
  log.append("new");
  assert.equal(await (await ask()).text(), log.answer(3));
  assert.deepEqual(asked, ["", "?cursor=s1%3A3"]);
  assert.equal(await (await ask("", { user: "u2" })).text(), log.answer(), "another consumer has another place");
  assert.equal(await (await ask("", { user: "" })).text(), log.answer(), "nothing is remembered without a key");
});

test("nothing is remembered of who has no name, however that is said", async () => {
  const log = new Log({ count: 2 });
  for (const none of [undefined, null, ""]) {
    const keys = [];
    const store = { load: async (key) => void keys.push(key), save: async (key) => void keys.push(key) };
    const { ask } = standing(log, { memory: { store, key: async () => none } });
    assert.equal(await (await ask()).text(), log.answer());
    assert.deepEqual(keys, [], String(none));
  }
});

test("each session of a consumer has a place of its own, and a stream of several has none", async () => {
  const logs = Object.fromEntries(["s1", "s/2"].map((session) => [session, new Log({ session, count: 3 })]));
  const store = durableMemory(new Objects());
  const asked = [];
  const fetch = async (address) => {
    const { pathname, search } = new URL(address);
    asked.push(search);
    const session = decodeURIComponent(pathname.split("/").at(-2));
    return stream(logs[session].answer(above(address)));
  };
  const ask = (session, query = "") => proxy(new Request(`http://edge/v1/sessions/${encodeURIComponent(session)}/events${query}`), {
    upstream: "http://up", fetch, memory: { store, key: () => "u1" },
  });
  for (const session of ["s1", "s/2", "s1", "s/2"]) await (await ask(session)).text();
  assert.deepEqual(asked, ["", "", "?cursor=s1%3A3", "?cursor=s%2F2%3A3"]);
  await (await ask("s1", "?session=s/2")).text();
  assert.equal(asked.at(-1), "?session=s/2");
});

test("of a stream of several sessions nothing is remembered, where only cursors name them, too", async () => {
  const [a, b] = ["a", "b"].map((session) => new Log({ session, count: 3 }));
  const saved = [];
  const store = { load: async () => undefined, save: async (key, { cursor }) => void saved.push(`${key} ${cursor}`) };
  const ask = async (query, ...chunks) => {
    const fetch = async () => stream(...chunks);
    await (await proxy(new Request(`http://edge/events${query}`), { upstream: "http://up", fetch, memory: { store, key: () => "u1" } })).text();
    return saved.splice(0).at(-1);
  };
  assert.equal(await ask("?cursor=a:1", a.answer(1)), "u1/ a:3");
  assert.equal(await ask("?cursor=a:1&cursor=b:1", a.head(), b.head(), a.recorded(a.events[1]), b.recorded(b.events[1])), undefined);
});

test("whoever names a start gets that, and the memory follows", async () => {
  const log = new Log({ count: 5 });
  const { ask, asked, store } = standing(log);
  await (await ask()).text();
  assert.equal(await (await ask("?cursor=s1:2")).text(), log.answer(2));
  assert.deepEqual(await store.load("u1/s1"), { epoch: 0, cursor: "s1:5" }, "never backwards");
  assert.equal(await (await ask("", { "last-event-id": "s1:3" })).text().then((text) => text.includes("id: s1:3\n")), false);
  assert.equal(asked.at(-1), "");
});

test("a cursor that is refused can be let go of: the beginning begins anew (R-327)", async () => {
  const { ask, store } = standing(new Log({ count: 2 }));
  await store.save("u1/s1", { epoch: 0, cursor: "s1:9" });
  assert.match(await (await ask()).text(), /tidemark\.refused\ndata: .*cursor_ahead/);
  assert.match(await (await ask()).text(), /tidemark\.refused/, "a refusal is sticky");
  assert.ok((await (await ask("?from=beginning")).text()).includes("id: s1:2\n"));
  assert.deepEqual(await store.load("u1/s1"), { epoch: 1, cursor: "s1:2" });
});

test("what has passed is remembered when the consumer leaves", async () => {
  const log = new Log({ count: 3 });
  const upstream = fed();
  const later = [];
  const { ask, store } = standing(log, { fetch: async () => upstream.response, waitUntil: (done) => later.push(done) });
  const reader = (await ask()).body.getReader();
  upstream.give(log.head() + log.recorded(log.events[0]));
  await reader.read();
  upstream.give(log.recorded(log.events[1]));
  await reader.read();
  await reader.cancel();
  await Promise.all(later);
  assert.equal(later.length, 1);
  assert.deepEqual(await store.load("u1/s1"), { epoch: 0, cursor: "s1:2" });
});

test("one save at a time, and the last one is the newest", async () => {
  const log = new Log({ count: 9 });
  const saved = [];
  let running = 0;
  const save = async (_, { cursor }) => {
    assert.equal(++running, 1);
    await turns();
    saved.push(cursor);
    running--;
  };
  const { ask } = standing(log, { memory: { store: { load: async () => undefined, save }, key: () => "k" } });
  await (await ask()).text();
  assert.ok(saved.length < 9, `${saved}`);
  assert.equal(saved.at(-1), "s1:9");
});

test("a store that fails harms no stream", async () => {
  const log = new Log({ count: 2 });
  for (const fails of [() => { throw new Error("mine"); }, () => Promise.reject(new Error("mine"))]) {
    const { ask } = standing(log, { memory: { store: { load: fails, save: fails }, key: () => "k" } });
    assert.equal(await (await ask()).text(), log.answer());
  }
});

test("a store that has what is no place remembers nothing", async () => {
  const log = new Log({ count: 2 });
  for (const kept of [{ epoch: 0, cursor: "s1" }, { epoch: "0", cursor: "s1:1" }, {}, null, "s1:1", 7]) {
    const saved = [];
    const { ask, asked } = standing(log, { memory: { store: { load: async () => kept, save: async (_, place) => void saved.push(place) }, key: () => "k" } });
    assert.equal(await (await ask()).text(), log.answer(), JSON.stringify(kept));
    assert.deepEqual(asked, [""]);
    assert.deepEqual(saved.at(-1), { epoch: 0, cursor: "s1:2" });
  }
});

test("an object takes no place that is none, and none that is behind (R-326)", async () => {
  const objects = new Objects();
  const send = async (body) => (await objects.get({ name: "k" }).fetch("https://x/", { method: "PUT", body })).status;
  const put = (place) => send(JSON.stringify(place));
  const cases = [
    [{ epoch: 0, cursor: "s1" }, 400], [{}, 400], [null, 400], [{ epoch: "0", cursor: "s1:1" }, 400],
    [{ epoch: 0, cursor: "s1:4@7" }, 204], [{ epoch: 0, cursor: "s1:3@7" }, 409], [{ epoch: 0, cursor: "s1:4" }, 409], [{ epoch: 0, cursor: "s1:4@7", more: 1 }, 204],
    [{ epoch: 1, cursor: "s1:1@8" }, 204], [{ epoch: 0, cursor: "s1:9@7" }, 409],
  ];
  for (const [place, status] of cases) assert.equal(await put(place), status, JSON.stringify(place));
  for (const body of ["", "{", "[", "s1:1"]) assert.equal(await send(body), 400, body);
  assert.deepEqual([...objects.kept.values()], [{ epoch: 1, cursor: "s1:1@8" }]);
  assert.equal((await objects.get({ name: "new" }).fetch("https://x/")).status, 204);
  assert.equal(await replaces({ epoch: 0, cursor: "broken" }, { epoch: 0, cursor: "s1:1" }), true, "what is no place is in nobody's way");
});
