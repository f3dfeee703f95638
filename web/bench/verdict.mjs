// What a verdict costs: eventsource-parser + JSON.parse + a seq check against this package, in one process.
//
//   npm run bench                 ROUNDS=9 MB=100 CHUNK=16384 SEED=1
//
// Every contender runs once a round, in turn; a ratio is taken within a round, and the median over rounds
// is the result. Absolute times move with the machine, ratios hardly. Contenders have to agree on all counts.
// A round has to be long: each begins with a collected heap, and with few MB that is most of what is measured.
import assert from "node:assert/strict";
import { createParser } from "eventsource-parser";
import { open } from "../dist/index.js";
import { INPUT, Link } from "../dist/link.js";
import { links } from "../dist/links.js";
import { chunks, traffic } from "./traffic.mjs";

const setting = (name, value) => Number(process.env[name] ?? value);
const ROUNDS = Math.max(7, setting("ROUNDS", 9));
const CHUNK = setting("CHUNK", 16 << 10);
const { bytes, sessions, counts } = traffic({ seed: setting("SEED", 1), bytes: setting("MB", 100) * 1e6 });
const module = await links.ready();

/** What most pages do, with the check that most leave out. */
function baseline(read) {
  const seen = { accept: 0, pass: 0, duplicate: 0 };
  const last = new Map();
  let sink = 0;
  const onEvent = ({ event, data }) => {
    if (event !== undefined) return;
    const parsed = JSON.parse(data);
    const { sessionId, seq, generation } = parsed;
    if (seq === undefined) {
      seen.pass++;
      if (read !== "recorded") sink += parsed.type.length;
      return;
    }
    const at = last.get(sessionId) ?? { seq: 0, generation };
    if (generation !== at.generation || seq > at.seq + 1) throw new Error("does not connect");
    if (seq <= at.seq) return void seen.duplicate++;
    last.set(sessionId, { seq, generation });
    seen.accept++;
    sink += parsed.type.length;
  };
  const parser = createParser({ onEvent });
  const decoder = new TextDecoder();
  for (const chunk of chunks(bytes, CHUNK)) parser.feed(decoder.decode(chunk, { stream: true }));
  return { ...seen, sink };
}

const READS = {
  verdict: () => 0,
  recorded: (item) => (item.kind === "event" ? item.event.type.length : 0),
  all: (item) => item.event.type.length,
};

/** The module alone: verdict and place of every event, read from its rows. */
function rows() {
  const seen = { accept: 0, pass: 0, sink: 0 };
  const handle = module.open(JSON.stringify({ sessions }));
  const take = (count) => {
    for (;;) {
      const { words, seqs } = module.rows(count);
      for (let i = 0; i < count; i++) {
        const kind = words[i * 8] & 0xff;
        if (kind === 1) seen.accept++;
        else if (kind === 2) seen.pass++;
        seen.sink += seqs[i * 4 + 1];
      }
      if (count < 1024) return;
      count = module.next(handle);
    }
  };
  take(module.input(handle, INPUT.start, "{}", 0, 0));
  take(module.input(handle, INPUT.opened, '{"status":200,"contentType":"text/event-stream"}', 0, 0));
  for (const chunk of chunks(bytes, CHUNK)) take(module.feed(handle, chunk, 0, 0));
  module.close(handle);
  return seen;
}

/** The link with all items made, as `open()` uses it. */
function link(read) {
  const seen = { accept: 0, pass: 0, sink: 0 };
  const machine = new Link(module, JSON.stringify({ sessions }));
  machine.input(INPUT.start);
  machine.input(INPUT.opened, { status: 200, contentType: "text/event-stream" });
  const look = READS[read];
  for (const chunk of chunks(bytes, CHUNK)) {
    for (const item of machine.feed(chunk).items) {
      if (item.kind === "event") seen.accept++;
      else if (item.kind === "draft") seen.pass++;
      else throw new Error(item.kind);
      seen.sink += look(item);
    }
  }
  machine.close();
  return seen;
}

