// What the edge worker costs, in a real workerd: next to a worker that reads the same streams in JavaScript and passes them on,
// and next to itself: "mute" makes no calls into Go while a stream lasts, "unjudged" does nothing of what judging needs. Processor
// time is that of the workerd process. Every round asks all workers, in turn, and a ratio is taken within a round, which is short
// because the machine has faster and slower moments; every few rounds all processes are new ones, because each is a little faster
// or slower for its whole life. The result is the median over rounds, and between which values the middle half of them lies.
//
//   npm run bench:edge              ROUNDS=3 LIVES=5 STREAMS=20 EVENTS=200 GAP=5 HELLOS=500
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../test/edge/support/consumer.mjs";
import { event, events, head, live } from "../test/edge/support/frames.mjs";
import { Upstream, held, stream } from "../test/edge/support/upstream.mjs";
import { serveWorker, usage } from "../test/edge/support/workerd.mjs";
import { bundled } from "../test/edge/support/workers.mjs";
import { busy, median, setting } from "./paired.mjs";

const ROUNDS = setting("ROUNDS", 3);
const LIVES = setting("LIVES", 5);
const STREAMS = setting("STREAMS", 20);
const EVENTS = setting("EVENTS", 200);
const GAP = setting("GAP", 5);
const HELLOS = setting("HELLOS", 500);
const POUR = 5000;
const PAGE = 50;
const MANY = 200;
const TIMES = 12;
/** Rounds that are not measured: it takes some 20,000 events until an engine has compiled the module as well as it will. */
const WARM = 2;

const upstream = await Upstream.start();
const bundles = Object.fromEntries(
  await Promise.all(["ours", "mute", "unjudged", "plain"].map(async (name) => [name, await bundled(new URL(`./edge/${name}.mjs`, import.meta.url))])));
const start = (name, flags) => serveWorker({ modules: bundles[name], text: { UPSTREAM: upstream.url }, flags });

const address = (worker, session) => `${worker.url}/v1/sessions/${session}/events`;

async function read(url) {
  const got = await ask(url);
  assert.equal(await got.whole, true);
  assert.equal(got.status, 200);
  return got;
}

/** Processor milliseconds that the worker used meanwhile. */
async function cost(worker, work) {
  const before = usage(worker).cpu;
  await work();
  return usage(worker).cpu - before;
}

/** Each event by itself, GAP milliseconds after the one before; the time that it was sent stands in it. */
async function paced(connection) {
  connection.open();
  await connection.send(head("paced", 0));
  for (let seq = 1; seq <= EVENTS; seq++) {
    await sleep(GAP);
    await connection.send(event("paced", seq, { text: `at ${performance.now()}` }));
  }
  connection.end();
}

const works = {
  /** One request that needs no stream. */
  hello: { rounds: ROUNDS, per: HELLOS, unit: "request", run: (worker) => inTurn(HELLOS, 4, () => read(`${worker.url}/hello`)) },
  /** The least that a stream can be. */
  short: { rounds: ROUNDS, per: HELLOS, unit: "request", run: (worker) => inTurn(HELLOS, 4, () => read(address(worker, "short"))) },
  /** 5,000 events as a server reads them out of its log, a page at once. */
  pages: { rounds: 4 * ROUNDS, per: 4 * POUR, unit: "event", run: (worker) => inTurn(4, 1, () => read(address(worker, "pages"))) },
  /** 5,000 events that come as fast as they are taken, each by itself: what a chunk costs is the most that an event can. */
  replay: { rounds: 4 * ROUNDS, per: POUR, unit: "event", run: (worker) => read(address(worker, "replay")) },
  /** Events that come one by one. */
  events: { rounds: 2 * ROUNDS, per: STREAMS * EVENTS, unit: "event", run: (worker) => Promise.all(Array.from({ length: STREAMS }, () => read(address(worker, "paced")))) },
};

async function inTurn(count, at, run) {
  await Promise.all(Array.from({ length: at }, async () => {
    for (let i = 0; i < count / at; i++) await run();
  }));
}

upstream.serve("short", stream([head("short", 1), event("short", 1), live("short", 1)].join("")));
upstream.serve("paced", paced);
upstream.serve("replay", stream(...events("replay", 1, POUR)));
upstream.serve("pages", stream(...Array.from({ length: POUR / PAGE }, (_, i) => events("pages", i * PAGE + 1, (i + 1) * PAGE).join(""))));

/** One round of one kind: every worker, each round beginning with another one. */
async function round(workers, work, number) {
  const names = Object.keys(workers);
  const found = {};
  for (const i of names.keys()) {
    const name = names[(i + number) % names.length];
    found[name] = (1000 * (await cost(workers[name], () => work.run(workers[name])))) / work.per;
  }
  return found;
}

/** The middle of what every round says, and between what its half lies. */
function middle(rounds, of, digits) {
  const all = rounds.map(of).toSorted((a, b) => a - b);
  const [low, mid, high] = [all.length >> 2, all.length >> 1, (3 * all.length) >> 2].map((at) => all[at].toFixed(digits));
  return `${mid} (${low} to ${high})`;
}

