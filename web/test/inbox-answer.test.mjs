// from a page: what becomes of an answer, and what is said when nobody knows.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { AnswerError, inbox } from "../dist/inbox.js";
import { ANSWER_FAILED } from "../dist/inbox-outcome.js";
import { init, open, TidemarkError } from "../dist/index.js";
import { turns, withoutJitter, withTime } from "./support/fetch.mjs";
import { Parks, problem, Server, START } from "./support/parks.mjs";

const ADDRESS = "http://tidemark.invalid/v1/sessions/s1/events?access_token=x#y";
const APPROVE = { action: "approve_plan", feedback: "é" };
const REJECT = { action: "reject_plan", feedback: "no" };
await init();

async function tab(t, server, { box: boxed, ...options } = {}) {
  const box = inbox(open(ADDRESS, { fetch: server.fetch, ...options }), { now: () => START + 5000, ...boxed });
  box.run().catch(() => {});
  t.after(() => box.close());
  await turns();
  return box;
}

function asked(deadline) {
  const log = new Parks();
  log.ask("a", 1, deadline);
  return { log, server: new Server(log) };
}

const states = (box) => box.rows().map(({ state }) => state).join();

test("an answer goes to its question, with the place where it was read", async (t) => {
  const { server } = asked();
  const box = await tab(t, server);
  const [row] = box.rows();
  assert.deepEqual(await box.answer(row, APPROVE), { outcome: "answered", yours: true, decision: APPROVE, resolvedBy: { kind: "user" }, seq: 2 });
  const [{ url, seq, generation, decision, headers }] = server.posts;
  assert.deepEqual({ url, seq, generation, decision }, { url: "http://tidemark.invalid/v1/sessions/s1/decisions/a", seq: 1, generation: "7", decision: APPROVE });
  assert.equal(headers.get("content-type"), "application/json");
  assert.doesNotMatch(headers.get("accept"), /event-stream/);
  await turns();
  assert.equal(states(box), "answered");
});

test("two tabs that answer at once: the first one counts, and both are told which", async (t) => {
  const { server } = asked();
  const tabs = [await tab(t, server), await tab(t, server)];
  const outcomes = await Promise.all([tabs[0].answer(tabs[0].rows()[0], APPROVE), tabs[1].answer(tabs[1].rows()[0], REJECT)]);
  assert.deepEqual(outcomes.map(({ outcome, yours, decision }) => [outcome, yours, decision]), [["answered", true, APPROVE], ["answered", false, APPROVE]]);
  await turns();
  for (const box of tabs) assert.deepEqual([states(box), box.rows()[0].decision], ["answered", APPROVE]);
});

test("after an outcome the card is no live one, even before the stream says so", async (t) => {
  const { log, server } = asked();
  const box = await tab(t, server);
  const [row] = box.rows();
  server.next.POST.push(() => problem(409, "durable.decision_answered", { first: { decision: REJECT, seq: 2, resolvedAt: START } }));
  assert.deepEqual(await box.answer(row, APPROVE), { outcome: "answered", yours: false, decision: REJECT, seq: 2, resolvedAt: START });
  assert.deepEqual([states(box), box.rows()[0].was, box.sessions()[0].pending], ["unknown", "pending", 0]);
  server.record(log, log.settle("a", REJECT));
  await turns();
  assert.equal(states(box), "answered");
  server.record(log, log.ask("a"));
  await turns();
  assert.equal(states(box), "pending", "asked anew, it is another question");
});

test("an outcome that comes before its row: the row is no live card when it is read", async (t) => {
  const log = new Parks();
  const server = new Server(log);
  const box = await tab(t, server);
  for (const decisionId of ["a", "b"]) {
    server.next.POST.push(() => problem(409, "durable.decision_answered", { first: { decision: REJECT } }));
    await box.answer({ session: "s1", decisionId, seq: 1, generation: "7" }, APPROVE);
    assert.equal(states(box), "", "looked at meanwhile");
  }
  server.record(log, log.ask("a"));
  await turns();
  assert.deepEqual([states(box), box.rows()[0].was, box.sessions()[0].pending], ["unknown", "pending", 0]);
  server.record(log, log.ask("b"));
  await turns();
  assert.equal(states(box), "unknown,pending", "that outcome was of a question at another place");
  server.record(log, log.settle("a", REJECT));
  await turns();
  assert.equal(states(box), "answered,pending");
});

test("outcomes of rows that never come are not kept without end, those of rows that wait are", async (t) => {
  const { log, server } = asked();
  const box = await tab(t, server);
  const outcome = (decisionId, seq) => {
    server.next.POST.push(() => problem(410, "durable.decision_expired"));
    return box.answer({ session: "s1", decisionId, seq, generation: "7" }, APPROVE);
  };
  await outcome("a", 1);
  await outcome("old", 2);
  for (let seq = 3; seq < 1002; seq++) await outcome("new", seq);
  assert.equal(states(box), "unknown");
  server.record(log, log.ask("old"));
  server.record(log, log.ask("new"));
  await turns();
  assert.equal(states(box), "unknown,pending,unknown");
});

