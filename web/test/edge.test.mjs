// tidemark/edge between a server and a consumer. Rules: docs/protocol.md, section 19.
import assert from "node:assert/strict";
import { test } from "node:test";
import { proxy, TidemarkError, validate } from "../dist/edge/index.js";
import { pieces } from "./support/edge.mjs";
import { gate, serving, stream, turns } from "./support/fetch.mjs";
import { frame, Log } from "./support/log.mjs";

const encoder = new TextEncoder();
const asked = { sessions: ["s1"] };

/** What comes out of a stream of these chunks. */
async function through(options, ...chunks) {
  return (await validate(stream(...chunks), { ...asked, ...options })).text();
}

const refusedIn = (text) => [...text.matchAll(/event: tidemark\.refused\ndata: (.*)\n/g)].map(([, data]) => JSON.parse(data));

test("what is good passes as it came, however it is split (R-420)", async () => {
  const log = new Log({ count: 2, generation: 7 });
  const text = `: hello\r\n\r\nretry: 10\n\n${log.answer()}`.replace("data: {\"type\":\"text_delta\"", "event: message\r\ndata: {\"type\":\"text_delta\"");
  for (let size = 1; size <= encoder.encode(text).length; size++) assert.equal(await through({}, ...pieces(text, size)), text, `pieces of ${size}`);
});

test("whole chunks are handed on, not copies of them (R-420)", async () => {
  const log = new Log({ count: 2 });
  const chunks = [log.head(), ...log.events.map((event) => log.recorded(event))].map((text) => encoder.encode(text));
  const reader = (await validate(stream(...chunks), asked)).body.getReader();
  for (const chunk of chunks) assert.equal((await reader.read()).value, chunk);
});

test("the first event that does not connect is replaced by a refusal, and the connection ends (R-422)", async () => {
  const log = new Log({ count: 5, generation: 1 });
  const before = log.head() + log.recorded(log.events[0]) + log.recorded(log.events[1]);
  const splices = {
    "a hole": [log.recorded(log.events[3]), "gap", "hole"],
    "another generation": [log.recorded({ ...log.events[2], generation: 2 }), "generation_changed", "event_generation"],
    "an older generation": [log.recorded({ ...log.events[2], generation: 0 }), "generation_changed", "stale_generation"],
    "no event": [`id: s1:3@1\ndata: {"type":"message_completed","sessionId":"s1","seq":"3"}\n\n`, "gap", "bad_event"],
  };
  for (const [name, [splice, reason, detail]] of Object.entries(splices)) {
    const left = gate();
    const upstream = new Response(new ReadableStream({ start: (c) => c.enqueue(encoder.encode(before + splice)), cancel: left.open }), stream());
    const out = await (await validate(upstream, { cursors: ["s1:0"] })).text();
    await left.passed;
    assert.ok(out.startsWith(before), name);
    assert.ok(!out.includes(splice), name);
    const [refusal] = refusedIn(out);
    assert.deepEqual([refusal.sessionId, refusal.reason, refusal.detail], ["s1", reason, detail], name);
  }
});

test("what the consumer has is left out, and nothing else (R-421)", async () => {
  const log = new Log({ count: 4 });
  const twice = log.head() + log.events.flatMap((event) => [log.recorded(event), log.delta("x"), log.recorded(event)]).join("") + log.live();
  const once = log.head() + log.events.slice(2).reduce((text, event) => text + log.recorded(event) + log.delta("x"), log.delta("x").repeat(2)) + log.live();
  assert.equal(await through({ cursors: ["s1:2"] }, twice), once);
});

test("a refusal of the server passes as it came (R-422)", async () => {
  const head = frame("tidemark.head", { sessionId: "s1", lastSeq: 9, oldestSeq: 1, verdict: "replayed", from: 2 });
  const refusal = frame("tidemark.refused", { sessionId: "s1", reason: "gap", detail: "pruned", evidence: { savedSeq: 1, of: "ours" } });
  const left = gate();
  const upstream = new Response(new ReadableStream({ start: (c) => c.enqueue(encoder.encode(head + refusal)), cancel: left.open }), stream());
  assert.equal(await (await validate(upstream, { cursors: ["s1:1"] })).text(), head + refusal);
  await left.passed;
});

