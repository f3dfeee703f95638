// What the shell does when the module stops: it decides nothing, and hands back what the rows had said.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../dist/index.js";
import { links } from "../dist/links.js";
import { collect, gate, serving, stream, turns, withoutJitter } from "./support/fetch.mjs";
import { above, Log } from "./support/log.mjs";

const ADDRESS = "http://tidemark.invalid/v1/sessions/s1/events";

/** Stops the running module as a panic does. */
async function stop() {
  const module = await links.ready();
  assert.throws(() => module.crash(), { id: "stream.module_exited" });
}

/** Back-offs without a lot, and without what Go prints of its end. */
function prepare(t) {
  withoutJitter(t);
  t.mock.method(console, "error", () => {});
}

test("a stopped module costs the connection, not the stream", async (t) => {
  prepare(t);
  const log = new Log({ count: 6, generation: 3 });
  const rest = gate();
  const first = stream(log.head(), log.recorded(log.events[0]), log.recorded(log.events[1]), log.delta("half a sen"), () => rest.passed.then(() => log.recorded(log.events[2])));
  const { fetch, requests } = serving(first, (address) => stream(log.answer(above(address))));
  const items = [];
  for await (const item of open(ADDRESS, { fetch })) {
    items.push(item);
    if (item.kind !== "draft" || item.event.text !== "half a sen") continue;
    await stop();
    rest.open();
  }
  assert.deepEqual(items.filter(({ kind }) => kind === "event").map(({ seq }) => seq), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(items.find(({ kind }) => kind === "restart"), { kind: "restart", session: "s1", afterSeq: 2 });
  assert.equal(requests[1], `${ADDRESS}?cursor=s1%3A2%403`);
  assert.equal(items.at(-1).cause, "server");
});

test("a module that stops every time ends the stream with a named error", async (t) => {
  prepare(t);
  let requests = 0;
  const fetch = async () => {
    requests++;
    await stop();
    return stream(new Log().head());
  };
  await assert.rejects(collect(open(ADDRESS, { fetch })), { id: "stream.module_exited", retryable: true });
  assert.ok(requests > 1 && requests < 10);
});

test("a session that was refused stays out when the others go on in a fresh module", async (t) => {
  prepare(t);
  const a = new Log({ session: "a", count: 3, generation: 2 });
  const b = new Log({ session: "b", count: 3 });
  const rest = gate();
  const first = stream(a.head(), b.head(), b.recorded(b.events[0]), () => rest.passed.then(() => b.recorded(b.events[1])));
  const { fetch, requests } = serving(first, () => stream(b.answer(0)));
  const items = [];
  for await (const item of open("http://x.invalid/stream", { sessions: ["a", "b"], cursor: ["a:1@1"], fetch })) {
    items.push(item);
    if (item.kind !== "event" || item.seq !== 1) continue;
    await stop();
    rest.open();
  }
  assert.deepEqual(items.filter(({ kind }) => kind === "refused").map(({ session }) => session), ["a"]);
  assert.deepEqual(items.filter(({ kind }) => kind === "event").map(({ seq }) => seq), [1, 2, 3]);
  assert.equal(requests[1], "http://x.invalid/stream?session=b&cursor=b%3A0", "with the event that the position is proven by");
});

for (const [name, messageId, kinds] of [["the same log goes on", "m1", ["event", "event", "live", "end"]], ["another log is refused", "m2", ["refused"]]]) {
  test(`the proof of an unfenced cursor outlives a module: ${name}`, async (t) => {
    prepare(t);
    const [log, next] = ["m1", messageId].map((id) => {
      const made = new Log({ count: 3 });
      made.events[0].messageId = id;
      return made;
    });
    const rest = gate();
    const first = stream(log.head(), log.recorded(log.events[0]), () => rest.passed.then(() => log.recorded(log.events[1])));
    const { fetch, requests } = serving(first, (address) => stream(next.answer(above(address))));
    const items = [];
    for await (const item of open(ADDRESS, { fetch })) {
      items.push(item);
      if (items.length > 1) continue;
      await stop();
      rest.open();
    }
    assert.equal(requests[1], `${ADDRESS}?cursor=s1%3A0`, "one event before its place, to compare");
    assert.deepEqual(items.slice(1).map(({ kind }) => kind).filter((kind) => kind !== "draft"), kinds);
    if (name.startsWith("another")) assert.equal(items.at(-1).refusal.detail, "history_changed");
  });
}

test("a restart comes before the next event, not with the crash", async (t) => {
  prepare(t);
  const log = new Log({ count: 3, generation: 3 });
  const rest = gate();
  const next = gate();
  const first = stream(log.head(), log.recorded(log.events[0]), log.delta("half"), () => rest.passed.then(() => log.delta("lost")));
  const { fetch, requests } = serving(first, () => stream(log.head(), () => next.passed.then(() => log.answer(1))));
  const opened = open(ADDRESS, { fetch })[Symbol.asyncIterator]();
  const kinds = [];
  for (let i = 0; i < 2; i++) kinds.push((await opened.next()).value.kind);
  await stop();
  rest.open();
  const waiting = opened.next();
  let came = false;
  waiting.then(() => (came = true));
  while (requests.length < 2) await turns();
  await turns();
  assert.equal(came, false, "nothing is voided before there is something in its place");
  next.open();
  const item = (await waiting).value;
  assert.deepEqual([...kinds, item], ["event", "draft", { kind: "restart", session: "s1", afterSeq: 1 }]);
  await opened.return();
});

test("what no restart voids is not voided by a crash", async (t) => {
  prepare(t);
  const log = new Log({ count: 2 });
  const rest = gate();
  const agent = `data: ${JSON.stringify({ type: "agent_spawned", sessionId: "s1", agentId: "a1" })}\n\n`;
  const first = stream(log.head(), log.recorded(log.events[0]), agent, () => rest.passed.then(() => log.recorded(log.events[1])));
  const { fetch } = serving(first, (address) => stream(log.answer(above(address))));
  const items = [];
  for await (const item of open(ADDRESS, { fetch })) {
    items.push(item);
    if (item.type !== "agent_spawned") continue;
    await stop();
    rest.open();
  }
  assert.equal(items.some(({ type }) => type === "agent_spawned"), true);
  assert.deepEqual(items.filter(({ kind }) => kind === "restart"), []);
  assert.deepEqual(items.filter(({ kind }) => kind === "event").map(({ seq }) => seq), [1, 2]);
});

test("a crash while the first state loads: the next link loads it too, and asks from nowhere before", async (t) => {
  prepare(t);
  const log = new Log({ count: 4, generation: 1 });
  const { fetch, requests } = serving((address) => stream(log.answer(above(address))));
  const asked = [];
  const load = async ({ why }) => {
    asked.push(why);
    if (asked.length === 1) await stop();
    return { state: asked.length, cursor: "s1:3@1" };
  };
  const items = await collect(open(ADDRESS, { fetch, load }));
  assert.deepEqual(asked, ["first", "first"]);
  assert.deepEqual(items.map(({ kind }) => kind), ["state", "draft", "event", "live", "end"]);
  assert.deepEqual(requests, [`${ADDRESS}?cursor=s1%3A3%401`]);
});

test("a load for a link that is gone is told so, and holds up nothing", { timeout: 20_000 }, async (t) => {
  prepare(t);
  const [a, b] = ["a", "b"].map((session) => new Log({ session, count: 2 }));
  const { fetch } = serving(() => stream(a.head(), b.head(), a.recorded(a.events[1]), b.recorded(b.events[1]), a.end(), b.end()));
  const told = [];
  const seen = [];
  const load = async ({ session, signal }) => {
    seen.push(session);
    if (seen.length === 2) return new Promise(() => signal.addEventListener("abort", () => told.push(session)));
    if (seen.length === 1) await turns().then(stop);
    return { state: session, cursor: `${session}:1` };
  };
  const items = await collect(open("http://x.invalid/stream", { sessions: ["a", "b"], fetch, load }));
  assert.deepEqual(seen, ["a", "b", "a", "b"]);
  assert.deepEqual(told, ["b"]);
  assert.deepEqual(items.filter(({ kind }) => kind === "event").map(({ session, seq }) => [session, seq]), [["a", 2], ["b", 2]]);
});

test("cursors that no link had asked with yet are not lost", async (t) => {
  prepare(t);
  const [a, b] = ["a", "b"].map((session) => new Log({ session, count: 3 }));
  const { fetch, requests } = serving(() => stream(a.head(), b.head(), a.end(), b.end()));
  let loads = 0;
  const load = async ({ session }) => {
    assert.equal(session, "a");
    if (++loads === 1) await stop();
    return { state: 0, cursor: "a:3" };
  };
  await collect(open("http://x.invalid/stream", { sessions: ["a", "b"], cursor: ["b:3"], fetch, load }));
  assert.equal(loads, 2);
  assert.deepEqual(new URL(requests[0]).searchParams.getAll("cursor"), ["a:3", "b:3"]);
});