test("an expiry that was recorded first, a question that nobody asked, and one that stands elsewhere", async (t) => {
  const { log, server } = asked(10);
  const box = await tab(t, server);
  const [row] = box.rows();
  log.expire("a");
  assert.deepEqual(await box.answer(row, APPROVE), { outcome: "expired", decision: { action: "pause" }, seq: 2, resolvedAt: START + 11_000 });
  assert.deepEqual(await box.answer({ ...row, decisionId: "of nobody" }, APPROVE), { outcome: "unknown" });
  log.ask("a");
  assert.deepEqual(await box.answer(row, APPROVE), { outcome: "stale" });
  assert.equal(server.posts.at(-2).url, "http://tidemark.invalid/v1/sessions/s1/decisions/of%20nobody");
});

test("a deadline that is past refuses nothing", async (t) => {
  const { server } = asked(4);
  const box = await tab(t, server);
  assert.equal(states(box), "expired");
  assert.equal((await box.answer(box.rows()[0], APPROVE)).yours, true);
});

test("an answer while the stream is refused: the server says that the log is another one", async (t) => {
  withTime(t);
  withoutJitter(t);
  const { log, server } = asked();
  const box = await tab(t, server);
  const [row] = box.rows();
  log.generation = 8;
  server.cut();
  await turns();
  t.mock.timers.tick(1000);
  await turns();
  assert.deepEqual(box.sessions(), [{ session: "s1", known: false, why: "refused", pending: 0 }]);
  assert.deepEqual(await box.answer(row, APPROVE), { outcome: "stale" });
  assert.equal(states(box), "unknown");
});

test("a server that restarts in between: nobody knows, and sending again is safe", async (t) => {
  withTime(t);
  withoutJitter(t);
  const { log, server } = asked();
  const box = await tab(t, server);
  const [row] = box.rows();
  server.next.POST.push(async () => {
    log.settle("a", { feedback: "é", action: "approve_plan" }); // recorded, and then it goes down
    server.cut();
    return new TypeError("fetch failed");
  });
  await assert.rejects(box.answer(row, APPROVE), (error) => {
    assert.ok(error instanceof AnswerError && error instanceof TidemarkError);
    assert.deepEqual([error.id, error.recorded, error.retryable, error.cause.message], ["durable.answer_failed", "maybe", true, "fetch failed"]);
    return true;
  });
  assert.equal(states(box), "unknown", "the connection is gone as well");
  const again = await box.answer(row, APPROVE);
  assert.deepEqual([again.outcome, again.yours], ["answered", true], "it is the answer that was sent before");
  t.mock.timers.tick(1000);
  await turns();
  assert.equal(states(box), "answered");
});

test("what goes wrong says whether the answer may have been recorded", async (t) => {
  const { server } = asked();
  const box = await tab(t, server);
  const [row] = box.rows();
  const over = AbortSignal.abort(new Error("gone"));
  const late = new AbortController();
  for (const [meets, id, recorded, retryable, signal] of [
    [() => problem(400, "durable.bad_decision", { code: "invalid_config" }), "durable.bad_decision", "no", false],
    [() => problem(503, "durable.not_the_writer"), "durable.not_the_writer", "no", true],
    [() => problem(501, "durable.read_only"), "durable.read_only", "no", false],
    [() => problem(500, "stream.internal", { retryable: false }), "stream.internal", "maybe", false],
    [() => problem(409, "durable.other", { retryable: true }), "durable.other", "no", true],
    [() => new Response(null, { status: 302, headers: { location: "/login" } }), "durable.answer_failed", "maybe", false],
    [() => ({ status: 0, type: "opaqueredirect", headers: new Headers(), body: null }), "durable.answer_failed", "maybe", false],
    [() => new Response(`{"decision":"${"x".repeat(1 << 20)}"}`), "durable.answer_failed", "maybe", true],
    [() => problem(500, "stream.internal"), "stream.internal", "maybe", true],
    [() => new Response("<p>", { status: 502 }), "durable.answer_failed", "maybe", true],
    [() => new Response("<p>", { status: 404 }), "durable.answer_failed", "no", false],
    [() => new Response("{}", { status: 413 }), "durable.answer_failed", "no", false],
    [() => new Response("{"), "durable.answer_failed", "maybe", true],
    ...["null", "7", "[]", '"decision"'].map((body) => [() => new Response(body), "durable.answer_failed", "maybe", true]),
    [() => problem(400, "durable.bad_decision", { code: "invalid_config", type: 7, hint: null, expected: [] }), "durable.bad_decision", "no", false],
    [() => problem(501, "durable.cannot_list"), "durable.cannot_list", "maybe", false],
    [() => problem(400, "durable.bad_decision", { title: 7 }), "durable.answer_failed", "no", false],
    [() => new Response(null, { status: 401 }), "stream.unauthorized", "no", false],
    [() => new TypeError("no network"), "durable.answer_failed", "maybe", true],
    [() => (late.abort(), late.signal.reason), "durable.answer_failed", "maybe", true, late.signal],
    [undefined, "durable.answer_failed", "no", false, over],
  ]) {
    if (meets) server.next.POST.push(meets);
    await assert.rejects(box.answer(row, APPROVE, { signal }), (error) => {
      assert.deepEqual([error.id, error.recorded, error.retryable], [id, recorded, retryable], String(meets));
      assert.doesNotMatch(`${error.message}${JSON.stringify(error)}`, /approve_plan|é/, "no payload");
      return true;
    });
  }
  assert.equal(server.posts.length, 0);
  assert.equal(states(box), "pending", "nothing was said about it");
});