test("other sessions go on behind the refusal of one (R-422)", async () => {
  const [a, b] = ["a", "b"].map((session) => new Log({ session, count: 3 }));
  const start = a.head() + b.head();
  const out = await through({ sessions: ["a", "b"] }, start, a.recorded(a.events[1]), b.recorded(b.events[0]), a.recorded(a.events[2]), b.recorded(b.events[1]));
  assert.equal(refusedIn(out)[0].sessionId, "a");
  assert.ok(out.endsWith(b.recorded(b.events[0]) + b.recorded(b.events[1])));
});

test("what is no stream of frames ends with a fault (R-423)", async () => {
  const log = new Log({ count: 1 });
  const wrong = {
    "stream.frame_too_large": ["data: " + "x".repeat(2000), { maxFrame: 1000 }],
    "stream.invalid_head": ["event: tidemark.head\ndata: {\"sessionId\":\"s1\",\"lastSeq\":-1}\n\n"],
  };
  for (const [code, [text, options]] of Object.entries(wrong)) {
    const out = await through(options ?? {}, log.head(), ...pieces(text, 100), "data: never\n\n");
    const [, name, data] = /event: (.*)\ndata: (.*)\n\n$/.exec(out);
    assert.equal(name, "tidemark.fault", code);
    assert.equal(JSON.parse(data).code, code);
  }
});

test("what cannot be relayed is answered with a status and a code (R-424)", async () => {
  const html = { headers: { "content-type": "text/html" } };
  const sse = (more) => ({ headers: { "content-type": "text/event-stream", ...more } });
  const cases = [
    [new Error("no route"), 502, "stream.upstream_down"],
    [new Response("<p>", html), 502, "stream.upstream_not_stream"],
    [new Response("x", sse({ "content-encoding": "gzip" })), 502, "stream.upstream_encoded"],
    [new Response(null, { status: 304 }), 502, "stream.upstream_moved"],
    [new Response(null, { status: 302, headers: { location: "/login" } }), 502, "stream.upstream_moved"],
    [new Response("<p>no", { status: 404, ...html }), 404, "stream.upstream_status"],
    [new Response("", { status: 503 }), 503, "stream.upstream_status"],
    [Response.json({ code: "stream.gap.pruned" }, { status: 410 }), 410, "stream.gap.pruned"],
  ];
  for (const [answer, status, code] of cases) {
    const { fetch } = serving(answer);
    const response = await proxy(new Request("http://edge/v1/sessions/s1/events"), { upstream: "http://up", fetch });
    assert.equal(response.status, status, code);
    assert.match(response.headers.get("content-type"), /^application\/(problem\+)?json/);
    assert.equal((await response.json()).code, code);
    if (answer.body && code !== "stream.gap.pruned") assert.equal((await answer.body.getReader().read()).done, true, "the connection is closed");
  }
  const { fetch } = serving(new Response(null, { status: 204 }));
  assert.equal((await proxy(new Request("http://edge/v1/sessions/s1/events"), { upstream: "http://up", fetch })).status, 204);
});

test("a page of another origin is told what the server lets it know", async () => {
  const cors = { "access-control-allow-origin": "http://page", vary: "Origin" };
  const ask = async (method, answer) => proxy(new Request("http://edge/v1/sessions/s1/events", { method }), { upstream: "http://up", fetch: serving(answer).fetch });
  const allowed = { ...cors, "access-control-allow-headers": "authorization" };
  const before = await ask("OPTIONS", new Response("", { headers: allowed }));
  assert.equal(before.status, 200, "what is asked before a stream is none");
  for (const [name, value] of Object.entries(allowed)) assert.equal(before.headers.get(name), value);
  assert.equal((await ask("OPTIONS", new Error("down"))).status, 502);
  for (const status of [204, 302, 403]) {
    const { headers } = await ask("GET", new Response(null, { status, headers: { ...cors, "retry-after": "7", etag: "x", location: "/" } }));
    for (const [name, value] of Object.entries({ ...cors, "retry-after": "7", etag: null, location: null })) assert.equal(headers.get(name), value, `${name} of ${status}`);
  }
});

