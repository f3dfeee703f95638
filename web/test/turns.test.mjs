// A long replay that has come already must not keep everybody else waiting.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../dist/index.js";
import { serving, stream } from "./support/fetch.mjs";

const head = { sessionId: "s", lastSeq: 40, generation: 1, verdict: "replayed", from: 1 };
const events = Array.from({ length: 40 }, (_, i) => `id: s:${i + 1}@1\ndata: ${JSON.stringify({ type: "t", sessionId: "s", seq: i + 1, generation: 1 })}\n\n`);

/** How many other tasks ran between the first event and the last, when each look at the clock finds it so much later. */
async function tasksBetween(t, ms) {
  let now = 1_000_000;
  t.mock.method(performance, "now", () => (now += ms));
  const { fetch } = serving(stream(`event: tidemark.head\ndata: ${JSON.stringify(head)}\n\n`, ...events));
  let tasks = 0;
  let going = true;
  const task = () => going && (tasks++, setImmediate(task));
  for await (const { kind, seq } of open("https://log.example/sessions/s/events", { fetch })) {
    if (kind === "event" && seq === 1) setImmediate(task);
    if (kind === "event" && seq === 40) break;
  }
  going = false;
  return tasks;
}

test("a replay that takes long lets other tasks come in between", async (t) => {
  assert.ok((await tasksBetween(t, 10)) > 10);
});

test("one that does not is not held up", async (t) => {
  assert.equal(await tasksBetween(t, 0), 0);
});
