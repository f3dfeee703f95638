import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { init, open, TidemarkError } from "../dist/index.js";
import { clock } from "../dist/link.js";
import { body, collect, serving, stream, turns, withoutJitter, withTime } from "./support/fetch.mjs";
import { above, frame, Log } from "./support/log.mjs";

const ADDRESS = "http://tidemark.invalid/v1/sessions/s1/events";

/** What an app holds that does what the items say: recorded events, and drafts since the last of them. */
function apply(items) {
  const app = { seqs: [], drafts: [], ended: undefined };
  for (const item of items) {
    assert.equal(app.ended, undefined, `${item.kind} after the end`);
    if (item.kind === "event") app.seqs.push(item.seq), (app.drafts = []);
    if (item.kind === "draft") app.drafts.push(item.event.text);
    if (item.kind === "restart") assert.equal(item.afterSeq, app.seqs.at(-1) ?? 0), (app.drafts = []);
    if (item.kind === "end") app.ended = item.cause;
    assert.notEqual(item.kind, "refused");
  }
  return app;
}

const upTo = (n) => Array.from({ length: n }, (_, i) => i + 1);

test("hands over a log, then says that it is live, then that it has ended", async () => {
  const log = new Log({ count: 2, generation: 7 });
  const { fetch, requests } = serving(stream(log.answer()));
  const items = await collect(open(ADDRESS, { fetch }));
  assert.deepEqual(items.map(({ kind, seq }) => [kind, seq]), [
    ["draft", undefined], ["event", 1], ["draft", undefined], ["event", 2], ["live", 2], ["end", undefined],
  ]);
  const event = items[1];
  assert.deepEqual({ ...event }, { kind: "event", session: "s1", type: "message_completed", seq: 1, generation: "7" });
  assert.deepEqual(event.event, log.events[0]);
  assert.equal(event.json, JSON.stringify(log.events[0]));
  assert.equal(event.event, event.event, "parsed once");
  assert.deepEqual(JSON.parse(JSON.stringify(event)).event, log.events[0]);
  assert.deepEqual(items.at(-2), { kind: "live", session: "s1", seq: 2, strength: "exact" });
  assert.deepEqual(items.at(-1), { kind: "end", session: "s1", cause: "server" });
  assert.deepEqual(requests, [ADDRESS]);
});

test("asks as the protocol says", async () => {
  const log = new Log({ count: 3 });
  let init;
  const { fetch, requests } = serving((_, given) => ((init = given), stream(log.answer(2))));
  const headers = { "X-App": "1" };
  await collect(open(`${ADDRESS}?tenant=a%20b`, { cursor: "s1:2", fetch, headers, credentials: "include" }));
  assert.deepEqual(requests, [`${ADDRESS}?tenant=a+b&cursor=s1%3A2`]);
  assert.equal(init.cache, "no-store");
  assert.equal(init.credentials, "include");
  assert.equal(init.headers.get("accept"), "text/event-stream");
  assert.equal(init.headers.get("x-app"), "1");
});

const asks = {
  "from the beginning": [{}, ""],
  "from the beginning, said": [{ from: "beginning" }, ""],
  "from now": [{ from: "now" }, "?from=now"],
  "from a cursor": [{ cursor: "s1:4@g%20" }, "?cursor=s1%3A4%40g%2520"],
  "no cursor yet": [{ cursor: null }, ""],
  "more sessions": [{ sessions: ["s1", "s2"], cursor: ["s2:9"] }, "?session=s2&cursor=s2%3A9"],
};

for (const [name, [options, query]] of Object.entries(asks)) {
  test(`asks ${name}`, async () => {
    const { fetch, requests } = serving();
    await collect(open(ADDRESS, { ...options, fetch }));
    assert.deepEqual(requests, [ADDRESS + query]);
  });
}

test("one request serves: the one that started before the module was there", async () => {
  const log = new Log({ count: 1 });
  const { fetch, requests } = serving(stream(log.answer()));
  const opened = open(ADDRESS, { fetch });
  assert.equal(requests.length, 1, "asked at once");
  apply(await collect(opened));
  assert.equal(requests.length, 1);
});