test("headers stay, but those that are not true of the stream any more (R-424)", async () => {
  const sent = {
    "content-type": "text/event-stream; charset=utf-8", "content-length": "9", etag: "x", "last-modified": "x", "cache-control": "no-cache", vary: "Origin",
    connection: "x-hop, close, no name", "x-hop": "1", "keep-alive": "timeout=5", "access-control-allow-origin": "https://page",
  };
  const { headers } = await validate(new Response("", { headers: sent }), asked);
  assert.deepEqual(Object.fromEntries(headers), {
    "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache", vary: "Origin", "access-control-allow-origin": "https://page",
    "x-accel-buffering": "no",
  });
  const plain = await validate(stream(), asked);
  assert.equal(plain.headers.get("cache-control"), "no-store");
});

test("an end is an end, a break is a break, and half a frame goes no further (R-425)", async () => {
  const log = new Log({ count: 2 });
  const whole = log.head() + log.recorded(log.events[0]);
  assert.equal(await through({}, whole, "data: {\"type"), whole);
  const reader = (await validate(stream(whole, "data: {\"type", new Error("cut")), asked)).body.getReader();
  let out = "";
  await assert.rejects(async () => {
    for (let next; !(next = await reader.read()).done; ) out += new TextDecoder().decode(next.value);
  }, /cut/);
  assert.equal(out, whole);
});

test("a relay that only observes lets everything pass, and tells what it would have refused (R-427)", async () => {
  const log = new Log({ count: 3 });
  const text = log.head() + log.recorded(log.events[0]) + log.recorded(log.events[2]) + log.live() + "data: " + "x".repeat(3000) + "\n\ndata: half";
  const seen = [];
  assert.equal(await through({ mode: "observe", maxFrame: 2000, onVerdict: (verdict) => seen.push(verdict) }, ...pieces(text, 70)), text);
  assert.deepEqual(seen.filter(({ reason }) => reason).map(({ reason, detail }) => [reason, detail]), [["gap", "hole"]]);
});

test("a watcher that throws harms no stream", async (t) => {
  const reported = t.mock.method(console, "error", () => {});
  const log = new Log({ count: 2 });
  for (const onVerdict of [() => { throw new Error("mine"); }, async () => { throw new Error("mine"); }]) {
    assert.equal(await through({ onVerdict }, log.answer()), log.answer());
  }
  await turns();
  assert.ok(reported.mock.callCount() > 0);
});

test("a cursor that nobody can read is a 400 where the server would answer a stream, and a page of another origin can read it (R-424)", async () => {
  const cors = { "access-control-allow-origin": "http://page", "access-control-allow-credentials": "true" };
  for (const query of ["cursor=s1:x", "cursor=s2:1", "from=then", "cursor=s1:1&from=now"]) {
    const left = gate();
    const upstream = new Response(new ReadableStream({ cancel: left.open }), { headers: { "content-type": "text/event-stream", ...cors } });
    const response = await proxy(new Request(`http://edge/v1/sessions/s1/events?${query}`), { upstream: "http://up", fetch: serving(upstream).fetch });
    assert.equal(response.status, 400, query);
    for (const [name, value] of Object.entries(cors)) assert.equal(response.headers.get(name), value);
    assert.match((await response.json()).code, /^stream\./);
    await left.passed;
  }
  const left = gate();
  const upstream = new Response(new ReadableStream({ cancel: left.open }), stream());
  assert.equal((await validate(upstream, { cursors: ["nonsense"] })).status, 400);
  await left.passed;
});

test("the server says first who may ask, whatever is asked (R-145, R-424)", async () => {
  for (const [answer, status] of [[Response.json({ code: "unauthorized" }, { status: 401 }), 401], [new Response(null, { status: 204 }), 204], [new Error("down"), 502]]) {
    const response = await proxy(new Request("http://edge/v1/sessions/s1/events?cursor=s1:x"), { upstream: "http://up", fetch: serving(answer).fetch });
    assert.equal(response.status, status);
  }
});

