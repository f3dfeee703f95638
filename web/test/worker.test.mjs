// Streams in a worker: the same face, the same guarantees, and a worker that dies costs nothing that was handed over.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker as Thread } from "node:worker_threads";
import { open } from "../dist/index.js";
import { running } from "../dist/worker/pool.js";
import { collect, gate } from "./support/fetch.mjs";
import { above, Log } from "./support/log.mjs";
import { serving } from "./support/server.mjs";

const seqsOf = (items) => items.filter(({ kind }) => kind === "event").map(({ seq }) => seq);
const upTo = (n) => Array.from({ length: n }, (_, i) => i + 1);
const never = new Promise(() => {});
const rest = (log) => ({ url }) => log.answer(above(url));

/** The same stream with and without a worker. */
async function both(t, answer, options = {}) {
  const found = [];
  for (const worker of [false, true]) {
    const { address, requests } = await serving(t, ...[answer()].flat());
    const items = await collect(open(address, { worker, ...options }));
    found.push({ items: items.map((item) => JSON.parse(JSON.stringify(item))), asked: requests.map(({ url }) => url) });
  }
  return found;
}

test("a stream in a worker hands over what it hands over in the page", async (t) => {
  const log = new Log({ count: 50, generation: 7, text: 'é "quoted" 日本語 😀' });
  const [page, worker] = await both(t, () => rest(log));
  assert.deepEqual(worker, page);
  assert.deepEqual(seqsOf(worker.items), upTo(50));
});

test("so does one that is refused, with a state in the place of what was there", async (t) => {
  const log = new Log({ count: 9, generation: 8 });
  const load = async ({ why, refusal }) => ({ state: { why, reason: refusal?.reason, made: new Date(0) }, cursor: "s1:6@8" });
  const [page, worker] = await both(t, () => [rest(log), rest(log)], { cursor: "s1:4@7", load });
  assert.deepEqual(worker, page);
  const [state] = worker.items.filter(({ kind }) => kind === "state");
  assert.deepEqual(state.state, { why: "rebuilt", reason: "generation_changed", made: "1970-01-01T00:00:00.000Z" });
  assert.deepEqual(seqsOf(worker.items), [7, 8, 9]);
});

test("a state stays in the page: it is the very object that load answered", async (t) => {
  const log = new Log({ count: 2 });
  const { address } = await serving(t, rest(log));
  const state = { call: () => 4, map: new Map([[1, 2]]) };
  const [first] = await collect(open(address, { worker: true, load: () => ({ state, cursor: "s1:1" }) }));
  assert.equal(first.state, state);
});

test("a state that was there already comes first, once", async (t) => {
  const log = new Log({ count: 3 });
  const { address, requests } = await serving(t, rest(log));
  const items = await collect(open(address, { worker: true, initial: { state: { n: 1 }, cursor: "s1:2" } }));
  assert.deepEqual(items.map(({ kind }) => kind), ["state", "draft", "event", "live", "end"]);
  assert.deepEqual(items[0], { kind: "state", why: "first", session: "s1", state: { n: 1 }, cursor: "s1:2" });
  assert.equal(requests[0].url, "/v1/sessions/s1/events?cursor=s1%3A2");
});

test("events are parsed when they are read, from bytes of their own", async (t) => {
  const log = new Log({ count: 3, text: "é" });
  const { address } = await serving(t, rest(log));
  for (const item of await collect(open(address, { worker: true }))) {
    if (item.kind !== "event") continue;
    assert.equal(item.json, JSON.stringify(log.events[item.seq - 1]));
    assert.equal(item.event, item.event);
    assert.deepEqual(item.event, log.events[item.seq - 1]);
  }
});