test("several sessions flow side by side, each with its own numbers", async () => {
  const a = new Log({ session: "a", count: 3, generation: 1 });
  const b = new Log({ session: "b", count: 2 });
  const { fetch } = serving(stream(a.head(), b.head(), a.recorded(a.events[0]), b.recorded(b.events[0]), a.recorded(a.events[1]),
    b.recorded(b.events[1]), b.live(), a.recorded(a.events[2]), a.live(), a.end(), b.end()));
  const items = await collect(open("http://x.invalid/stream", { sessions: ["a", "b"], fetch }));
  const of = (session) => items.filter((item) => item.session === session && item.kind === "event").map(({ seq }) => seq);
  assert.deepEqual(of("a"), [1, 2, 3]);
  assert.deepEqual(of("b"), [1, 2]);
  assert.equal(items.filter(({ kind }) => kind === "end").length, 2);
});

test("a stream cut at any byte hands over exactly the log", async (t) => {
  withoutJitter(t);
  await init();
  const log = new Log({ count: 4, generation: 2 });
  const whole = new TextEncoder().encode(log.answer());
  for (let cut = 0; cut <= whole.length; cut++) {
    for (const tail of [[], [new Error("reset")]]) {
      const { fetch, requests } = serving(stream(whole.subarray(0, cut), ...tail), (address) => stream(log.answer(above(address))));
      const app = apply(await collect(open(ADDRESS, { fetch })));
      assert.deepEqual(app.seqs, [1, 2, 3, 4], `cut at ${cut}`);
      assert.deepEqual(app.drafts, [], `cut at ${cut}`);
      assert.equal(app.ended, "server");
      assert.ok(requests.length <= 2);
    }
  }
});

test("a stream in chunks of one byte is the same stream", async () => {
  const log = new Log({ count: 3, text: "日本 €" });
  const whole = new TextEncoder().encode(log.answer());
  const { fetch } = serving(stream(...[...whole].map((byte) => Uint8Array.of(byte))));
  const items = await collect(open(ADDRESS, { fetch }));
  assert.deepEqual(items.filter(({ kind }) => kind === "event").map(({ event }) => event), log.events);
});