test("a relay that only observes lets pass what answers a request that it cannot read (R-427)", async () => {
  const text = "id: 1-0\ndata: theirs\n\n";
  const request = new Request("http://edge/v1/sessions/s1/events?cursor=1-0");
  assert.equal(await (await proxy(request, { upstream: "http://up", mode: "observe", fetch: serving(stream(text)).fetch })).text(), text);
  assert.equal(await (await validate(stream(text), { mode: "observe", lastEventId: "1-0" })).text(), text);
});

test("the id of a browser is read as UTF-8, as it was sent", async () => {
  const log = new Log({ session: "é", count: 3 });
  const headers = { "last-event-id": Buffer.from("é:2").toString("latin1") };
  const response = await proxy(new Request("http://edge/v1/sessions/%C3%A9/events", { headers }), { upstream: "http://up", fetch: serving(stream(log.answer(2))).fetch });
  assert.equal(response.status, 200);
  assert.equal(await response.text(), log.answer(2));
});

test("a body that is not made of bytes breaks the answer off, and is let go of", async () => {
  const log = new Log({ count: 2 });
  for (const chunk of [log.answer(), [100, 97], encoder.encode(log.answer()).buffer, null]) {
    const left = gate();
    const upstream = new Response(new ReadableStream({ start: (c) => c.enqueue(chunk), cancel: left.open }), stream());
    await assert.rejects((await validate(upstream, asked)).text(), { id: "stream.invalid_options", expected: "upstream: a body of Uint8Array chunks" });
    await left.passed;
  }
});

test("options that nobody can follow are refused by name", async () => {
  const request = new Request("http://edge/");
  const wrong = [
    () => validate("no response"), () => { const read = stream(); read.body.getReader(); return validate(read); }, () => validate(stream(), null), () => validate(stream(), { mode: "strict" }), () => validate(stream(), { cursor: "s1:1" }),
    () => validate(stream(), { maxFrame: 0 }), () => validate(stream(), { cursors: "s1:1" }), () => validate(stream(), { onVerdict: true }),
    () => validate(stream(), { profile: "unheard of" }), () => validate(stream(), { profile: { base: 1n } }), () => validate(stream(), { signal: {} }),
    () => proxy("x", { upstream: "http://up" }), () => proxy(request), () => proxy(request, {}), () => proxy(request, { upstream: "/relative" }),
    () => proxy(request, { upstream: "ftp://up" }), () => proxy(request, { upstream: "http://up/?a=1" }),
    () => proxy(request, { upstream: "http://up#a" }), () => proxy(request, { upstream: "http://user:secret@up" }), () => proxy(request, { upstream: "http://up", headers: "x" }), () => proxy(request, { upstream: "http://up", fetch: {} }),
    ...[0, 65_537].map((pageSize) => () => proxy(request, { upstream: "http://up", history: { cache: { match() {}, put() {}, delete() {} }, pageSize } })),
  ];
  for (const call of wrong) {
    await assert.rejects(call, (error) => error instanceof TidemarkError && /^stream\.(invalid_options|invalid_profile)$/.test(error.id) && !!error.expected, String(call));
  }
});

test("the server is asked for what the consumer asks for, with its credentials", async () => {
  const log = new Log({ count: 3 });
  let seen;
  const fetch = async (url, init) => ((seen = { url, ...init }), stream(log.answer(1)));
  const request = new Request("http://edge/v1/sessions/s1/events?cursor=s1:1&x=1", {
    headers: {
      authorization: "Bearer t", cookie: "a=b", "last-event-id": "s1:2", constructor: "c", "if-none-match": "x", "accept-encoding": "br", connection: "keep-alive",
    },
  });
  const response = await proxy(request, { upstream: "http://up/base/", fetch, headers: { "x-edge": "1" } });
  assert.equal(seen.url, "http://up/base/v1/sessions/s1/events?cursor=s1:1&x=1");
  assert.deepEqual(Object.fromEntries(seen.headers), {
    accept: "text/event-stream", "accept-encoding": "identity", authorization: "Bearer t", constructor: "c", cookie: "a=b", "last-event-id": "s1:2", "x-edge": "1",
  });
  assert.equal(seen.redirect, "manual");
  assert.equal(await response.text(), log.answer(2).replace(log.delta("…"), log.delta("…") + log.delta("…")), "Last-Event-ID wins over the cursor");
});