test("functions run in the page", async (t) => {
  const log = new Log({ count: 2, generation: 3 });
  const { address, requests } = await serving(t, (_, response) => void response.writeHead(401).end(), rest(log));
  const asked = [];
  const [decisions, states, lines] = [[], [], []];
  const headers = async ({ url, attempt, status }) => (asked.push([new URL(url).pathname, attempt, status]), { authorization: `Bearer ${asked.length}` });
  const stream = open(address, { worker: true, headers, onDecision: (d) => decisions.push(d), onState: (s) => states.push(s), debug: (line) => lines.push(line) });
  await collect(stream);
  assert.deepEqual(requests.map(({ headers }) => headers.authorization), ["Bearer 1", "Bearer 2"]);
  assert.deepEqual(asked.map(([path, , status]) => [path, status]), [["/v1/sessions/s1/events", undefined], ["/v1/sessions/s1/events", 401]]);
  assert.deepEqual(decisions.filter(({ verdict }) => verdict === "accept").map(({ seq }) => seq), [1, 2]);
  assert.equal(lines.length, decisions.length);
  assert.ok(states.length > 2 && states.every((state) => Object.isFrozen(state) && Object.isFrozen(state.sessions)));
  assert.equal(states.at(-1), stream.state());
  assert.deepEqual(stream.state(), { connection: "closed", attempt: 0, sessions: { s1: "ended" } });
});

test("fixed headers go along, and a fetch of the page's own is refused", async (t) => {
  const { address, requests } = await serving(t, rest(new Log()));
  await collect(open(address, { worker: true, headers: { "x-mine": "yes" } }));
  assert.equal(requests[0].headers["x-mine"], "yes");
  assert.equal(requests[0].headers.accept, "text/event-stream");
  assert.throws(() => open(address, { worker: true, fetch }), { id: "stream.invalid_options", expected: /^worker: an address, and no fetch/ });
  assert.throws(() => open({ connect() {} }, { worker: true }), { id: "stream.invalid_options", expected: /^worker: an address/ });
  for (const worker of [1, "yes", {}]) assert.throws(() => open(address, { worker }), { id: "stream.invalid_options", expected: /^worker: / });
});

test("what an app throws is the cause of what it brought about, the same object", async (t) => {
  const { address } = await serving(t, rest(new Log()), (_, response) => void response.writeHead(403).end());
  const mine = new Error("mine");
  const throwing = () => { throw mine; };
  await assert.rejects(collect(open(address, { worker: true, load: throwing })), (error) => error.id === "stream.load_failed" && error.cause === mine);
  await assert.rejects(collect(open(address, { worker: true, headers: throwing })), (error) => error.id === "stream.unauthorized" && error.cause === mine);
});

test("faults come word for word", async (t) => {
  const answer = (_, response) => void response.writeHead(404, { "content-type": "text/plain" }).end("no");
  const faults = [];
  for (const worker of [false, true]) {
    const { address } = await serving(t, answer);
    await collect(open(address, { worker })).catch((error) => faults.push(error));
  }
  const [page, worker] = faults;
  assert.equal(worker.constructor, page.constructor);
  assert.deepEqual(worker.toJSON(), page.toJSON());
  assert.equal(worker.id, "stream.http_status");
});

test("odd answers of an app are what they are in the page", async (t) => {
  const odd = [null, undefined, 4, "text", () => {}, {}, { cursor: 4 }, { cursor: "nonsense" }, { cursor: "s2:1" }];
  for (const answer of odd) {
    const ids = [];
    for (const worker of [false, true]) {
      const { address } = await serving(t, rest(new Log()));
      await collect(open(address, { worker, load: () => answer })).catch((error) => ids.push([error.id, error.found]));
    }
    assert.equal(ids.length, 2, String(answer));
    assert.deepEqual(ids[1], ids[0], String(answer));
  }
  for (const given of [null, 4, "text", { "bad name": "x" }, { x: () => {} }]) {
    const ids = [];
    for (const worker of [false, true]) {
      const { address } = await serving(t, rest(new Log()));
      await collect(open(address, { worker, headers: () => given })).then(() => ids.push("fine"), (error) => ids.push(error.id));
    }
    assert.equal(ids[1], ids[0], JSON.stringify(given));
  }
});