/** Everything: `open()` over a fetch whose body is these bytes. */
async function opened(read) {
  const seen = { accept: 0, pass: 0, sink: 0 };
  const source = chunks(bytes, CHUNK);
  const body = new ReadableStream({
    pull(controller) {
      const { done, value } = source.next();
      if (!done) controller.enqueue(value);
    },
  }, { highWaterMark: 0 });
  const fetch = async () => new Response(body, { headers: { "content-type": "text/event-stream" } });
  const look = READS[read];
  const due = counts.accept + counts.pass;
  for await (const batch of open("http://bench.invalid/", { sessions, fetch }).batches()) {
    for (const item of batch) {
      if (item.kind === "event") seen.accept++;
      else if (item.kind === "draft") seen.pass++;
      seen.sink += look(item);
    }
    if (seen.accept + seen.pass === due) break;
  }
  return seen;
}

/** Duplicates leave no item; the decisions say how many there were. */
function duplicates() {
  const machine = new Link(module, JSON.stringify({ sessions, decisions: true }));
  machine.input(INPUT.start);
  machine.input(INPUT.opened, { status: 200, contentType: "text/event-stream" });
  let duplicate = 0;
  for (const chunk of chunks(bytes, CHUNK)) duplicate += machine.feed(chunk).decisions.filter(({ verdict }) => verdict === "duplicate").length;
  machine.close();
  return duplicate;
}

async function timed(run, read) {
  globalThis.gc?.();
  const cpu = process.cpuUsage();
  const wall = performance.now();
  const seen = await run(read);
  const { user, system } = process.cpuUsage(cpu);
  return { seen, cpu: user + system, wall: (performance.now() - wall) * 1000 };
}

const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
const CONTENDERS = { baseline, module: rows, link, "open()": opened };
const runs = {};
const fits = (name, read) => name !== "module" || read === "verdict";

console.log(`${counts.events} events, ${(bytes.length / counts.events).toFixed(0)} bytes each, chunks of ${CHUNK}, ${ROUNDS} rounds, Node ${process.version}`);
assert.equal(duplicates(), counts.duplicate, "duplicates");

for (const read of Object.keys(READS)) for (const name of Object.keys(CONTENDERS)) runs[`${read} ${name}`] = [];
for (let round = -1; round < ROUNDS; round++) {
  for (const read of Object.keys(READS)) {
    for (const [name, run] of Object.entries(CONTENDERS)) {
      if (!fits(name, read)) continue;
      const { seen, cpu, wall } = await timed(run, read);
      assert.deepEqual([seen.accept, seen.pass], [counts.accept, counts.pass], `${name}: counts`);
      if (seen.duplicate !== undefined) assert.equal(seen.duplicate, counts.duplicate, `${name}: duplicates`);
      if (round >= 0) runs[`${read} ${name}`].push({ cpu, wall });
    }
  }
}

for (const [read, what] of [["verdict", "verdict only"], ["recorded", "recorded events read"], ["all", "every event read"]]) {
  console.log(`\n${what}`);
  const base = runs[`${read} baseline`];
  for (const name of Object.keys(CONTENDERS)) {
    if (!fits(name, read)) continue;
    const mine = runs[`${read} ${name}`];
    const ratio = (by) => median(mine.map((run, i) => base[i][by] / run[by])).toFixed(2);
    const ns = (median(mine.map(({ cpu }) => cpu)) * 1000) / counts.events;
    const label = name === "baseline" ? "eventsource-parser + JSON.parse + seq check" : `tidemark ${name}`;
    console.log(`  ${label.padEnd(46)} ${ns.toFixed(0).padStart(6)} ns/event cpu   ratio ${ratio("cpu").padStart(5)} cpu ${ratio("wall").padStart(6)} wall`);
  }
}
