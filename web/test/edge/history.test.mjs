// History from the Cache API of a real workerd, and the live stream behind it: joined, or refused.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { CacheBehind } from "./support/cache.mjs";
import { ask } from "./support/consumer.mjs";
import { frames } from "./support/frames.mjs";
import { asked, logOf, serveLog } from "./support/logs.mjs";
import { relayWithout } from "./support/unchecked.mjs";
import { plain, Upstream } from "./support/upstream.mjs";
import { serveWorker } from "./support/workerd.mjs";
import { tidemark } from "./support/workers.mjs";

const bound = { timeout: 60_000 };
const PAGE = 4;
const headers = { "x-options": JSON.stringify({ history: { pageSize: PAGE } }) };

let upstream, cache, ours;
before(async () => {
  [upstream, cache] = await Promise.all([Upstream.start(), CacheBehind.start()]);
  ours = { ...(await tidemark(upstream.url)), cache: cache.address };
});
after(() => Promise.all([upstream.stop(), cache.stop()]));
beforeEach(() => (cache.said = []));

async function follow(worker, session, query = "") {
  const got = await ask(`${worker.url}/v1/sessions/${session}/events${query}`, { headers });
  assert.equal(await got.whole, true);
  return got;
}

/** The recorded events of an answer, and the frame of the protocol that it ends with. */
function told({ text }) {
  const all = frames(text);
  return [all.filter(({ data }) => data.seq).map(({ data }) => `${data.seq} ${data.text}`), all.at(-1).name];
}

const all = (log, above = 0) => log.events.slice(above).map(({ seq, text }) => `${seq} ${text}`);

/** What the cache was asked, in short. What is kept is kept beside the stream, so the order is not told. */
const said = () => cache.said.map((line) => line.split(" ")[0]).toSorted();

/** Waits for what is done beside the answer, whose end does not wait for it; the limit of the test ends that. */
async function until(done) {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** The pages that are kept of a session. */
const keysOf = (session) => [...cache.kept.keys()].filter((key) => key.includes(session)).toSorted();

describe("tidemark/edge", () => {
  let worker;
  before(async () => (worker = await serveWorker(ours)));
  after(() => worker?.stop());

  // Without a generation only the event itself can show where the stream behind the pages belongs, so it is asked for again; and
  // what stood at a consumer's cursor only the consumer knows, so no page is safe behind it.
  for (const { generation, fence, behind, hits } of [{ fence: "", behind: 7, hits: [] }, { generation: 7, fence: "@7", behind: 8, hits: ["hit"] }]) {
    test(`what is old comes from pages, which the server is asked for once; generation ${generation}`, bound, async () => {
      const log = logOf(`pages-${generation}`, "x", { generation });
      const connections = serveLog(upstream, log.session, () => log);
      const first = await follow(worker, log.session);
      assert.deepEqual(told(first), [all(log), "tidemark.end"]);
      assert.deepEqual(connections.map(asked).map((each) => each.replace("@7", "")), ["events -", "log -", `log ${log.session}:3`, `events ${log.session}:${behind}`]);
      await until(() => said().length === 4);
      assert.deepEqual(said(), ["miss", "miss", "put", "put"]);

      cache.said = [];
      const second = await follow(worker, log.session);
      assert.equal(second.text, first.text);
      assert.deepEqual(said(), ["hit", "hit"]);
      assert.equal(connections.filter(({ path }) => path.endsWith("/log")).length, 2, "no page more");

      cache.said = [];
      assert.deepEqual(told(await follow(worker, log.session, `?cursor=${log.session}:6${fence}`)), [all(log, 6), "tidemark.end"]);
      assert.deepEqual(said(), hits);
    });
  }

  test("a page of a log that was lost is refused where the stream does not connect to it, and used no more", bound, async () => {
    let log = logOf("lost", "old");
    serveLog(upstream, log.session, () => log);
    await follow(worker, log.session);
    log = logOf("lost", "new");
    cache.said = [];
    const got = await follow(worker, log.session);
    await until(() => keysOf("lost").length === 0);
    assert.deepEqual([...new Set(said())], ["hit", "purge"]);
    assert.deepEqual(told(got), [Array.from({ length: 2 * PAGE }, (_, i) => `${i + 1} old`), "tidemark.refused"]);
    const { reason, detail } = frames(got.text).at(-1).data;
    assert.deepEqual({ reason, detail }, { reason: "generation_changed", detail: "history_changed" });
    assert.deepEqual(told(await follow(worker, log.session)), [all(log), "tidemark.end"]);
  });

  test("a page of another log than the page before is refused", bound, async () => {
    let log = logOf("halves", "old");
    serveLog(upstream, log.session, () => log);
    await follow(worker, log.session);
    const [, second] = keysOf("halves");
    cache.kept.delete(second);
    log = logOf("halves", "new");
    const got = await follow(worker, log.session);
    assert.deepEqual(told(got), [Array.from({ length: PAGE }, (_, i) => `${i + 1} old`), "tidemark.refused"]);
    assert.equal(frames(got.text).at(-1).data.detail, "history_changed");
    await until(() => keysOf("halves").length === 0);
  });

  test("a page of an earlier generation is not found", bound, async () => {
    let log = logOf("fenced", "old", { generation: 1 });
    serveLog(upstream, log.session, () => log);
    await follow(worker, log.session);
    log = logOf("fenced", "new", { generation: 2 });
    cache.said = [];
    assert.deepEqual(told(await follow(worker, log.session)), [all(log), "tidemark.end"]);
    await until(() => said().length === 4);
    assert.deepEqual(said(), ["miss", "miss", "put", "put"]);
  });

  test("a page that is damaged is asked for anew", bound, async () => {
    const log = logOf("damaged", "x");
    serveLog(upstream, log.session, () => log);
    await follow(worker, log.session);
    for (const key of keysOf("damaged")) cache.kept.set(key, { ...cache.kept.get(key), body: Buffer.from("<p>") });
    assert.deepEqual(told(await follow(worker, log.session)), [all(log), "tidemark.end"]);
    assert.deepEqual(keysOf("damaged").map((key) => JSON.parse(cache.kept.get(key).body).events.length), [PAGE, PAGE + 1]);
  });

  test("whom the server turns down gets no page", bound, async () => {
    const log = logOf("secret", "x");
    serveLog(upstream, log.session, () => log);
    await follow(worker, log.session);
    cache.said = [];
    upstream.serve(log.session, plain(403, {}));
    assert.equal((await follow(worker, log.session)).status, 403);
    assert.deepEqual(said(), []);
  });
});

// The one test of all this that has to fail: the same, with the proof of the event between pages and stream left out.
test("without the check the two logs are spliced", bound, async () => {
  const unchecked = relayWithout("pkg/relay/history.go", "if proof.IsSet() {", "if false {");
  const worker = await serveWorker({ ...ours, modules: ours.modules.map((module) => (module.wasm ? { ...module, wasm: unchecked } : module)) });
  try {
    let log = logOf("spliced", "old");
    serveLog(upstream, log.session, () => log);
    await follow(worker, log.session);
    log = logOf("spliced", "new");
    const [events, ending] = told(await follow(worker, log.session));
    assert.deepEqual(events, [...Array.from({ length: 2 * PAGE }, (_, i) => `${i + 1} old`), "9 new", "10 new"]);
    assert.equal(ending, "tidemark.end");
  } finally {
    await worker.stop();
  }
});
