import assert from "node:assert/strict";
import { test } from "node:test";
import { EventSource } from "../dist/eventsource.js";
import { body, serving, stream, turns, withoutJitter } from "./support/fetch.mjs";
import { above, frame, Log } from "./support/log.mjs";

const ADDRESS = "http://tidemark.invalid/v1/sessions/s1/events";
const log = new Log({ count: 4, generation: 7 });
const TYPES = ["open", "error", "message", "refused", "live", "restart", "ping", "named"];

/** Everything that a source dispatches until it is closed, in short lines. */
function record(source) {
  const lines = [];
  const closed = new Promise((resolve) => {
    for (const type of TYPES) source.addEventListener(type, (event) => {
      lines.push(lineOf(event, source));
      if (type === "error" && source.readyState === EventSource.CLOSED) resolve(lines);
    });
  });
  return { lines, closed };
}

function lineOf(event, { readyState }) {
  if (event.type === "error") return `error ${readyState} ${JSON.stringify(event.detail && Object.keys(event.detail))}`;
  if (event instanceof MessageEvent) return `${event.type} ${event.lastEventId} ${event.data.slice(0, 30)}`;
  return `${event.type} ${readyState} ${event.detail ? JSON.stringify(event.detail.reason ?? event.detail) : ""}`.trimEnd();
}

const message = (event, id, name = "message") => `${name} ${id} ${JSON.stringify(event).slice(0, 30)}`;
const DRAFT = { type: "text_delta", sessionId: "s1", turnId: "t1" };

test("a whole stream: as the browser's own, with live in its place, and an error at the end", async () => {
  const { fetch } = serving(stream(log.answer()));
  const source = new EventSource(ADDRESS, { fetch });
  assert.deepEqual([source.readyState, source.url, source.withCredentials], [0, ADDRESS, false]);
  const { closed } = record(source);
  const ids = ["", "s1:1@7", "s1:2@7", "s1:3@7", "s1:4@7"];
  assert.deepEqual(await closed, [
    "open 1",
    ...log.events.flatMap((event, i) => [message(DRAFT, ids[i]), message(event, ids[i + 1])]),
    'live 1 {"seq":4,"strength":"exact"}',
    'error 2 ["end"]',
  ]);
  assert.equal(source.readyState, 2);
});

test("no options are what they are to the browser's own: nothing, undefined and null", () => {
  for (const options of [[], [undefined], [null], [{}]]) {
    const source = new EventSource(ADDRESS, ...options);
    assert.deepEqual([source.readyState, source.withCredentials], [0, false]);
    source.close();
  }
});

