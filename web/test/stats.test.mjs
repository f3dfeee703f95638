// Counters, and the lines of the debug log.
import assert from "node:assert/strict";
import { test } from "node:test";
import { lineOf } from "../dist/debug.js";
import { open } from "../dist/index.js";
import { links } from "../dist/links.js";
import { collect, gate, serving, stream, withoutJitter } from "./support/fetch.mjs";
import { above, Log } from "./support/log.mjs";

const ADDRESS = "http://tidemark.invalid/v1/sessions/s1/events";
const NONE = { events: 0, drafts: 0, bytes: 0, duplicates: 0, resyncs: 0, refusals: { cursor_ahead: 0, generation_changed: 0, gap: 0 }, reconnects: 0, lag: {} };

test("everything is counted, and a copy is handed out", async (t) => {
  withoutJitter(t);
  const log = new Log({ count: 4 });
  const [one, two, three, four] = log.events.map((event) => log.recorded(event));
  const first = [log.head(), one, log.delta("x"), one, two, four].join(""); // 1 comes twice, 3 is missing: a resync
  const second = [log.head(), three, four, log.live(), log.end()].join("");
  const opened = open(ADDRESS, { fetch: serving(stream(first), stream(second)).fetch });
  assert.deepEqual(opened.stats(), NONE);
  await collect(opened);
  const stats = opened.stats();
  assert.deepEqual(stats, {
    ...NONE, events: 4, drafts: 1, bytes: Buffer.byteLength(first + second), duplicates: 1, resyncs: 1, reconnects: 1, lag: { s1: 0 },
  });
  stats.refusals.gap = stats.lag.s1 = 7;
  assert.equal(opened.stats().refusals.gap + opened.stats().lag.s1, 0);
});

test("refusals are counted by their reason", async () => {
  const log = new Log({ count: 3, generation: 9 });
  const { fetch } = serving((address) => stream(log.answer(above(address))), (address) => stream(log.answer(above(address))));
  const opened = open(ADDRESS, { cursor: "s1:2@8", fetch, load: () => ({ state: 0, cursor: "s1:3@9" }) });
  await collect(opened);
  assert.deepEqual(opened.stats().refusals, { cursor_ahead: 0, generation_changed: 1, gap: 0 });
});

test("lag is what the log is known to hold and was not handed over", async () => {
  const log = new Log({ count: 5, generation: 7 });
  const more = gate();
  const opened = open(ADDRESS, { fetch: serving(stream(log.head(), log.recorded(log.events[0]), log.recorded(log.events[1]), () => more.passed.then(() => log.answer(2)))).fetch });
  const seen = [];
  for await (const item of opened) {
    if (item.kind === "event") seen.push([item.seq, opened.stats().lag.s1]);
    if (item.seq === 2) more.open();
  }
  assert.deepEqual(seen[1], [2, 3]);
  assert.deepEqual(seen.at(-1), [5, 0]);
});

test("counters go on when a module stops", async (t) => {
  withoutJitter(t);
  t.mock.method(console, "error", () => {});
  const log = new Log({ count: 4 });
  const rest = gate();
  const first = stream(log.head(), log.recorded(log.events[0]), log.recorded(log.events[0]), log.recorded(log.events[1]), () => rest.passed.then(() => log.recorded(log.events[2])));
  const opened = open(ADDRESS, { fetch: serving(first, (address) => stream(log.answer(above(address)))).fetch });
  for await (const item of opened) {
    if (item.seq !== 2) continue;
    assert.equal(opened.stats().duplicates, 1);
    const module = await links.ready();
    assert.throws(() => module.crash());
    rest.open();
  }
  const { events, duplicates, reconnects } = opened.stats();
  assert.deepEqual({ events, duplicates, reconnects }, { events: 4, duplicates: 1, reconnects: 1 });
});

test("debug writes one line for each decision, and nothing else", async (t) => {
  withoutJitter(t);
  const log = new Log({ count: 2, generation: 7 });
  const answers = () => serving(stream(log.head(), log.recorded(log.events[0]), log.delta("x"), "data: {", new Error("reset")), (address) => stream(log.answer(above(address))));
  const lines = [];
  const decisions = [];
  await collect(open(ADDRESS, { fetch: answers().fetch, debug: (line) => lines.push(line), onDecision: (decision) => decisions.push(decision) }));
  assert.equal(lines.length, decisions.length);
  for (const [i, line] of lines.entries()) {
    assert.match(line, /^tidemark (s1|-) [a-z_]+( [a-zA-Z]+=("[^"]*"|\S+))*$/);
    assert.ok(line.includes(decisions[i].verdict));
  }
  assert.ok(lines.some((line) => /^tidemark s1 accept .*\bseq=1\b/.test(line) && line.includes("cursor=s1:1@7")), lines.join("\n"));
  assert.ok(lines.some((line) => line.startsWith('tidemark - broken ') && line.includes('rule=stream.connection_lost') && line.includes('problem="cut inside a frame"')), lines.join("\n"));

  const console_ = t.mock.method(console, "debug", () => {});
  await collect(open(ADDRESS, { fetch: answers().fetch, debug: true }));
  assert.deepEqual(console_.mock.calls.map((call) => call.arguments), lines.map((line) => [line]));
  console_.mock.resetCalls();
  await collect(open(ADDRESS, { fetch: answers().fetch, debug: false }));
  assert.equal(console_.mock.callCount(), 0);
});

test("what a server calls things cannot break a line or look like another", async () => {
  const log = new Log({ session: "s 1", count: 1, generation: '7 tidemark s2 "accept"' });
  const lines = [];
  const answer = log.answer().replace(/^id: .*\n/gm, "");
  await collect(open("http://x.invalid/stream", { session: "s 1", fetch: serving(stream(answer)).fetch, debug: (line) => lines.push(line) }));
  assert.ok(lines.some((line) => line.includes(' generation="7 tidemark s2 \\"accept\\""')), lines.join("\n"));
  for (const line of lines) assert.ok(line.startsWith('tidemark "s 1" '), line);
  assert.equal(lineOf({ session: "a", verdict: "accept", generation: "7\ntidemark b accept" }), 'tidemark a accept generation="7\\ntidemark b accept"');
});
