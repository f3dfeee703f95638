// Cases from public reports, by their id, about when a connection is made again: each one's `must` and `must_not` is asserted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init, open } from "../dist/index.js";
import { Driver } from "../dist/driver.js";
import { settle } from "../dist/options.js";
import { collect, serving, stream, turns, withoutJitter, withTime } from "./support/fetch.mjs";
import { above, Log } from "./support/log.mjs";
import { withPage } from "./support/page.mjs";

const ADDRESS = "http://tidemark.invalid/v1/sessions/s1/events";
const forever = () => new Promise(() => {});
const seqs = (items) => items.filter(({ kind }) => kind === "event").map(({ seq }) => seq);

for (const [name, headers, most] of [["with nobody to ask", undefined, 1], ["with somebody to ask", () => ({ authorization: "Bearer x" }), 2]]) {
  test(`API-11: 401 every time, ${name}, is no loop`, async (t) => {
    await init();
    withoutJitter(t);
    withTime(t);
    let denied = 0;
    const log = new Log({ count: 6, generation: 7 });
    const addresses = [];
    const fetch = async (address) => (addresses.push(address), denied++, new Response("no", { status: 401 }));
    const driver = new Driver(settle(ADDRESS, { fetch, headers, cursor: "s1:4@7" }));
    await assert.rejects(driver.queue.ready(), { name: "TidemarkError", id: "stream.unauthorized", code: "invalid_config" });
    for (let hour = 0; hour < 24; hour++) t.mock.timers.tick(3_600_000), await turns();
    assert.equal(denied, most, "requests");
    assert.deepEqual([...new Set(addresses)], [`${ADDRESS}?cursor=s1%3A4%407`]);
    const { cursor } = driver.mark();
    assert.equal(cursor, "s1:4@7", "the place is kept");
    assert.deepEqual(seqs(await collect(open(ADDRESS, { cursor, fetch: serving((address) => stream(log.answer(above(address)))).fetch }))), [5, 6]);
  });
}

/** mulberry32 */
function lots(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

test("API-13: a thousand that are cut off together come back apart", async (t) => {
  const CLIENTS = 1000;
  const WINDOW = 2000;
  const BUCKET = 100;
  await init();
  t.mock.method(Math, "random", lots(13));
  withTime(t);
  const log = new Log({ count: 1, generation: 7 });
  let cut;
  const dropped = new Promise((resolve) => (cut = resolve));
  const back = [];
  const client = () => {
    let requests = 0;
    const fetch = async () => {
      if (requests++ > 0) return back.push(Date.now()), new Response(new ReadableStream({}), { headers: { "content-type": "text/event-stream" } });
      return stream(log.head(), log.recorded(log.events[0]), () => dropped.then(() => { throw new TypeError("network"); }));
    };
    return open(ADDRESS, { fetch });
  };
  const clients = Array.from({ length: CLIENTS }, client);
  while (clients.some((each) => each.stats().events === 0)) await turns();
  const start = Date.now();
  cut();
  while (clients.some((each) => each.state().connection !== "waiting")) await turns();
  for (let ms = 0; ms <= WINDOW; ms++) t.mock.timers.tick(1);
  await turns();
  for (const each of clients) each.close();
  assert.equal(back.length, CLIENTS, "all of them within the window");
  const buckets = new Array(WINDOW / BUCKET).fill(0);
  for (const time of back) buckets[Math.min(Math.floor((time - start) / BUCKET), buckets.length - 1)]++;
  // 5 % is the mean of an even spread over this window; a bucket of 1000 lots lies within three deviations (0.7 %) of it.
  assert.ok(Math.max(...buckets) <= 0.071 * CLIENTS, `${buckets}`);
  assert.ok(Math.min(...buckets) >= 0.029 * CLIENTS, `${buckets}`);
  assert.ok(new Set(back).size > 500, "no common delay");
});

test("API-15: a machine that slept for two hours comes back with its first tick", async (t) => {
  await init();
  withoutJitter(t);
  withTime(t);
  const log = new Log({ count: 5, generation: 7 });
  const { fetch, requests } = serving(stream(log.head(), log.recorded(log.events[2]), forever), (address) => stream(log.answer(above(address))));
  const opened = open(ADDRESS, { fetch, cursor: "s1:2@7" });
  const run = collect(opened);
  await turns();
  t.mock.timers.setTime(Date.now() + 7_200_000);
  await turns();
  assert.deepEqual([requests.length, opened.state().connection], [1, "open"], "asleep, it looks alive");
  t.mock.timers.tick(0);
  await turns();
  assert.notEqual(opened.state().connection, "open");
  t.mock.timers.tick(0);
  assert.deepEqual(seqs(await run), [3, 4, 5]);
  assert.equal(requests[1], `${ADDRESS}?cursor=s1%3A3%407`);
});

test("API-21: a page that is hidden and shown never begins anew", async (t) => {
  await init();
  withoutJitter(t);
  withTime(t);
  const page = withPage(t);
  const log = new Log({ count: 4, generation: 7 });
  const { fetch, requests } = serving(stream(log.head(), log.recorded(log.events[2]), forever), (address) => stream(log.answer(above(address))));
  const run = collect(open(ADDRESS, { fetch, cursor: "s1:2@7" }));
  await turns();
  page.show(false);
  await turns();
  page.show(true);
  await turns();
  assert.equal(requests.length, 1, "what is open stays open");
  page.show(false);
  t.mock.timers.setTime(Date.now() + 600_000); // frozen: no timer came, and the connection died
  page.show(true);
  await turns();
  t.mock.timers.tick(0);
  assert.deepEqual(seqs(await run), [3, 4]);
  assert.deepEqual(requests, [`${ADDRESS}?cursor=s1%3A2%407`, `${ADDRESS}?cursor=s1%3A3%407`], "no request without its cursor");
});
