// Cases from public reports, by their id, about what comes over a connection: each one's `must` and `must_not` is asserted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init, open } from "../dist/index.js";
import { Driver } from "../dist/driver.js";
import { settle } from "../dist/options.js";
import { collect, gate, serving, stream, turns, withoutJitter, withTime } from "./support/fetch.mjs";
import { above, Log } from "./support/log.mjs";

const ADDRESS = "http://tidemark.invalid/v1/sessions/s1/events";
const forever = () => new Promise(() => {});
const seqs = (items) => items.filter(({ kind }) => kind === "event").map(({ seq }) => seq);

/** What a driver hands over until it ends, all of it taken in. */
async function drain(driver) {
  const items = [];
  for (;;) {
    driver.marks.settle();
    await driver.queue.ready();
    const item = driver.queue.shift();
    if (!item) return items;
    driver.marks.hand(item);
    items.push(item);
  }
}

test("API-01: a payload that cannot be read between two good ones stops the stream, and nothing is skipped", async (t) => {
  withoutJitter(t);
  const log = new Log({ count: 3, generation: 7 });
  const broken = () => stream(log.head(), "id: s1:2@7\ndata: {bad\n\n", log.recorded(log.events[2]), log.live());
  const { fetch, requests } = serving(broken, broken, broken);
  const driver = new Driver(settle(ADDRESS, { fetch, cursor: "s1:1@7" }));
  const items = await drain(driver);
  const [{ refusal }] = items.filter(({ kind }) => kind === "refused");
  assert.deepEqual([refusal.reason, refusal.detail, refusal.rule], ["gap", "bad_event", "stream.gap.bad_event"]);
  assert.equal(refusal.evidence.expectedSeq, 2);
  assert.deepEqual(seqs(items), [], "3 is not skipped to");
  assert.equal(driver.mark().cursor, "s1:1@7", "the id of the bad one is not kept");
  assert.deepEqual(requests, Array(2).fill(`${ADDRESS}?cursor=s1%3A1%407`), "one more look, from the same place");
});

test("API-05: what a connection brings after the next one was made is ignored", async (t) => {
  withoutJitter(t);
  const log = new Log({ count: 6, generation: 7 });
  const [late, second] = [gate(), gate()];
  // The body goes on although it was given up, as one does whose bytes were on their way.
  const first = stream(log.head(), log.recorded(log.events[5]), () => late.passed.then(() => log.recorded(log.events[4])), forever);
  const { fetch, requests } = serving(first, () => stream(log.head(), () => second.passed.then(() => log.answer(4))));
  const driver = new Driver(settle(ADDRESS, { fetch, cursor: "s1:4@7" }));
  const run = drain(driver);
  await init();
  await turns();
  assert.equal(requests.length, 2);
  late.open();
  await turns();
  assert.equal(driver.stats().events, 0, "5 came over the first connection");
  assert.equal(driver.mark().cursor, "s1:4@7");
  second.open();
  assert.deepEqual(seqs(await run), [5, 6]);
  assert.equal(driver.stats().duplicates, 0);
});

test("API-07: a refusal that nobody listens to is final, and can be read", async (t) => {
  await init();
  withoutJitter(t);
  withTime(t);
  const log = new Log({ count: 4, generation: 7 });
  log.events.splice(1, 1);
  const { fetch, requests } = serving((address) => stream(log.answer(above(address))), (address) => stream(log.answer(above(address))));
  const opened = open(ADDRESS, { fetch });
  await turns();
  assert.equal(requests.length, 2, "the resync that did not connect either");
  assert.deepEqual(opened.state(), { connection: "closed", attempt: 0, sessions: { s1: "refused" } });
  assert.equal(opened.stats().refusals.gap, 1);
  for (let hour = 0; hour < 24; hour++) t.mock.timers.tick(3_600_000), await turns();
  assert.equal(requests.length, 2, "no connection after it");
  const items = await collect(opened);
  assert.equal(items.at(-1).kind, "refused");
  assert.deepEqual([items.at(-1).refusal.reason, items.at(-1).refusal.evidence.expectedSeq], ["gap", 2]);
});

test("API-17: a proxy that holds events back and releases them at once makes no gap", async (t) => {
  await init();
  withTime(t);
  const log = new Log({ count: 40, generation: 7 });
  const released = gate();
  const burst = log.events.slice(1).map((event) => log.recorded(event)).join("");
  const { fetch, requests } = serving(stream(log.head(), () => released.passed.then(() => burst), log.live(), log.end()));
  const verdicts = [];
  const opened = open(ADDRESS, { fetch, cursor: "s1:1@7", onDecision: ({ verdict }) => verdicts.push(verdict) });
  const run = collect(opened);
  await turns();
  t.mock.timers.tick(30_000);
  await turns();
  released.open();
  assert.deepEqual(seqs(await run), Array.from({ length: 39 }, (_, i) => i + 2));
  assert.equal(verdicts.filter((verdict) => verdict === "accept").length, 39);
  assert.deepEqual(verdicts.filter((verdict) => ["gap", "unavailable", "broken"].includes(verdict)), []);
  assert.equal(requests.length, 1);
});

test("API-39: a platform that gives up before the first byte costs no place", async (t) => {
  withoutJitter(t);
  const log = new Log({ count: 6, generation: 7 });
  const { fetch, requests } = serving(new DOMException("The operation timed out.", "TimeoutError"), (address) => stream(log.answer(above(address))));
  const broken = [];
  const items = await collect(open(ADDRESS, { fetch, cursor: "s1:4@7", onDecision: ({ verdict, rule }) => verdict === "broken" && broken.push(rule) }));
  assert.deepEqual(requests, Array(2).fill(`${ADDRESS}?cursor=s1%3A4%407`));
  assert.deepEqual(broken, ["stream.connection_lost"]);
  assert.deepEqual(seqs(items), [5, 6]);
});

test("API-43: a line without an end is a limit that is named, not memory without one", async (t) => {
  withoutJitter(t);
  const limit = 1 << 20;
  const chunk = new Uint8Array(1024).fill(0x78);
  let sent = 0;
  const endless = () => new ReadableStream({ pull: (controller) => ((sent += chunk.length), controller.enqueue(chunk)) }, { highWaterMark: 0 });
  const requests = [];
  const fetch = async (address) => (requests.push(address), new Response(endless(), { headers: { "content-type": "text/event-stream" } }));
  const driver = new Driver(settle(ADDRESS, { fetch, cursor: "s1:4@7", maxFrame: limit }));
  await assert.rejects(drain(driver), (error) => {
    assert.equal(error.id, "stream.frame_too_large");
    assert.match(`${error.expected}`, /1048576/);
    return true;
  });
  assert.ok(sent <= requests.length * (limit + (64 << 10)), `${sent} bytes were read over ${requests.length} connections`);
  assert.equal(driver.stats().events, 0, "nothing goes on behind it");
  assert.equal(driver.mark().cursor, "s1:4@7");
  assert.deepEqual([...new Set(requests)], [`${ADDRESS}?cursor=s1%3A4%407`]);
});
