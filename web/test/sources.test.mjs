import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../dist/index.js";
import { bytes, framed } from "../dist/sources.js";
import { body, collect, gate, stream, turns, withoutJitter } from "./support/fetch.mjs";
import { Log } from "./support/log.mjs";

const opened = (source, options) => open(bytes(source), options);
const log = new Log({ count: 4, generation: 7 });
const upTo = (n) => Array.from({ length: n }, (_, i) => i + 1);
const seqs = (items) => items.flatMap(({ kind, seq }) => (kind === "event" ? seq : []));
const last = (items) => items.at(-1).cause;

async function* iterable(...chunks) {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk;
    yield typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
  }
}

const whole = log.answer();
const unended = whole.slice(0, whole.lastIndexOf("event: tidemark.end"));

const once = { "an async iterable": iterable, "a ReadableStream": body, "a Response": stream };

for (const [name, make] of Object.entries(once)) {
  test(`${name}: everything of it, in pieces of any size`, async () => {
    const items = await collect(opened(make(...whole.match(/[^]{1,7}/g)), { session: "s1" }));
    assert.deepEqual(seqs(items), upTo(4));
    assert.equal(last(items), "server");
  });

  // it cannot be asked for again.
  test(`${name} that ends without a word is incomplete, at once`, async () => {
    const items = await collect(opened(make(unended), { session: "s1" }));
    assert.deepEqual([seqs(items), last(items)], [upTo(4), "incomplete"]);
  });

  test(`${name} that breaks ends the stream, with its cause`, async () => {
    const cause = new Error("cable bitten");
    const items = [];
    await assert.rejects(async () => {
      for await (const item of opened(make(log.head() + log.recorded(log.events[0]), cause), { session: "s1" })) items.push(item);
    }, (error) => error.id === "stream.source_failed" && error.cause === cause && error.found === cause.message);
    assert.deepEqual(seqs(items), [1]);
  });

  test(`${name} with a gap is refused at once`, async () => {
    const [one, , three] = log.events;
    const items = await collect(opened(make(log.head(), log.recorded(one), log.recorded(three)), { session: "s1" }));
    assert.deepEqual([seqs(items), items.at(-1).refusal.detail], [[1], "hole"]);
  });
}

test("bytes are joined to a cursor like any others", async () => {
  const items = await collect(opened(iterable(log.answer(2)), { cursor: "s1:2@7" }));
  assert.deepEqual(seqs(items), [3, 4]);
  const refused = await collect(opened(iterable(log.answer(3)), { cursor: "s1:2@7" }));
  assert.deepEqual([seqs(refused), refused.at(-1).refusal.detail], [[], "hole"]);
});

test("an answer that is no stream is judged by its status and type", async () => {
  const asked = (response) => collect(opened(response, { session: "s1" })).then((items) => items.at(-1), ({ id }) => id);
  assert.equal(await asked(new Response("<p>", { headers: { "content-type": "text/html" } })), "stream.content_type");
  assert.equal(await asked(new Response("no", { status: 404 })), "stream.http_status");
  assert.equal((await asked(new Response(null, { status: 204 }))).cause, "server");
  assert.equal((await asked(Response.json({ code: "stream.gap.pruned" }, { status: 410 }))).refusal.detail, "pruned");
});

test("a function makes a connection whenever one is wanted, and is told from where", async (t) => {
  withoutJitter(t);
  const wanted = [];
  const answers = [
    () => iterable(log.head(), log.recorded(log.events[0]), log.recorded(log.events[1])),
    () => body(log.head(), log.recorded(log.events[2]), new Error("broken")),
    async () => stream(log.answer(3)),
  ];
  const items = await collect(opened(({ starts, attempt, signal }) => {
    wanted.push([...starts, attempt, signal instanceof AbortSignal]);
    return answers.shift()();
  }, { session: "s1" }));
  assert.deepEqual([seqs(items), last(items)], [upTo(4), "server"]);
  assert.deepEqual(wanted, [
    [{ session: "s1", start: "beginning" }, 1, true],
    [{ session: "s1", start: "cursor", token: "s1:2@7", seq: 2, generation: "7" }, 1, true],
    [{ session: "s1", start: "cursor", token: "s1:3@7", seq: 3, generation: "7" }, 1, true],
  ]);
});