//
test("a fault has a code of the catalog and its own name, whatever the server says", async (t) => {
  const { server } = asked();
  const box = await tab(t, server);
  for (const [members, code] of [
    [{ code: "durable.bad_decision", class: "invalid_config" }, "invalid_config"],
    [{ code: "not_found" }, "not_found"],
    [{ code: "durable.bad_decision" }, "unknown"],
    [{ code: "durable.bad_decision", class: "toString" }, "unknown"],
  ]) {
    server.next.POST.push(() => problem(400, "durable.bad_decision", members));
    await assert.rejects(box.answer(box.rows()[0], APPROVE), { name: "AnswerError", id: "durable.bad_decision", code });
  }
});

test("an answer follows no redirect, and reads no body without end", async (t) => {
  const { server } = asked();
  const box = await tab(t, server);
  let left = false;
  server.next.POST.push((_, { redirect }) => {
    assert.equal(redirect, "manual");
    return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1 << 16)), cancel: () => (left = true) }));
  });
  await assert.rejects(box.answer(box.rows()[0], APPROVE), (error) => error.recorded === "maybe" && error.cause instanceof RangeError);
  assert.ok(left);
});

test("what cannot be sent is not", async (t) => {
  const { server } = asked();
  const box = await tab(t, server);
  const [row] = box.rows();
  const loop = {};
  loop.loop = loop;
  for (const decision of [undefined, null, "approve", 1, [], () => {}, loop]) await assert.rejects(box.answer(row, decision), { id: "stream.bad_input" });
  await assert.rejects(box.answer({ ...row, decisionId: ".." }, APPROVE), { id: "stream.bad_input" });
  for (const no of [undefined, null, "a", {}, { ...row, session: 1 }, { ...row, seq: "5" }, { ...row, seq: NaN }, { ...row, generation: 7 }]) {
    await assert.rejects(box.answer(no, APPROVE), { id: "stream.bad_input", expected: /^row: / });
  }
  const lost = await tab(t, server, { box: { answerAt: () => "http://[" } });
  await assert.rejects(lost.answer(row, APPROVE), { id: "stream.invalid_options", expected: /answerAt/ });
  const far = inbox(open("http://x.invalid/stream", { session: "s1", fetch: server.fetch }));
  t.after(() => far.close());
  await assert.rejects(far.answer(row, APPROVE), { id: "stream.invalid_options", expected: /answerAt/ });
  assert.equal(server.posts.length, 0);
});

test("addresses, headers and credentials: as the stream has them, or the inbox's own", async (t) => {
  const { server } = asked();
  const sent = [];
  const note = (address, { headers, credentials }) => void sent.push([address, new Headers(headers).get("x-key"), credentials]);
  server.next.POST.push(note, note);
  const box = await tab(t, server, { headers: { "x-key": "stream" }, credentials: "include" });
  await box.answer(box.rows()[0], APPROVE);
  const own = await tab(t, server, { box: { headers: { "x-key": "inbox" }, credentials: "omit", answerAt: ({ session, decisionId }) => `/api/sessions/${session}/decisions/${decisionId}` } });
  await own.answer(own.rows()[0], APPROVE);
  assert.deepEqual(sent, [
    ["http://tidemark.invalid/v1/sessions/s1/decisions/a", "stream", "include"],
    ["http://tidemark.invalid/api/sessions/s1/decisions/a", "inbox", "omit"],
  ]);
});

test("a function of headers is asked once more when they are not taken", async (t) => {
  const { server } = asked();
  const requests = [];
  const headers = (request) => (requests.push(request), {});
  const box = await tab(t, server, { box: { headers } });
  server.next.POST.push(() => new Response(null, { status: 401 }));
  assert.equal((await box.answer(box.rows()[0], APPROVE)).yours, true);
  const url = "http://tidemark.invalid/v1/sessions/s1/decisions/a";
  assert.deepEqual(requests, [{ url, attempt: 1 }, { url, attempt: 2, status: 401 }]);
});

test("the fault of the inbox has the words of the catalog", () => {
  const catalog = JSON.parse(readFileSync(new URL("../dist/catalog.json", import.meta.url), "utf8"));
  const row = Object.values(catalog).filter(Array.isArray).flat().find(({ id }) => id === ANSWER_FAILED[0]);
  assert.deepEqual([row.id, row.code, row.message, row.hint], [...ANSWER_FAILED]);
});
