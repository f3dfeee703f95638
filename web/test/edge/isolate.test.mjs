// What the streams of one isolate share, and that they do not notice it: one instance of the module, which can stop.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, breakOff } from "./support/consumer.mjs";
import { draft, event, events, frames, head, live } from "./support/frames.mjs";
import { LEFT, SENT, Upstream } from "./support/upstream.mjs";
import { serveWorker } from "./support/workerd.mjs";
import { tidemark } from "./support/workers.mjs";

const bound = { timeout: 60_000 };
let upstream, worker;
before(async () => {
  upstream = await Upstream.start();
  worker = await serveWorker(await tidemark(upstream.url));
});
after(async () => {
  await worker?.stop();
  await upstream?.stop();
});

const follow = (session, options) =>
  ask(`${worker.url}/v1/sessions/${session}/events`, options && { headers: { "x-options": JSON.stringify(options) } });

async function told(route) {
  const got = await ask(`${worker.url}/${route}`);
  await got.whole;
  return JSON.parse(got.text);
}

/** Everybody waits until `count` have come. */
function barrier(count) {
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  return () => (--count === 0 && open(), opened);
}

/** A stream in halves, whose second one is sent when `meet` lets it. */
function halves(meet, ...chunks) {
  return async (connection) => {
    connection.open();
    for (const [i, chunk] of chunks.entries()) {
      if (i === chunks.length >> 1) await meet();
      await connection.send(chunk);
    }
    connection.end();
  };
}

/** The n-th stream is of its own length, and cut at places of its own. */
function streamOf(session, n) {
  const last = 5 + (n % 40);
  const all = Buffer.from([head(session, last), ...events(session, 1, last).map((text) => draft(session) + text), live(session, last)].join(""));
  const size = 50 + 13 * n;
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.subarray(i * size, (i + 1) * size));
}

test("200 streams at once, each to the byte, and nothing is kept of them", bound, async () => {
  const meet = barrier(200);
  await Promise.all(Array.from({ length: 200 }, async (_, n) => {
    const session = `many-${n}`;
    const chunks = streamOf(session, n);
    upstream.serve(session, halves(meet, ...chunks));
    const got = await follow(session);
    assert.equal(await got.whole, true, session);
    assert.ok(got.bytes.equals(Buffer.concat(chunks)), session);
  }));
  assert.equal(await told("handles"), 0);
});

test("200 streams at once whose consumers leave", bound, async () => {
  const meet = barrier(201);
  const left = await Promise.all(Array.from({ length: 200 }, async (_, n) => {
    const session = `left-${n}`;
    const connections = upstream.serve(session, async (connection) => (connection.open(), connection.send(head(session, 0))));
    const got = await follow(session);
    await got.reached(1);
    if (n === 0) assert.ok((await told("handles")) > 0);
    await (n === 199 ? (meet(), meet()) : meet());
    got.leave();
    return connections[0].ended;
  }));
  assert.deepEqual(new Set(left), new Set([LEFT]));
  while ((await told("handles")) > 0) await new Promise(setImmediate);
});

test("nothing is kept of consumers that leave before the server has answered", bound, async () => {
  const connections = upstream.serve("early", () => {});
  const all = Array.from({ length: 20 }, () => {
    let asking;
    return { lost: assert.rejects(ask(`${worker.url}/v1/sessions/early/events`, { asking: (request) => (asking = request) })), leave: () => breakOff(asking) };
  });
  while (connections.length < all.length) await new Promise(setImmediate);
  for (const { leave } of all) leave();
  await Promise.all(all.map(({ lost }) => lost));
  assert.deepEqual(new Set(await Promise.all(connections.map(({ ended }) => ended))), new Set([LEFT]));
  while ((await told("handles")) > 0) await new Promise(setImmediate);
});

test("R-428: the module stops over the bytes of one stream: that one breaks off, all others go on as if nothing had been", bound, async () => {
  const half = barrier(21);
  const all = half();
  let stop;
  const hasStopped = new Promise((resolve) => (stop = resolve));
  const meet = () => (half(), hasStopped);
  const others = Promise.all(Array.from({ length: 20 }, async (_, n) => {
    const session = `on-${n}`;
    const chunks = streamOf(session, n);
    upstream.serve(session, halves(meet, ...chunks));
    const got = await follow(session);
    assert.equal(await got.whole, true, session);
    assert.equal(got.text, String(Buffer.concat(chunks)), session);
  }));
  const stopped = upstream.serve("stops", async (connection) => {
    connection.open();
    await connection.send(head("stops", 3) + event("stops", 1));
    await all;
    await connection.send(event("stops", 2, { text: "trap here" }));
    stop(await connection.ended);
  });
  const got = await follow("stops");
  assert.equal(await got.whole, false);
  assert.equal(got.text, head("stops", 3) + event("stops", 1));
  assert.equal(await stopped[0].ended, LEFT);
  await others;
});

test("R-428: after the module has stopped the others are judged from where they stood", bound, async () => {
  const meet = barrier(2);
  upstream.serve("judged", halves(meet, head("judged", 9), event("judged", 1), event("judged", 2), event("judged", 2), event("judged", 4), event("judged", 5)));
  upstream.serve("stops-too", async (connection) => {
    connection.open();
    await connection.send(event("stops-too", 1, { text: "trap here" }));
    await connection.ended;
    await meet();
  });
  const judged = await follow("judged");
  await judged.reached(Buffer.byteLength(head("judged", 9) + event("judged", 1) + event("judged", 2)));
  assert.equal(await (await follow("stops-too")).whole, false);
  assert.equal(await judged.whole, true);
  const parts = frames(judged.text);
  assert.deepEqual(parts.map(({ name, data }) => name ?? data.seq), ["tidemark.head", 1, 2, "tidemark.refused"]);
  assert.deepEqual({ ...parts.at(-1).data, evidence: undefined }, { sessionId: "judged", reason: "gap", detail: "hole", evidence: undefined });
});

test("R-427: only watching passes everything, and tells what would have been refused", bound, async () => {
  const text = [head("seen", 4), event("seen", 1), event("seen", 1), event("seen", 4), `data: {"seq":\n\n`, live("seen", 4)].join("");
  const connections = upstream.serve("seen", async (connection) => (connection.open(), await connection.send(text), connection.end()));
  const got = await follow("seen", { mode: "observe", tells: true });
  assert.equal(await got.whole, true);
  assert.equal(got.text, text);
  assert.equal(await connections[0].ended, SENT);
  const refusals = (await told("verdicts")).flatMap(({ verdict, reason, detail }) => (verdict === "refuse" || reason ? [`${reason} ${detail}`] : []));
  assert.deepEqual(refusals, ["gap hole", "gap bad_event"]);
});

test("R-427: the limit of a frame can be set", bound, async () => {
  const connections = upstream.serve("narrow", async (connection) => (connection.open(), connection.send(event("narrow", 1, { text: "x".repeat(300) }))));
  const got = await follow("narrow", { maxFrame: 200 });
  assert.equal(await got.whole, true);
  assert.deepEqual(frames(got.text).map(({ name, data }) => [name, data.code]), [["tidemark.fault", "stream.frame_too_large"]]);
  assert.equal(await connections[0].ended, LEFT);
});

test("options that nobody can follow are the worker's own mistake, and reach no server", bound, async () => {
  const connections = upstream.serve("wrong", () => assert.fail("asked"));
  const got = await follow("wrong", { mode: "strict" });
  await got.whole;
  assert.equal(got.status, 500);
  assert.equal(connections.length, 0);
});