test("the generation of a cursor is told as text, whatever it is made of", async () => {
  let told;
  await collect(opened(({ starts }) => ((told = starts), new Response(null, { status: 204 })), { session: "a:b", cursor: "a:b:4@w%2F1%20%C3%BC" }));
  assert.deepEqual(told, [{ session: "a:b", start: "cursor", token: "a:b:4@w%2F1%20%C3%BC", seq: 4, generation: "w/1 ü" }]);
});

test("a function that throws, or answers late, is a break, and asked again", async (t) => {
  withoutJitter(t);
  const rules = [];
  const answers = [() => { throw new TypeError("no network"); }, () => Promise.reject(new Error("no network")), () => iterable(whole)];
  const items = await collect(opened(() => answers.shift()(), { session: "s1", onDecision: ({ rule }) => rule && rules.push(rule) }));
  assert.deepEqual(seqs(items), upTo(4));
  assert.deepEqual(rules, ["stream.connection_lost", "stream.connection_lost"]);
});

const nonsense = { "nothing": undefined, "null": null, "text": "data: x\n\n", "a list": [1], "bytes at once": new Uint8Array(3) };
for (const [name, value] of Object.entries(nonsense)) {
  test(`a function that answers ${name} is at fault`, async () => {
    await assert.rejects(collect(opened(() => value)), ({ id, expected }) => id === "stream.invalid_options" && /^bytes: a function that answers/.test(expected));
  });
}

for (const value of [undefined, null, 7, {}, [], new Uint8Array(3)]) {
  test(`${Object.prototype.toString.call(value)} is no source`, () => {
    assert.throws(() => opened(value), ({ id, expected }) => id === "stream.invalid_options" && /^bytes: a ReadableStream, an async iterable or a Response, or a function/.test(expected));
  });
}

test("a source of your own is anything that makes connections", async () => {
  const pieces = [new TextEncoder().encode(whole)];
  let closed = 0;
  const connect = () => ({ answer: async () => ({ status: 200, contentType: "text/event-stream" }), read: async () => pieces.shift(), close: () => closed++ });
  assert.deepEqual(seqs(await collect(open({ connect }, { session: "s1" }))), upTo(4));
  assert.ok(closed > 0);
});

/** Answers what a list says, one after the other; an Error is thrown where it stands. */
class Listed {
  renewed = [];
  left;

  constructor(...answers) {
    this.left = answers;
  }

  connect() {
    const answer = this.left.shift();
    if (answer instanceof Error) throw answer;
    const { status = 200, pieces = [] } = answer;
    return { answer: async () => ({ status, contentType: "text/event-stream" }), read: async () => pieces.shift(), close() {} };
  }

  async renew(starts, attempt, status) {
    this.renewed.push([starts[0].session, attempt, status]);
    if (this.left.length === 0) throw this.cause;
  }
}

const WHOLE = () => ({ pieces: [new TextEncoder().encode(whole)] });

test("it may be an object with members of its own, and gets new credentials", async (t) => {
  withoutJitter(t);
  const source = new Listed({ status: 401 }, WHOLE());
  assert.deepEqual(seqs(await collect(open(source, { session: "s1" }))), upTo(4));
  assert.deepEqual(source.renewed, [["s1", 2, 401]]);
  const none = Object.assign(new Listed({ status: 403 }), { cause: new Error("no") });
  await assert.rejects(collect(open(none, { session: "s1" })), none.cause);
});

test("one that throws is a break, the first time and any other", async (t) => {
  withoutJitter(t);
  const source = new Listed(new Error("not yet"), { pieces: [new TextEncoder().encode(log.head() + log.recorded(log.events[0]))] }, new Error("nor now"), WHOLE());
  const rules = [];
  const items = await collect(open(source, { session: "s1", onDecision: ({ verdict, rule }) => verdict === "broken" && rules.push(rule) }));
  assert.deepEqual(seqs(items), upTo(4));
  assert.deepEqual(rules, ["stream.connection_lost", "stream.connection_lost", "stream.connection_lost"]);
});

