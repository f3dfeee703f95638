// The module stops over one stream of tidemark/edge: the others go on, byte for byte.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { validate } from "../dist/edge/index.js";
import { running } from "../dist/edge/core.js";
import { Relays } from "../dist/edge/relays.js";
import { crash, fed, pieces, rest } from "./support/edge.mjs";
import { stream } from "./support/fetch.mjs";
import { frame, Log } from "./support/log.mjs";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const a = new Log({ session: "a", count: 3, generation: 4 });
const b = new Log({ session: "b", count: 3 });
const [a1, a2, a3] = a.events.map((event) => a.recorded(event));
const [b1, b2, b3] = b.events.map((event) => b.recorded(event));

/** Streams, each of which goes on in a fresh instance wherever the first one stopped. */
const STREAMS = {
  "all is well": [a.answer(), { sessions: ["a"] }],
  "a session that only the server names": [a.answer(), {}],
  "from a cursor, with what the consumer has": [a.answer(), { cursors: ["a:2@4"] }],
  "from now": [frame("tidemark.head", { sessionId: "a", lastSeq: 2, oldestSeq: 1, generation: 4, verdict: "complete", from: 3 }) + a3, { sessions: ["a"], from: "now" }],
  "no head at all": [b1 + b2 + b3, { sessions: ["b"] }],
  "a hole": [a.head() + a1 + a3, { sessions: ["a"] }],
  "two sessions, one of which is refused": [a.head() + b.head() + b1 + a1 + a3 + b2 + a2 + b3 + a3, { cursors: ["a:0@4"], sessions: ["a", "b"] }],
  "two sessions from cursors, whose heads are far apart": [a.head() + a2 + b.head() + a3 + b3, { cursors: ["a:1@4", "b:2"] }],
  "two sessions, only watched": [a.head() + b.head() + b1 + a1 + a3 + b2 + a2 + b3, { sessions: ["a", "b"], mode: "observe" }],
};

test("whatever has passed of other streams as the module stops, the rest of it follows (R-428)", async (t) => {
  t.mock.method(console, "error", () => {});
  const names = Object.keys(STREAMS);
  const whole = await all(0);
  const longest = Math.max(...Object.values(STREAMS).map(([text]) => encoder.encode(text).length));
  for (let cut = 1; cut < longest; cut += 7) { // a step that frames of any length are cut with in many places
    const out = await all(cut);
    for (const [i, name] of names.entries()) assert.equal(out[i], whole[i], `${name}, behind ${cut} bytes`);
  }
});

/** What comes out of each stream when the module stops once every one has got so many bytes. */
async function all(cut) {
  const opened = await Promise.all(Object.values(STREAMS).map(async ([text, options]) => {
    const bytes = encoder.encode(text);
    const upstream = fed();
    const out = (await validate(upstream.response, options)).text();
    if (cut > 0) upstream.give(bytes.subarray(0, cut));
    return { upstream, out, behind: bytes.subarray(cut) };
  }));
  await taken();
  crash();
  for (const { upstream, behind } of opened) upstream.more(behind);
  return Promise.all(opened.map(({ out }) => out));
}

/** Everything that was given has been read. */
async function taken() {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

test("the module stops before every chunk (R-428)", async (t) => {
  t.mock.method(console, "error", () => {});
  const text = a.answer();
  const chunks = [...pieces(text, 37)].map((piece) => () => (crash(), piece));
  assert.equal(await (await validate(stream(...chunks), { sessions: ["a"] })).text(), text);
});

test("only the stream over which the module stops ends with an error", async (t) => {
  t.mock.method(console, "error", () => {});
  const { feed } = Relays.prototype;
  t.mock.method(Relays.prototype, "feed", function (handle, bytes) {
    return decoder.decode(bytes).includes("poison") ? this.crash() : feed.call(this, handle, bytes);
  });
  const [bad, good, watched] = [fed(), fed(), fed()];
  const readers = [];
  for (const [{ response }, options] of [[bad, {}], [good, {}], [watched, { mode: "observe" }]]) readers.push((await validate(response, options)).body.getReader());
  for (const upstream of [bad, good, watched]) upstream.give(a.head() + a1);
  const before = await Promise.all(readers.map(async (reader) => decoder.decode((await reader.read()).value)));
  assert.deepEqual(before, [0, 1, 2].map(() => a.head() + a1));

  const first = running();
  bad.give("data: poison\n\n");
  await assert.rejects(readers[0].read(), { id: "stream.module_exited" });
  assert.equal((await bad.left)?.id, "stream.module_exited", "the connection is closed");
  assert.ok(first.dead);

  good.give(a2);
  good.end();
  assert.equal(await rest(readers[1]), a2);

  watched.give("data: poison\n\n");
  watched.give(a3);
  watched.end();
  assert.equal(await rest(readers[2]), "data: poison\n\n" + a3, "watching lets everything pass");
});

test("a stream that cannot be opened again lets go of no other one", async (t) => {
  t.mock.method(console, "error", () => {});
  const { open } = Relays.prototype;
  const [first, other] = [fed(), fed()];
  crash(); // so that both have the handle that an instance gives out first
  const reader = (await validate(first.response, { sessions: ["a"] })).body.getReader();
  first.give(a.head());
  await reader.read();
  crash();
  const read = (await validate(other.response, { sessions: ["b"] })).body.getReader();
  t.mock.method(Relays.prototype, "open", function () { return open.call(this, "{"); });
  first.give(a1);
  await assert.rejects(reader.read(), { id: "stream.invalid_options" });
  other.give(b.head());
  assert.equal(decoder.decode((await read.read()).value), b.head());
  await read.cancel();
});

test("a stream that is silent keeps no instance that has stopped", async (t) => {
  t.mock.method(console, "error", () => {});
  const collect = (setFlagsFromString("--expose-gc"), runInNewContext("gc"));
  const silent = fed();
  const reader = (await validate(silent.response, { sessions: ["a"] })).body.getReader();
  silent.give(a.head());
  await reader.read();
  const first = new WeakRef(running());
  crash();
  running();
  for (let i = 0; i < 20 && first.deref(); i++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  assert.equal(first.deref(), undefined);
  silent.give(a1);
  assert.equal(decoder.decode((await reader.read()).value), a1);
  await reader.cancel();
});
