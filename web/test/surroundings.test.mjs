// What the network and the page around a stream do to it. In Node there is neither, so the tests bring them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init, open } from "../dist/index.js";
import { collect, serving, stream, turns, withoutJitter, withTime } from "./support/fetch.mjs";
import { above, Log } from "./support/log.mjs";
import { withPage } from "./support/page.mjs";

const ADDRESS = "http://tidemark.invalid/v1/sessions/s1/events";
const forever = () => new Promise(() => {});
const seqs = (items) => items.filter(({ kind }) => kind === "event").map(({ seq }) => seq);

test("offline nothing is asked for; online it is, from the cursor", async (t) => {
  await init();
  withoutJitter(t);
  withTime(t);
  const page = withPage(t);
  const log = new Log({ count: 3, generation: 7 });
  const { fetch, requests } = serving(stream(log.head(), log.recorded(log.events[0]), () => turns().then(() => { throw new Error("reset"); })),
    (address) => stream(log.answer(above(address))));
  const opened = open(ADDRESS, { fetch });
  const run = collect(opened);
  await turns();
  page.network(false);
  await turns();
  t.mock.timers.tick(3_600_000);
  await turns();
  assert.equal(opened.state().connection, "offline");
  assert.equal(requests.length, 1);
  page.network(true);
  assert.deepEqual(seqs(await run), [1, 2, 3]);
  assert.equal(requests[1], `${ADDRESS}?cursor=s1%3A1%407`);
});

test("opened offline: the first request waits for the network", async (t) => {
  const page = withPage(t, { online: false });
  const log = new Log({ count: 2 });
  const { fetch, requests } = serving(stream(log.answer()));
  const opened = open(ADDRESS, { fetch });
  const run = collect(opened);
  await init();
  await turns();
  assert.deepEqual(requests, []);
  assert.equal(opened.state().connection, "offline");
  page.network(true);
  assert.deepEqual(seqs(await run), [1, 2]);
});

test("a page that is hidden and shown goes on with the connection it has", async (t) => {
  const page = withPage(t);
  const log = new Log({ count: 2 });
  const shown = turns;
  const { fetch, requests } = serving(stream(log.head(), log.recorded(log.events[0]), () => shown().then(() => log.recorded(log.events[1]) + log.live() + log.end())));
  const run = collect(open(ADDRESS, { fetch }));
  for (let i = 0; i < 5; i++) page.show(i % 2 === 1), await turns();
  assert.deepEqual(seqs(await run), [1, 2]);
  assert.equal(requests.length, 1);
});

test("a page that is shown judges a silence at once, though its timers are late", async (t) => {
  await init();
  withoutJitter(t);
  withTime(t);
  const page = withPage(t, { visible: false });
  const log = new Log({ count: 2 });
  const { fetch, requests } = serving(stream(log.head(), log.recorded(log.events[0]), forever), (address) => stream(log.answer(above(address))));
  const run = collect(open(ADDRESS, { fetch }));
  await turns();
  t.mock.timers.setTime(Date.now() + 600_000); // no timer has fired: the tab was frozen
  assert.equal(requests.length, 1);
  page.show(true);
  t.mock.timers.tick(0);
  assert.deepEqual(seqs(await run), [1, 2]);
  assert.equal(requests.length, 2);
});

test("nobody listens any more when the stream is over", async (t) => {
  const page = withPage(t);
  const log = new Log({ count: 1 });
  const ended = open(ADDRESS, { fetch: serving(stream(log.answer())).fetch });
  const closed = open(ADDRESS, { fetch: forever });
  const failed = open(ADDRESS, { fetch: serving(new Response("no", { status: 404 })).fetch });
  assert.ok(page.listeners > 0);
  await collect(ended);
  closed.close();
  await assert.rejects(collect(failed));
  assert.equal(page.listeners, 0);
  page.network(false);
  page.show(false);
});

test("a module that stops while the network is away is replaced, and waits for it too", async (t) => {
  const page = withPage(t, { online: false });
  t.mock.method(console, "error", () => {});
  const log = new Log({ count: 2 });
  const { fetch, requests } = serving(stream(log.answer()));
  const { links } = await import("../dist/links.js");
  const opened = open(ADDRESS, { fetch });
  const run = collect(opened);
  await init();
  await turns();
  const module = await links.ready();
  assert.throws(() => module.crash(), { id: "stream.module_exited" });
  page.show(false); // the next input finds out
  await init();
  await turns();
  assert.deepEqual(requests, []);
  page.network(true);
  assert.deepEqual(seqs(await run), [1, 2]);
});
