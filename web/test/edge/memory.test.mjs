// Cursors in Durable Objects of a real workerd: a consumer that keeps none goes on where the worker has left it.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ask } from "./support/consumer.mjs";
import { events, frames, head, live } from "./support/frames.mjs";
import { asked, logOf, serveLog } from "./support/logs.mjs";
import { held, LEFT, stream, Upstream } from "./support/upstream.mjs";
import { serveWorker } from "./support/workerd.mjs";
import { tidemark } from "./support/workers.mjs";

const bound = { timeout: 60_000 };
const storage = mkdtempSync(join(tmpdir(), "cursors-"));
let upstream, worker;

const start = async () =>
  serveWorker({ ...(await tidemark(upstream.url)), storage });

before(async () => {
  upstream = await Upstream.start();
  worker = await start();
});
after(async () => {
  await worker?.stop();
  await upstream?.stop();
  rmSync(storage, { recursive: true, force: true });
});

const follow = (session, memory, query = "", options = {}) =>
  ask(`${worker.url}/v1/sessions/${session}/events${query}`, { headers: { "x-options": JSON.stringify({ memory, ...options }) } });

async function seqs(got) {
  assert.equal(await got.whole, true);
  return frames(got.text).filter(({ data }) => data.seq).map(({ data }) => data.seq);
}

test("who names no cursor goes on where it was left, in a worker that was started anew, too", bound, async () => {
  const log = logOf("kept", "x", { count: 4 });
  const connections = serveLog(upstream, log.session, () => log);
  assert.deepEqual(await seqs(await follow(log.session, "ann")), [1, 2, 3, 4]);
  log.append("y");
  assert.deepEqual(await seqs(await follow(log.session, "ann")), [5]);
  assert.deepEqual(await seqs(await follow(log.session, "ben")), [1, 2, 3, 4, 5], "somebody else begins at the beginning");
  await worker.stop();
  worker = await start();
  log.append("z");
  assert.deepEqual(await seqs(await follow(log.session, "ann")), [6]);
  assert.deepEqual(connections.map(asked), ["events -", "events kept:4", "events -", "events kept:5"]);
});

test("a cursor that is named wins, and does not move what is remembered back", bound, async () => {
  const log = logOf("named", "x", { count: 4 });
  const connections = serveLog(upstream, log.session, () => log);
  await seqs(await follow(log.session, "named"));
  assert.deepEqual(await seqs(await follow(log.session, "named", `?cursor=${log.session}:1`)), [2, 3, 4]);
  assert.deepEqual(await seqs(await follow(log.session, "named")), []);
  assert.deepEqual(connections.map(asked), ["events -", "events named:1", "events named:4"]);
});

test("who starts anew is remembered from there", bound, async () => {
  const log = logOf("anew", "x", { count: 4 });
  serveLog(upstream, log.session, () => log);
  await seqs(await follow(log.session, "anew"));
  log.events.length = 2;
  assert.deepEqual(await seqs(await follow(log.session, "anew", "?from=beginning")), [1, 2]);
  log.append();
  assert.deepEqual(await seqs(await follow(log.session, "anew")), [3]);
});

test("a log that was lost is refused to who remembers nothing itself", bound, async () => {
  let log = logOf("gone", "x", { count: 4, generation: 1 });
  serveLog(upstream, log.session, () => log);
  await seqs(await follow(log.session, "gone"));
  log = logOf("gone", "y", { count: 9, generation: 2 });
  const got = await follow(log.session, "gone");
  assert.deepEqual(await seqs(got), []);
  assert.equal(frames(got.text).find(({ name }) => name === "tidemark.refused").data.reason, "generation_changed");
});

test("what was passed on before the consumer was gone is remembered", bound, async () => {
  const text = [head("broken", 9), ...events("broken", 1, 3)].join("");
  const connections = upstream.serve("broken", held(text), stream(head("broken", 3), live("broken", 3)));
  const got = await follow("broken", "broken", "", { late: true });
  await got.reached(Buffer.byteLength(text));
  got.leave();
  assert.equal(await connections[0].ended, LEFT);
  do await (await follow("broken", "broken")).whole;
  while (asked(connections.at(-1)) !== "events broken:3"); // what is saved is saved behind the consumer's back
});
