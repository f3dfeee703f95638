// What tidemark/inspector makes of values that no call can take: a fault that names them, and never the end of the module.
import assert from "node:assert/strict";
import { test } from "node:test";
import { foldContext, init, inspect, listDurable, TidemarkError, verifyCheckpoint } from "../dist/inspector/index.js";
import { full } from "../dist/inspector/module.js";

await init();
const log = '{"v":1,"type":"session_started","sessionId":"s1","seq":1,"gen":1,"ts":"2026-01-01T00:00:01.000Z"}';
const run = (more) => ({ tenantId: "t", projectId: "p", sessionId: "s", runId: "a", checkpoints: [{ id: "c", createdAt: 1 }], ...more });
const park = (more) => run({ parks: [{ decisionId: "d", checkpointId: "c", request: {}, parkedAt: 1, ...more }] });
const walk = async (...args) => {
  for await (const _ of listDurable(...args));
};
const trap = () => {
  throw new Error("trap");
};
const throwing = new Proxy({}, { get: trap });

/** Each call is refused under one of the ids, by the module that was there before. */
async function refused(calls, ids = ["stream.bad_input", "stream.invalid_options"]) {
  const module = await full.ready();
  for (const [name, call] of calls) {
    await assert.rejects(async () => call(), (error) => error instanceof TidemarkError && ids.includes(error.id) || assert.fail(`${name}: ${error}`), name);
  }
  assert.equal(await full.ready(), module, "the module lives");
}

test("a BigInt where the module reads an object is refused", () => refused([
  ...["tenantId", "projectId", "sessionId", "runId", "parentRunId"].map((name) => [name, () => walk([run({ [name]: 1n })], { tenantId: "t" })]),
  ...["decisionId", "checkpointId", "parkedAt", "deadlineAt", "resolvedAt"].map((name) => [name, () => walk([park({ [name]: 1n })], { tenantId: "t" })]),
  ...["limit", "page", "now"].map((name) => [name, () => walk([run()], { tenantId: "t" }, { [name]: 1n })]),
  ["park", () => walk([run()], { tenantId: "t" }, { park: [1n] })],
  ["scope", () => walk([run()], { tenantId: 1n })],
  ["checkpoint", () => walk([run({ checkpoints: [{ id: "c", createdAt: 1n }] })], { tenantId: "t" })],
]));

test("a clock that is no number does not reach the module", () => refused(
  [1n, Symbol("now"), Object.create(null), throwing, NaN, "1", new Date(), {}].map((now) => [typeof now, () => inspect(log, { now })]), ["stream.invalid_options"],
));

test("options of another kind are refused before the log is touched", async () => {
  let touched = false;
  const untouched = { [Symbol.asyncIterator]: () => ((touched = true), { next: trap }) };
  await refused([5, true, {}, "x", 1n, throwing].flatMap((value) => [
    ["signal", () => inspect(untouched, { signal: value })], ["onProgress", () => inspect(untouched, { onProgress: value })],
    ["signal", () => verifyCheckpoint("{}", untouched, { signal: value })], ["spill", () => foldContext(untouched, 1, { spill: value })],
    ["signal", () => walk([], { tenantId: "t" }, { signal: value })],
    ["fetch", () => walk({ url: "http://x.invalid", fetch: value }, { tenantId: "t" })],
  ]), ["stream.invalid_options"]);
  await refused([["options", () => inspect(untouched, Object.defineProperty({}, "onProgress", { get: trap }))]]);
  await refused([5, {}, "expired", 1n, throwing].map((value) => ["park", () => walk([run()], { tenantId: "t" }, { park: value })]));
  assert.equal(touched, false);
});

test("bytes that were handed to another thread are no empty log", async () => {
  const gone = () => {
    const bytes = new Uint8Array(8);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    return bytes;
  };
  await refused([
    ["view", () => inspect(gone())], ["buffer", () => inspect(gone().buffer)],
    ["piece", () => inspect((async function* () { yield gone(); })())],
    ["document", () => verifyCheckpoint(gone(), log)], ["written", () => verifyCheckpoint("{}", log, { written: gone() })],
  ], ["stream.invalid_options"]);
  for (const nothing of ["", new Uint8Array(), new ArrayBuffer(0)]) assert.equal((await inspect(nothing)).records, 0);
});

test("a source that throws when it is looked at, or that somebody else reads", async () => {
  const read = new Blob([log]).stream();
  read.getReader();
  await refused([["throwing", () => inspect(throwing)], ["locked", () => inspect(read)], ["list", () => walk(Object.defineProperty([run()], 0, { get: trap }), { tenantId: "t" })]]);
});

test("a server of runs that cannot be asked, or answers something else", async () => {
  const source = (more) => ({ url: "http://x.invalid", fetch: async () => Response.json({ entries: [] }), ...more });
  await refused([
    ...[5, {}, "/relative", null, throwing].map((url) => ["url", () => walk(source({ url }), { tenantId: "t" })]),
    ...[5, "x", [5], { "a b": "c" }, throwing].map((headers) => ["headers", () => walk(source({ headers }), { tenantId: "t" })]),
    ...[null, undefined, 5, {}, [], "x"].map((answer) => ["answer", () => walk(source({ fetch: async () => answer }), { tenantId: "t" })]),
  ], ["stream.invalid_options"]);
  const offline = source({ fetch: () => Promise.reject(new TypeError("offline")) });
  await assert.rejects(walk(offline, { tenantId: "t" }), (error) => error.id === "stream.source_failed" && error.cause.message === "offline");
  const stop = new AbortController();
  const reason = new Error("enough");
  const slow = source({ fetch: (_, { signal }) => new Promise((_, fail) => (signal.addEventListener("abort", () => fail(signal.reason)), stop.abort(reason))) });
  await assert.rejects(walk(slow, { tenantId: "t" }, { signal: stop.signal }), reason);
  const seen = [];
  await walk(source({ headers: { "x-key": "k" }, fetch: async (_, { headers }) => (seen.push([...new Headers(headers)]), Response.json({ entries: [] })) }), { tenantId: "t" });
  assert.deepEqual(seen, [[["accept", "application/json"], ["x-key", "k"]]]);
});

test("listings that are left without a word do not stay in the module, and go on all the same", async (t) => {
  const module = await full.ready();
  const closed = t.mock.method(module, "closeRuns").mock;
  const runs = [run(), run({ runId: "b" })];
  const left = [];
  for (let i = 0; i < 40; i++) {
    left.push(listDurable(runs, { tenantId: "t" }, { limit: 1 }));
    assert.equal((await left[i].next()).value.entries[0].runId, "a");
  }
  assert.equal(closed.callCount(), 24, "sixteen are kept");
  runs[1] = run({ runId: "c" });
  assert.deepEqual((await left[0].next()).value.entries.map(({ runId }) => runId), ["b"], "the runs that were handed over");
  for (const each of left) await each.return();
  assert.equal(closed.callCount(), 41, "and each is closed as often as it was opened");
});