test("a signal ends it quietly, and so does leaving the loop", async (t) => {
  const log = new Log({ count: 3 });
  const { address } = await serving(t, [log.head(), log.recorded(log.events[0]), () => never], [log.head(), log.recorded(log.events[0]), () => never]);
  const controller = new AbortController();
  const kinds = [];
  for await (const item of open(address, { worker: true, signal: controller.signal })) {
    kinds.push([item.kind, item.cause]);
    if (item.kind === "event") controller.abort();
  }
  assert.deepEqual(kinds, [["event", undefined], ["end", "closed"]]);
  for await (const { kind } of open(address, { worker: true })) if (kind === "event") break;
  const aborted = await collect(open(address, { worker: true, signal: AbortSignal.abort() }));
  assert.deepEqual(aborted, [{ kind: "end", session: "s1", cause: "closed" }]);
});

test("a stream that is closed before the worker is there never asks", async (t) => {
  const { address, requests } = await serving(t, rest(new Log()));
  const stream = open(address, { worker: true });
  stream.close();
  assert.deepEqual(await collect(stream), [{ kind: "end", session: "s1", cause: "closed" }]);
  const { address: other } = await serving(t, rest(new Log()));
  await collect(open(other, { worker: true }));
  assert.deepEqual(requests, []);
});

test("a load that nobody waits for any more is told so", async (t) => {
  const { address } = await serving(t);
  const asked = gate();
  const told = gate();
  const load = ({ signal }) => (signal.addEventListener("abort", told.open), asked.open(), new Promise(() => {}));
  const stream = open(address, { worker: true, load });
  await asked.passed;
  stream.close();
  await told.passed;
});

test("the network is only read as fast as items are taken", async (t) => {
  const log = new Log({ count: 1, text: "x".repeat(60_000) });
  const [event] = log.events;
  let sent = 0;
  const chunks = Array.from({ length: 600 }, (_, i) => () => (sent++, log.recorded({ ...event, seq: i + 1 })));
  const { address } = await serving(t, [log.head(), ...chunks, log.end()]);
  const stream = open(address, { worker: true })[Symbol.asyncIterator]();
  const seqs = [(await stream.next()).value.seq];
  for (let before = -1; before !== sent; ) {
    before = sent;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  assert.ok(sent < 500, `${sent} of 600 lots of 60 kB were sent to a reader that took one`);
  for (let next; !(next = await stream.next()).done; ) if (next.value.kind === "event") seqs.push(next.value.seq);
  assert.deepEqual(seqs, upTo(600));
});

for (const [name, kill] of Object.entries({
  "is killed": () => running().terminate(),
  "throws": () => running().postMessage({ port: null, settings: null }),
})) {
  test(`a worker that ${name} is replaced, and nothing is lost or doubled`, async (t) => {
    const log = new Log({ count: 400, generation: 2, text: "x".repeat(2000) });
    // Each answer stops some way behind the place where the worker is lost, and waits.
    const until = (last) => ({ url }) => [log.head(), ...log.events.slice(above(url), last).map((event) => log.recorded(event)), () => never];
    const { address, requests } = await serving(t, until(170), until(320), rest(log));
    const items = [];
    for await (const item of open(address, { worker: true })) {
      items.push(item);
      if (item.kind === "event" && (item.seq === 150 || item.seq === 300)) kill();
    }
    assert.deepEqual(seqsOf(items), upTo(400));
    assert.equal(items.at(-1).cause, "server");
    assert.equal(requests.length, 3);
    assert.match(requests[1].url, /cursor=s1%3A1[567]\d%402$/);
    assert.match(requests[2].url, /cursor=s1%3A3[012]\d%402$/);
  });
}

test("what waits in a worker as it is lost is asked for again, though the page knew already how far it was", async (t) => {
  const log = new Log({ count: 1110, generation: 2 });
  const bytes = (from, to) => log.events.slice(from, to).map((event) => log.recorded(event)).join("");
  const gates = [gate(), gate()];
  const after = (i, text) => () => gates[i].passed.then(() => text);
  const { address, requests } = await serving(t, [log.head() + bytes(0, 1100), after(0, bytes(1100, 1101)), after(1, bytes(1101, 1110) + log.live()), () => never], rest(log));
  const stream = open(address, { worker: true });
  const until = async (seen) => { while (!seen()) await new Promise((resolve) => setTimeout(resolve, 5)); };
  for (const [i, came] of [1100, 1101].entries()) {
    await until(() => stream.stats().events === came);
    gates[i].open(); // the page has taken nothing, so what comes last is not sent to it
  }
  await until(() => stream.state().sessions.s1 === "live");
  running().terminate();
  assert.deepEqual(seqsOf(await collect(stream)), upTo(1110));
  assert.equal(requests[1].url, "/v1/sessions/s1/events?cursor=s1%3A1101%402");
});

test("drafts that a lost worker had brought are void", async (t) => {
  const log = new Log({ count: 3, generation: 2 });
  const { address, requests } = await serving(t, [log.head(), log.recorded(log.events[0]), log.delta("half"), () => never], rest(log));
  const items = [];
  for await (const item of open(address, { worker: true })) {
    items.push(item);
    if (item.kind === "draft" && item.event.text === "half") running().terminate();
  }
  assert.deepEqual(items.find(({ kind }) => kind === "restart"), { kind: "restart", session: "s1", afterSeq: 1 });
  assert.deepEqual(seqsOf(items), [1, 2, 3]);
  assert.equal(requests[1].url, "/v1/sessions/s1/events?cursor=s1%3A1%402");
});

test("a state comes once, also when the worker is lost right after it", async (t) => {
  const log = new Log({ count: 3, generation: 2 });
  const { address } = await serving(t, rest(log), rest(log));
  const asked = [];
  const load = ({ why }) => (asked.push(why), { state: asked.length, cursor: "s1:1@2" });
  const items = [];
  for await (const item of open(address, { worker: true, load })) {
    items.push(item);
    if (item.kind === "state") running().terminate();
  }
  assert.deepEqual(items.filter(({ kind }) => kind === "state").map(({ state }) => state), [1]);
  assert.deepEqual(asked, ["first"]);
  assert.deepEqual(seqsOf(items), [2, 3]);
});

test("a load that a lost worker had asked for is asked for again", async (t) => {
  const { address } = await serving(t, rest(new Log({ count: 2 })));
  let loads = 0;
  const load = async ({ signal }) => {
    if (++loads > 1) return { state: loads, cursor: "s1:1" };
    running().terminate();
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ state: "late", cursor: "s1:0" })));
  };
  const items = await collect(open(address, { worker: true, load }));
  assert.deepEqual(items.map(({ kind, state }) => state ?? kind), [2, "draft", "event", "live", "end"]);
});