test("a break is an error while it connects again, and nothing is lost or doubled", async (t) => {
  withoutJitter(t);
  const cut = log.answer().indexOf('"seq":3');
  const { fetch, requests } = serving(new Error("no network"), new Response("busy", { status: 503 }), stream(log.answer().slice(0, cut)), (address) => stream(log.answer(above(address))));
  const { closed } = record(new EventSource(ADDRESS, { fetch }));
  const lines = await closed;
  assert.deepEqual(lines.filter((line) => /^(open|error|restart)/.test(line)), [
    "error 0 null", "error 0 null", "open 1", "error 0 null", "open 1", 'restart 1 {"afterSeq":2}', 'error 2 ["end"]',
  ]);
  assert.deepEqual(lines.filter((line) => /"message_completed/.test(line)), log.events.map((event) => message(event, `s1:${event.seq}@7`)));
  assert.equal(requests.at(-1), `${ADDRESS}?cursor=s1%3A2%407`);
});

// The issue: after a refusal it is closed, and says so; never a silent reconnect.
test("a refusal closes it, and an error says so; nothing is asked for again", async () => {
  const taken = new Log({ count: 4, generation: 8 });
  const { fetch, requests } = serving(stream(taken.answer(2)));
  const source = new EventSource(`${ADDRESS}?cursor=s1:2@7`, { fetch });
  const details = [];
  source.addEventListener("refused", ({ detail }) => details.push(detail));
  source.addEventListener("error", ({ detail }) => details.push(detail.refusal));
  const { closed } = record(source);
  assert.deepEqual(await closed, ["open 1", 'refused 1 "generation_changed"', 'error 2 ["refusal"]']);
  assert.equal(details[0], details[1]);
  assert.equal(details[0].evidence.observedGeneration, "8");
  await turns();
  assert.equal(requests.length, 1);
});

test("what no retry can mend closes it with the fault", async () => {
  for (const [answer, id] of [[new Response("", { status: 404 }), "stream.http_status"], [new Response("<p>", { headers: { "content-type": "text/html" } }), "stream.content_type"]]) {
    const source = new EventSource(ADDRESS, { fetch: serving(answer).fetch });
    const fault = await new Promise((resolve) => (source.onerror = ({ detail }) => resolve(detail.fault)));
    assert.deepEqual([fault.id, source.readyState], [id, 2]);
  }
});

// the names of frames are the types of events, as WHATWG has it; what is no event goes through without a verdict.
test("named frames reach the listeners of their name", async () => {
  const [one, two] = log.events;
  const named = `event: named\n${log.recorded(one)}`;
  const text = [log.head(), "event: ping\ndata: not json\n\n", named, named, "event: message\n" + log.recorded(two), "id: x\n\n", log.delta("…"),
    "event: ping\ndata\n\n", "id\nevent: ping\ndata: a\ndata: b\n\n", "event: tidemark.later\ndata: {}\n\n", log.end()].join("");
  const { closed } = record(new EventSource(ADDRESS, { fetch: serving(stream(text)).fetch }));
  assert.deepEqual(await closed, [
    "open 1", "ping  not json", message(one, "s1:1@7", "named"), message(two, "s1:2@7"), message(DRAFT, "x"), "ping x ", "ping  a\nb", 'error 2 ["end"]',
  ]);
});

test("[DONE] is handed on, so that a page can close", async () => {
  const { fetch, requests } = serving(stream(log.delta("…"), "data: [DONE]\n\n", log.delta("never")));
  const source = new EventSource(ADDRESS, { fetch });
  const { lines } = record(source);
  await new Promise((resolve) => source.addEventListener("message", ({ data }) => data === "[DONE]" && resolve(source.close())));
  await turns();
  assert.deepEqual(lines, ["open 1", message(DRAFT, ""), "message  [DONE]"]);
  assert.equal(requests.length, 1);
});

test("handlers and listeners are called in the order in which they came, and can be taken away", async () => {
  const source = new EventSource(ADDRESS, { fetch: serving(stream(log.answer())).fetch });
  const calls = [];
  assert.deepEqual([source.onopen, source.onmessage, source.onerror], [null, null, null]);
  source.onmessage = () => calls.push("replaced");
  source.addEventListener("message", { handleEvent: () => calls.push("listener") });
  const handler = function (event) {
    calls.push(`handler ${this === source} ${event.origin}`);
    source.onmessage = null;
  };
  source.onmessage = handler;
  assert.equal(source.onmessage, handler);
  source.onopen = 7;
  assert.equal(source.onopen, null);
  await new Promise((resolve) => (source.onerror = resolve));
  assert.deepEqual(calls.slice(0, 3), ["handler true http://tidemark.invalid", "listener", "listener"]);
});

test("closed from within, nothing more is dispatched and the connection is gone", async () => {
  let cancelled = false;
  const never = new ReadableStream({ start: (c) => c.enqueue(new TextEncoder().encode(log.answer().replace(log.end(), ""))), cancel: () => void (cancelled = true) });
  const source = new EventSource(ADDRESS, { fetch: serving(new Response(never, { headers: { "content-type": "text/event-stream" } })).fetch });
  const { lines } = record(source);
  await new Promise((resolve) => (source.onmessage = () => resolve(source.close())));
  await turns();
  assert.deepEqual([lines, source.readyState, cancelled], [["open 1", message(DRAFT, "")], 2, true]);
  source.close();
});

test("the address and its query are taken as they are meant", async () => {
  const asks = async (url, init) => {
    let options;
    const { fetch, requests } = serving((_, given) => ((options = given), new Response(null, { status: 204 })));
    const source = new EventSource(url, { fetch, ...init });
    await new Promise((resolve) => (source.onerror = resolve));
    return [requests[0], options.credentials, source.url];
  };
  assert.deepEqual(await asks(new URL(`${ADDRESS}?tenant=a`)), [`${ADDRESS}?tenant=a`, "same-origin", `${ADDRESS}?tenant=a`]);
  assert.deepEqual(await asks(`${ADDRESS}?cursor=s1:4&tenant=a`, { withCredentials: true }), [`${ADDRESS}?tenant=a&cursor=s1%3A4`, "include", `${ADDRESS}?cursor=s1:4&tenant=a`]);
  assert.deepEqual((await asks(`${ADDRESS}?from=now`))[0], `${ADDRESS}?from=now`);
  assert.deepEqual((await asks("http://x.invalid/stream?session=s1"))[0], "http://x.invalid/stream?session=s1");
  assert.deepEqual((await asks(`${ADDRESS}?session=s1`, { cursor: "s1:3" }))[0], `${ADDRESS}?cursor=s1%3A3`);
});

test("wrong addresses and options are refused at once", () => {
  for (const url of ["", "/relative", "http://", undefined]) assert.throws(() => new EventSource(url), { name: "SyntaxError" });
  for (const url of [`${ADDRESS}?session=s2`, "http://x.invalid/?session=a&session=b"]) {
    assert.throws(() => new EventSource(url), ({ id, expected }) => id === "stream.invalid_options" && /one session/.test(expected));
  }
  assert.throws(() => new EventSource(ADDRESS, { load: 7 }), { id: "stream.invalid_options" });
  assert.throws(() => new EventSource(ADDRESS, { withCredential: true }), { id: "stream.invalid_options" });
});

test("the constants stand where the browser has them", () => {
  assert.deepEqual([EventSource.CONNECTING, EventSource.OPEN, EventSource.CLOSED], [0, 1, 2]);
  const source = new EventSource(ADDRESS, { fetch: () => new Promise(() => {}) });
  assert.deepEqual([source.CONNECTING, source.OPEN, source.CLOSED], [0, 1, 2]);
  assert.ok(source instanceof EventTarget);
  source.close();
});

test("a slow body is one message at a time, and a frame in many pieces one message", async () => {
  const text = log.answer();
  const source = new EventSource(ADDRESS, { fetch: serving(stream(...text.match(/[^]/gu))).fetch });
  let count = 0;
  source.onmessage = () => count++;
  await new Promise((resolve) => (source.onerror = resolve));
  assert.equal(count, 8);
});