test("pieces that are no bytes are the source's fault", async () => {
  for (const piece of ["data: x\n\n", [1], 7, null, new ArrayBuffer(2)]) {
    const source = new ReadableStream({ start: (controller) => controller.enqueue(piece) });
    await assert.rejects(collect(opened(source)), ({ id, expected }) => id === "stream.invalid_options" && expected === "bytes: pieces of Uint8Array");
  }
});

test("a source that somebody reads already is at fault, and says why", async () => {
  const locked = body(whole);
  locked.getReader();
  await assert.rejects(collect(opened(locked)), ({ id, cause }) => id === "stream.source_failed" && cause instanceof TypeError);
});

test("options of requests mean nothing to a source, and say so", () => {
  for (const option of [{ headers: {} }, { fetch }, { credentials: "omit" }]) {
    const [name] = Object.keys(option);
    assert.throws(() => opened(iterable(), option), ({ id, expected }) => id === "stream.invalid_options" && expected.startsWith(`${name}: nothing`));
  }
});

test("leaving the loop lets go of the source", async () => {
  const left = [];
  const { open: release, passed } = gate();
  async function* source() {
    try {
      yield new TextEncoder().encode(whole.slice(0, 400));
      await passed;
    } finally {
      left.push("iterable");
    }
  }
  const readable = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(whole.slice(0, 400))),
    cancel: () => void left.push("readable"),
  });
  const signals = [];
  const made = ({ signal }) => (signals.push(signal), source());
  for (const given of [source(), readable, made]) for await (const { kind } of opened(given, { session: "s1" })) if (kind === "event") break;
  release();
  await turns();
  assert.deepEqual(left.toSorted(), ["iterable", "iterable", "readable"]);
  assert.ok(signals[0].aborted);
});

test("a slow consumer pauses the reading of a source", async () => {
  const many = new Log({ count: 20_000, text: "x".repeat(100) });
  let read = 0;
  async function* source() {
    for (const event of [many.head(), ...many.events.map((event) => many.recorded(event)), many.end()]) {
      read++;
      yield new TextEncoder().encode(event);
    }
  }
  const items = opened(source(), { session: "s1" })[Symbol.asyncIterator]();
  await items.next();
  await turns();
  await turns();
  assert.ok(read < 5000, `${read} pieces were read for the first item`);
  let count = 1;
  while (!(await items.next()).done) count++;
  assert.equal(count, 20_001);
});

test("messages that are JSON are events, one each", async () => {
  const messages = log.events.map((event) => JSON.stringify(event, null, 2).replaceAll("\n", "\r\n"));
  const items = await collect(opened(framed(iterable(...messages)), { session: "s1" }));
  assert.deepEqual(items.map(({ event }) => event).filter(Boolean), log.events);
  assert.equal(items[0].json, JSON.stringify(log.events[0], null, 2), "line ends are LF, all else as it was");
  assert.equal(last(items), "incomplete");
});

test("a message cannot get out of its event", async () => {
  const evil = '{"type":"x",\n\n"sessionId":"s1",\rid: s1:9\n\r\n"seq":1}'.replace("id: s1:9", '"id":"s1:9",');
  const items = await collect(opened(framed(iterable("", evil, '{"type":"y"}')), { session: "s1" }));
  assert.deepEqual(items.map(({ kind, type, seq }) => [kind, type, seq]).slice(0, 2), [["event", "x", 1], ["draft", "y", undefined]]);
});

test("messages may be text or bytes, of an iterable or a stream; anything else is at fault", async () => {
  const text = JSON.stringify(log.events[0]);
  const messages = new ReadableStream({ start: (c) => (c.enqueue(text), c.enqueue(new TextEncoder().encode(JSON.stringify(log.events[1]))), c.close()) });
  assert.deepEqual(seqs(await collect(opened(framed(messages), { session: "s1" }))), [1, 2]);
  async function* objects() {
    yield { type: "x" };
  }
  await assert.rejects(collect(opened(framed(objects()))), ({ id, expected }) => id === "stream.invalid_options" && /^framed: messages/.test(expected));
});

test("leaving the loop lets go of messages that are waited for", async () => {
  let left = false;
  const messages = new ReadableStream({ start: (controller) => controller.enqueue(JSON.stringify(log.events[0])), cancel: () => void (left = true) });
  for await (const { kind } of opened(framed(messages), { session: "s1" })) if (kind === "event") break;
  await turns();
  assert.ok(left);
});