test("sessions that had ended stay out when the others go on in another worker", async (t) => {
  const [a, b] = ["a", "b"].map((session) => new Log({ session, count: 3, generation: 1 }));
  const { address, requests } = await serving(t, [a.head(), b.head(), a.recorded(a.events[0]), a.end(), b.recorded(b.events[0]), () => never], () => b.answer(1));
  const items = [];
  for await (const item of open(new URL("/stream", address), { worker: true, sessions: ["a", "b"] })) {
    items.push(item);
    if (item.session === "b" && item.seq === 1) running().terminate();
  }
  assert.equal(requests[1].url, "/stream?session=b&cursor=b%3A1%401");
  assert.deepEqual(items.filter(({ kind }) => kind === "end").map(({ session }) => session), ["a", "b"]);
});

test("workers that are lost one after the other end the stream with a named error", async (t) => {
  const { address } = await serving(t);
  await assert.rejects(
    collect(open(address, { worker: true, load: () => (running().terminate(), new Promise(() => {})) })),
    { id: "stream.module_exited", found: /worker/ },
  );
});

test("the worker can be one that the app makes", async (t) => {
  running()?.terminate();
  const { address } = await serving(t, rest(new Log({ count: 4 })));
  let made = 0;
  const worker = () => (made++, new Thread(new URL(import.meta.resolve("tidemark/worker"))));
  assert.deepEqual(seqsOf(await collect(open(address, { worker }))), [1, 2, 3, 4]);
  assert.equal(made, 1);
});

test("what cannot be a worker is named", async (t) => {
  for (const worker of [() => { throw new Error("not here"); }, () => new Thread("throw new Error('no script')", { eval: true })]) {
    running()?.terminate();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { address } = await serving(t, rest(new Log()));
    await assert.rejects(collect(open(address, { worker })), { id: "stream.module_load", found: /not here|no script/ });
  }
});