test("over a real socket that breaks after every frame, exactly the log comes", async (t) => {
  withoutJitter(t);
  const log = new Log({ count: 6, generation: 1 });
  let connections = 0;
  const server = createServer((request, response) => {
    connections++;
    response.writeHead(200, { "content-type": "text/event-stream" });
    const frames = log.answer(above(request.url)).split(/(?<=\n\n)/);
    response.write(frames.slice(0, 4).join(""), () => setImmediate(() => (frames.length <= 4 ? response.end() : response.destroy())));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => server.close());
  const app = apply(await collect(open(`http://127.0.0.1:${server.address().port}/v1/sessions/s1/events`)));
  assert.deepEqual(app.seqs, upTo(6));
  assert.ok(connections > 2);
});

test("batches are the same items in arrays", async () => {
  const log = new Log({ count: 3000 });
  const { fetch } = serving(stream(log.answer()));
  const items = [];
  let batches = 0;
  for await (const batch of open(ADDRESS, { fetch }).batches()) {
    assert.ok(batch.length > 0);
    items.push(...batch);
    batches++;
  }
  assert.deepEqual(apply(items).seqs, upTo(3000));
  assert.ok(batches < items.length / 10);
});

test("next() called ahead answers in order", async () => {
  const log = new Log({ count: 3 });
  const { fetch } = serving(stream(log.answer()));
  const iterator = open(ADDRESS, { fetch })[Symbol.asyncIterator]();
  const results = await Promise.all(Array.from({ length: 12 }, () => iterator.next()));
  const kinds = results.map(({ done, value }) => (done ? "done" : value.kind));
  assert.deepEqual(kinds, ["draft", "event", "draft", "event", "draft", "event", "live", "end", "done", "done", "done", "done"]);
});

const ANSWERS = [
  [() => new Response(null, { status: 204 }), { cause: "server" }],
  [() => new Response("no", { status: 400 }), { id: "stream.http_status" }],
  [() => new Response("no", { status: 401 }), { id: "stream.unauthorized" }],
  [() => new Response("no", { status: 403 }), { id: "stream.unauthorized" }],
  [() => new Response("no", { status: 404 }), { id: "stream.http_status" }],
  [() => new Response("gone", { status: 410 }), { reason: "gap", detail: "http_status" }],
  [() => new Response('{"code":"cursor_ahead"}', { status: 409 }), { reason: "cursor_ahead" }],
  [() => new Response("<!doctype html>", { headers: { "content-type": "text/html" } }), { id: "stream.content_type" }],
  [() => new Response("x"), { id: "stream.content_type" }],
];

for (const [answer, expected] of ANSWERS) {
  const { status, headers } = answer();
  test(`status ${status} ${headers.get("content-type") ?? ""} becomes ${JSON.stringify(expected)}`, async () => {
    const { fetch, requests } = serving(answer);
    const run = collect(open(ADDRESS, { cursor: "s1:4", fetch }));
    if (expected.id) {
      await assert.rejects(run, (error) => error instanceof TidemarkError && error.id === expected.id);
    } else {
      const items = await run;
      const { refusal } = items.find(({ kind }) => kind === "refused") ?? {};
      assert.equal(refusal?.reason, expected.reason);
      assert.equal(refusal?.detail, expected.detail);
      if (expected.cause) assert.equal(items.at(-1).cause, expected.cause);
      if (refusal) assert.match(refusal.href, /^https:.*#stream-/);
    }
    assert.equal(requests.length, 1);
  });
}

for (const status of [408, 425, 429, 500, 503]) {
  test(`status ${status} is tried again`, async (t) => {
    withoutJitter(t);
    const log = new Log({ count: 2 });
    const busy = new Response("busy", { status, headers: { "retry-after": "0" } });
    const { fetch, requests } = serving(busy, new TypeError("network"), stream(log.answer()));
    assert.deepEqual(apply(await collect(open(ADDRESS, { fetch }))).seqs, [1, 2]);
    assert.equal(requests.length, 3);
  });
}

test("Retry-After is waited for, as seconds and as a date", async (t) => {
  withoutJitter(t);
  await init();
  const log = new Log({ count: 1 });
  for (const value of ["30", () => new Date(Date.now() + 30_000).toUTCString()]) {
    withTime(t);
    const retryAfter = typeof value === "string" ? value : value();
    const busy = new Response("", { status: 503, headers: { "retry-after": retryAfter } });
    const { fetch, requests } = serving(busy, stream(log.answer()));
    const run = collect(open(ADDRESS, { fetch }));
    await turns();
    t.mock.timers.tick(28_000);
    await turns();
    assert.equal(requests.length, 1, "not yet");
    t.mock.timers.tick(2_000);
    apply(await run);
    assert.equal(requests.length, 2);
    t.mock.reset();
    withoutJitter(t);
  }
});

test("Retry-After beyond an hour is waited for an hour, and never less (R-186)", async (t) => {
  withoutJitter(t);
  await init();
  const busy = () => new Response("", { status: 503, headers: { "retry-after": "1000000000000" } });
  const now = serving(busy());
  const opened = open(ADDRESS, { fetch: now.fetch });
  while (opened.state().connection !== "waiting") await turns();
  await new Promise((resolve) => setTimeout(resolve, 20)); // a timer that overflows rings after 1 ms
  assert.equal(now.requests.length, 1);
  opened.close();
  withTime(t);
  const { fetch, requests } = serving(busy(), stream(new Log({ count: 1 }).answer()));
  const run = collect(open(ADDRESS, { fetch }));
  await turns();
  t.mock.timers.tick(3_599_999);
  await turns();
  assert.equal(requests.length, 1, "not yet");
  t.mock.timers.tick(1);
  apply(await run);
  assert.equal(requests.length, 2);
});

test("a wall clock that steps back holds nothing up", { timeout: 20_000 }, async (t) => {
  withoutJitter(t);
  const log = new Log({ count: 1 });
  const before = clock();
  const { fetch, requests } = serving(() => {
    t.mock.method(Date, "now", () => 0);
    return new Response("", { status: 503, headers: { "retry-after": "0" } });
  }, stream(log.answer()));
  apply(await collect(open(ADDRESS, { fetch })));
  assert.equal(requests.length, 2);
  assert.ok(Date.now() === 0 && clock() >= before);
});

test("bodies that never end are not waited for when the answer is no stream", async () => {
  const { fetch } = serving(new Response(body("x".repeat(70_000), () => new Promise(() => {})), { status: 404 }));
  await assert.rejects(collect(open(ADDRESS, { fetch })), { id: "stream.http_status" });
});

test("an event that has to come again is asked for again, and refused when it does not connect", async (t) => {
  withoutJitter(t);
  const log = new Log({ count: 4, generation: 7 });
  log.events.splice(1, 1);
  const { fetch, requests } = serving(stream(log.answer()), (address) => (assert.equal(above(address), 1), stream(log.answer(1))));
  const items = await collect(open(ADDRESS, { fetch }));
  assert.deepEqual(items.filter(({ kind }) => kind === "event").map(({ seq }) => seq), [1]);
  const { refusal } = items.find(({ kind }) => kind === "refused");
  assert.equal(refusal.reason, "gap");
  assert.deepEqual([refusal.evidence.expectedSeq, refusal.evidence.receivedSeq], [2, 3]);
  assert.equal(requests.length, 2);
});

test("a takeover is refused at once", async () => {
  const log = new Log({ count: 3, generation: 5 });
  const { fetch, requests } = serving(stream(log.answer()));
  const items = await collect(open(ADDRESS, { cursor: "s1:2@4", fetch }));
  const { refusal } = items.find(({ kind }) => kind === "refused");
  assert.equal(refusal.reason, "generation_changed");
  assert.deepEqual([refusal.evidence.savedGeneration, refusal.evidence.observedGeneration], ["4", "5"]);
  assert.equal(items.some(({ kind }) => kind === "event"), false);
  assert.equal(requests.length, 1);
});

test("observe hands everything over and reports what it would have refused", async () => {
  const log = new Log({ count: 4 });
  log.events.splice(1, 1);
  const decisions = [];
  const { fetch } = serving(stream(log.answer()));
  const items = await collect(open(ADDRESS, { mode: "observe", fetch, onDecision: (decision) => decisions.push(decision) }));
  assert.deepEqual(items.filter(({ kind }) => kind === "event").map(({ seq }) => seq), [1, 3, 4]);
  assert.equal(decisions.filter(({ reason }) => reason === "gap").length, 1);
});

test("decisions hold positions and never payload", async () => {
  const log = new Log({ count: 3, text: "SECRET" });
  const decisions = [];
  const { fetch } = serving(stream(log.answer()));
  await collect(open(ADDRESS, { fetch, onDecision: (decision) => decisions.push(decision) }));
  assert.equal(decisions.filter(({ verdict }) => verdict === "accept").length, 3);
  assert.equal(decisions.filter(({ verdict }) => verdict === "pass").length, 3);
  assert.doesNotMatch(JSON.stringify(decisions), /SECRET/);
  assert.equal(decisions.at(-1).cursor, "s1:3");
});

test("decisions show breaks and what is tried next", async (t) => {
  withoutJitter(t);
  const log = new Log({ count: 2 });
  const decisions = [];
  const cut = stream(log.head(), log.recorded(log.events[0]), "data: {", new Error("reset"));
  const { fetch } = serving(cut, new Response("busy", { status: 503, headers: { "retry-after": "0" } }), stream(log.answer(1)));
  await collect(open(ADDRESS, { fetch, onDecision: (decision) => decisions.push(decision) }));
  const broken = decisions.filter(({ verdict }) => verdict === "broken");
  assert.deepEqual(broken.map(({ session, rule, problem }) => [session, rule, problem]), [
    ["", "stream.connection_lost", "cut inside a frame"],
    ["", "stream.http_status", undefined],
  ]);
  for (const { wait } of broken) assert.equal(typeof wait, "number");
});

test("a watcher that throws is reported and harms nothing", async (t) => {
  const reported = t.mock.method(console, "error", () => {});
  const log = new Log({ count: 2 });
  const { fetch } = serving(stream(log.answer()), stream(log.answer()));
  const throws = () => {
    throw new Error("mine");
  };
  assert.deepEqual(apply(await collect(open(ADDRESS, { fetch, onDecision: throws }))).seqs, [1, 2]);
  assert.deepEqual(apply(await collect(open(ADDRESS, { fetch, onDecision: async () => throws() }))).seqs, [1, 2]);
  assert.ok(reported.mock.callCount() >= 8);
});

test("malformed control frames and hopeless bodies end in a named error", async (t) => {
  withoutJitter(t);
  const bad = frame("tidemark.head", { sessionId: "s1", lastSeq: -1 });
  const { fetch } = serving(stream(bad), stream(bad));
  await assert.rejects(collect(open(ADDRESS, { fetch })), { id: "stream.invalid_head" });
  const endless = serving(stream("data: " + "x".repeat(5000)));
  await assert.rejects(collect(open(ADDRESS, { fetch: endless.fetch, maxFrame: 4096 })), { id: "stream.frame_too_large" });
});

test("a body that is text or a fetch that answers nothing is the fetch option's fault", async () => {
  const strings = new Response(null, { headers: { "content-type": "text/event-stream" } });
  Object.defineProperty(strings, "body", { value: new ReadableStream({ pull: (c) => c.enqueue("data: 1\n\n") }) });
  for (const answer of [strings, "text", null]) {
    const fetch = async () => answer;
    await assert.rejects(collect(open(ADDRESS, { fetch })), { id: "stream.invalid_options", expected: /^fetch: / });
  }
});