async function processor() {
  const found = Object.fromEntries(Object.keys(works).map((name) => [name, []]));
  let late = "";
  for (let life = 0; life < LIVES; life++) {
    const workers = Object.fromEntries(await Promise.all(Object.keys(bundles).map(async (name) => [name, await start(name)])));
    for (const [name, work] of Object.entries(works)) found[name].push(...(await rounds(workers, work)));
    if (life === LIVES - 1) late = await latency(workers);
    for (const worker of Object.values(workers)) await worker.stop();
  }
  console.log("processor time of workerd:");
  for (const [name, work] of Object.entries(works)) say(name, work, found[name]);
  console.log(late);
}

async function rounds(workers, work) {
  for (let number = 0; number < WARM; number++) await round(workers, work, number);
  const measured = [];
  for (let number = 0; number < work.rounds; number++) measured.push(await round(workers, work, number));
  return measured;
}

function say(name, work, all) {
  const micros = Object.keys(bundles).map((worker) => `${worker} ${median(all.map((found) => found[worker])).toFixed(0)}`);
  const share = (without) => `${middle(all, (found) => (100 * (found.ours - found[without])) / found.plain, 0)} %`;
  console.log(`  ${name}, ${all.length} rounds: ${micros.join(", ")} µs per ${work.unit}; ours / plain ${middle(all, ({ ours, plain }) => ours / plain, 2)}; ` +
    `of plain are the calls into Go ${share("mute")}, and all judging ${share("unjudged")}`);
}

/** How long an event takes from the server to the consumer, a stream of each worker at a time. */
async function latency({ ours: judged, plain: passed }) {
  const workers = { ours: judged, plain: passed };
  const lags = { ours: [], plain: [] };
  for (let round = 0; round < 3; round++) {
    await Promise.all(Object.entries(workers).map(async ([name, worker]) => {
      const got = await ask(address(worker, "paced"));
      let seen = 0;
      for (;;) {
        const before = got.length;
        await Promise.race([got.reached(before + 1), got.whole]);
        if (got.length === before) break;
        const now = performance.now();
        const fresh = [...got.text.slice(seen).matchAll(/"at ([\d.]+)"/g)];
        seen = got.text.lastIndexOf("\n\n") + 2;
        for (const [, at] of fresh) lags[name].push(now - at);
      }
    }));
  }
  const [ours, plain] = [median(lags.ours), median(lags.plain)];
  return `  an event on its way: ${ours.toFixed(2)} ms, plain ${plain.toFixed(2)}; added ${(ours - plain).toFixed(2)} ms (median of ${lags.ours.length})`;
}

/** Wall time of the first request of a fresh process. */
async function first() {
  const times = { ours: [], plain: [] };
  for (let life = 0; life < 2 * LIVES; life++) {
    for (const name of Object.keys(times)) {
      const worker = await start(name);
      const begun = performance.now();
      await read(address(worker, "short"));
      times[name].push(performance.now() - begun);
      await worker.stop();
    }
  }
  const say = (name) => `${median(times[name]).toFixed(0)} ms (worst ${Math.max(...times[name]).toFixed(0)})`;
  console.log(`first request of a process: ${say("ours")}, plain ${say("plain")}`);
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/**
 * Memory of many streams at once, above that of the process after its first request; and what is left of them, time after time,
 * when the engine has collected. A stream that leaves something behind makes that grow.
 */
async function memory(name) {
  const worker = await start(name, ["--expose-gc"]);
  await read(address(worker, "short"));
  const idle = await settled(worker);
  const times = [];
  for (let time = 0; time < TIMES; time++) times.push(await many(worker));
  const more = (bytes) => megabytes(bytes - idle);
  console.log(`${MANY} streams, ${name}: idle ${megabytes(idle)}; open ${more(times[0].open)} more; ` +
    `closed, ${TIMES} times over: ${times.map(({ closed }) => more(closed)).join(", ")} more`);
  await worker.stop();
}

/** Memory once everything that can be collected is. */
async function settled(worker) {
  for (let i = 0; i < 3; i++) await read(`${worker.url}/collect`);
  await sleep(500);
  return usage(worker).memory;
}

async function many(worker) {
  const text = [head("many", 5), ...events("many", 1, 5), live("many", 5)].join("");
  const connections = upstream.serve("many", held(text));
  const got = await Promise.all(Array.from({ length: MANY }, () => ask(address(worker, "many"))));
  await Promise.all(got.map((answer) => answer.reached(Buffer.byteLength(text))));
  const open = usage(worker).memory;
  for (const answer of got) answer.leave();
  await Promise.all(connections.map(({ ended }) => ended));
  return { open, closed: await settled(worker) };
}

console.log(busy());
await first();
await memory("ours");
await memory("plain");
await processor();
console.log(busy());
await upstream.stop();
process.exit();
