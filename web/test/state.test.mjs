// What onState and state() say of a stream.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init, open } from "../dist/index.js";
import { collect, gate, serving, stream, turns, withoutJitter, withTime } from "./support/fetch.mjs";
import { above, Log } from "./support/log.mjs";

const ADDRESS = "http://tidemark.invalid/v1/sessions/s1/events";

/** Keeps each state, and holds it against what is promised of all. */
function watch() {
  const states = [];
  const onState = (state) => {
    assert.ok(Object.isFrozen(state) && Object.isFrozen(state.sessions));
    assert.notDeepEqual(state, states.at(-1), "once for each change");
    states.push(state);
  };
  return { states, onState };
}

test("a stream that is read to its end", async () => {
  const log = new Log({ count: 2 });
  const { states, onState } = watch();
  const opened = open(ADDRESS, { fetch: serving(stream(log.answer())).fetch, onState });
  assert.deepEqual(opened.state(), { connection: "idle", attempt: 0, sessions: {} });
  await collect(opened);
  assert.deepEqual(states.map(({ connection }) => connection).filter((each, i, all) => each !== all[i - 1]), ["connecting", "open", "closed"]);
  assert.deepEqual(states.flatMap(({ sessions }) => sessions.s1 ?? []).filter((each, i, all) => each !== all[i - 1]), ["replaying", "live", "ended"]);
  assert.equal(opened.state(), states.at(-1), "the same value");
  assert.deepEqual(states.at(-1), { connection: "closed", attempt: 0, sessions: { s1: "ended" } });
});

test("a wait says how often and until when, and is over with the next connection", async (t) => {
  await init();
  withoutJitter(t);
  withTime(t);
  const log = new Log({ count: 1 });
  const busy = (seconds) => new Response("", { status: 503, headers: { "retry-after": `${seconds}` } });
  const { states, onState } = watch();
  const run = collect(open(ADDRESS, { fetch: serving(busy(10), busy(20), stream(log.answer())).fetch, onState }));
  for (const seconds of [10, 20]) {
    await turns();
    const { connection, attempt, retryAt } = states.at(-1);
    assert.deepEqual([connection, attempt], ["waiting", seconds / 10]);
    assert.ok(Math.abs(retryAt - performance.timeOrigin - performance.now() - seconds * 1000) <= 1, "to the millisecond");
    t.mock.timers.tick(seconds * 1000);
  }
  await run;
  assert.ok(states.some(({ connection, retryAt }) => connection === "connecting" && retryAt === undefined));
});

test("a decision is told before the state that it brings about", async () => {
  const told = [];
  const log = new Log({ count: 2, generation: 5 });
  const { fetch } = serving(stream(log.head()));
  await collect(open(ADDRESS, { cursor: "s1:1@4", fetch, onDecision: ({ verdict }) => told.push(verdict), onState: ({ sessions }) => told.push(sessions.s1) }));
  assert.ok(told.includes("unavailable") && told.indexOf("unavailable") < told.indexOf("refused"), told.join());
});

test("loads, refusals and sessions one by one", async () => {
  const a = new Log({ session: "a", count: 2, generation: 5 });
  const b = new Log({ session: "b", count: 2 });
  const { states, onState } = watch();
  const { fetch } = serving(stream(a.head(), b.head(), b.recorded(b.events[0]), b.recorded(b.events[1]), b.live(), b.end()));
  const opened = open("http://x.invalid/stream", { sessions: ["a", "b"], cursor: ["a:1@4"], fetch, onState });
  await collect(opened);
  assert.deepEqual(opened.state().sessions, { a: "refused", b: "ended" });
  assert.ok(states.some(({ sessions }) => sessions.a === "refused" && sessions.b === "live"));

  const { states: loads, onState: loading } = watch();
  const log = new Log({ count: 3 });
  await collect(open(ADDRESS, { fetch: serving((address) => stream(log.answer(above(address)))).fetch, load: () => ({ state: 1, cursor: "s1:2" }), onState: loading }));
  assert.deepEqual(loads.flatMap(({ sessions }) => sessions.s1 ?? [])[0], "loading");
});

test("closing and failing leave nothing that looks alive", async () => {
  const log = new Log({ count: 1 });
  const { states, onState } = watch();
  const open1 = open(ADDRESS, { fetch: serving(stream(log.head(), () => new Promise(() => {}))).fetch, onState });
  const first = open1[Symbol.asyncIterator]().next();
  await init();
  await turns();
  open1.close();
  assert.equal((await first).value.cause, "closed");
  assert.deepEqual(states.at(-1), { connection: "closed", attempt: 0, sessions: { s1: "ended" } });
  const failed = open(ADDRESS, { fetch: serving(new Response("no", { status: 404 })).fetch });
  await assert.rejects(collect(failed));
  assert.equal(failed.state().connection, "closed");
});

test("a watcher may close the stream, and one that throws is reported", async (t) => {
  const reported = t.mock.method(console, "error", () => {});
  const log = new Log({ count: 2 });
  const throwing = () => {
    throw new Error("mine");
  };
  const whole = await collect(open(ADDRESS, { fetch: serving(stream(log.answer())).fetch, onState: throwing }));
  assert.equal(whole.at(-1).cause, "server");
  assert.ok(reported.mock.callCount() > 2);
  const opened = open(ADDRESS, { fetch: serving(stream(log.answer().replace(log.end(), ""))).fetch, onState: ({ sessions }) => sessions.s1 === "replaying" && opened.close() });
  assert.equal((await collect(opened)).at(-1).cause, "closed");
});

test("a reset from inside a watcher is performed in its turn", async () => {
  const log = new Log({ count: 5 });
  const reach = gate();
  const { fetch, requests } = serving(stream(log.answer().replace(log.end(), "")), (address) => (reach.open(), stream(log.answer(above(address)))));
  let opened;
  let done = false;
  const onState = ({ sessions }) => {
    if (sessions.s1 !== "live" || done) return;
    done = true;
    opened.reset("s1:3");
  };
  opened = open(ADDRESS, { fetch, onState });
  const items = await collect(opened);
  await reach.passed;
  assert.equal(requests[1], `${ADDRESS}?cursor=s1%3A3`);
  assert.deepEqual(items.filter(({ kind }) => kind === "event").map(({ seq }) => seq), [4, 5]);
});