test("a worker whose script is another one is given up, by name, and not waited for", async (t) => {
  running()?.terminate();
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let ended = 0;
  const another = { postMessage() {}, addEventListener() {}, terminate: () => ended++ };
  const items = collect(open("http://tidemark.invalid/v1/sessions/s1/events", { worker: () => another }));
  items.catch(() => {});
  while (running() !== another) await new Promise(setImmediate);
  t.mock.timers.tick(15_000);
  await assert.rejects(items, { id: "stream.module_load", found: /its script said nothing; .*tidemark\/worker/ });
  assert.equal(ended, 1, "another try would say as little");
});

test("reset goes on from a cursor of the app's own", async (t) => {
  const log = new Log({ count: 9 });
  const { address, requests } = await serving(t, [log.head(), ...log.events.slice(0, 4).map((event) => log.recorded(event)), () => never], rest(log));
  const stream = open(address, { worker: true });
  const seqs = [];
  for await (const item of stream) {
    if (item.kind !== "event") continue;
    seqs.push(item.seq);
    if (seqs.length === 2) stream.reset("s1:7");
  }
  assert.deepEqual(seqs, [1, 2, 8, 9]);
  assert.equal(requests.at(-1).url, "/v1/sessions/s1/events?cursor=s1%3A7");
});

test("a reset that a lost worker had not done is done by the next", async (t) => {
  const log = new Log({ count: 9 });
  const { address } = await serving(t, [log.head(), log.recorded(log.events[0]), () => never], rest(log), rest(log));
  const stream = open(address, { worker: true });
  const seqs = [];
  for await (const item of stream) {
    if (item.kind !== "event") continue;
    seqs.push(item.seq);
    if (seqs.length > 1) continue;
    running().terminate();
    stream.reset("s1:7");
  }
  assert.deepEqual(seqs, [1, 8, 9]);
});

test("a reset before the worker is there fails as any other: at once, or as the stream does", async (t) => {
  const { address } = await serving(t, rest(new Log()), rest(new Log()), rest(new Log()));
  const wrong = open(address, { worker: true });
  assert.throws(() => wrong.reset(4), { id: "stream.bad_input" });
  wrong.reset("s2:1", "s2");
  await assert.rejects(collect(wrong), { id: "stream.bad_input", expected: /^session: / });
  const closed = open(address, { worker: true });
  closed.close();
  assert.throws(() => closed.reset("s1:1"), { id: "stream.bad_handle" });
  const left = open(address, { worker: true });
  left.reset("s1:1");
  left.close();
  assert.deepEqual((await collect(left)).map(({ cause }) => cause), ["closed"]);
});

test("headers that are no value a worker can be sent are named as in the page", async (t) => {
  for (const given of [Symbol("secret"), () => {}]) {
    const { address } = await serving(t);
    await assert.rejects(collect(open(address, { worker: true, headers: () => given })), { id: "stream.invalid_options", expected: /^headers: / });
  }
});

test("one worker serves many streams, and each is told apart", async (t) => {
  const logs = ["a", "b", "c"].map((session, i) => new Log({ session, count: 20 + i }));
  const streams = await Promise.all(logs.map(async (log) => open(new URL(`/sessions/${log.session}/events`, (await serving(t, rest(log))).address), { worker: true })));
  const all = await Promise.all(streams.map(collect));
  assert.deepEqual(all.map((items) => seqsOf(items).length), [20, 21, 22]);
  assert.deepEqual(all.map((items) => new Set(items.map(({ session }) => session)).size), [1, 1, 1]);
});

test("counters are those of the whole stream, whatever happened to workers", async (t) => {
  const log = new Log({ count: 5 });
  const { address } = await serving(t, [log.head(), log.recorded(log.events[0]), () => never], rest(log));
  const stream = open(address, { worker: true });
  for await (const item of stream) if (item.kind === "event" && item.seq === 1) running().terminate();
  const { events, drafts } = stream.stats();
  assert.deepEqual({ events, drafts }, { events: 5, drafts: 4 });
});
