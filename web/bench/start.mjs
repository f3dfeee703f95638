// How long open() takes to its first item, next to the browser's own EventSource to its first message: same page, same
// server, same bytes, in turn. Every pair has a page of its own, so that open() has to get its module from the HTTP cache.
//
//   node bench/start.mjs            SAMPLES=30 WAIT=150
import assert from "node:assert/strict";
import { withBrowser } from "./alone.mjs";
import { busy, least, median, setting } from "./paired.mjs";
import { pour } from "./site.mjs";

const SAMPLES = setting("SAMPLES", 30);
const WAIT = setting("WAIT", 150);

const session = "ses_bench";
const head = { sessionId: session, lastSeq: 1000, generation: 1, oldestSeq: 1, verdict: "replayed", from: 1 };
const first = { type: "iteration_started", sessionId: session, turnId: "turn_1", seq: 1, generation: 1, timestamp: 1767225600000, iteration: 1 };
const body = `event: tidemark.head\ndata: ${JSON.stringify(head)}\n\nid: ${session}:1@1\ndata: ${JSON.stringify(first)}\n\n`;

const arrivals = [];

/** Answers after a while, headers included, and then says nothing more. */
function answer(query, response) {
  arrivals.push(performance.timeOrigin + performance.now());
  setTimeout(pour, Number(query.get("wait")), response, [body]);
}

/** Runs in the page. Times are milliseconds after the call that is measured; `at` is when open() was called, on any clock. */
async function pair({ wait, order }) {
  const steps = {};
  let begun = 0;
  for (const name of ["compileStreaming", "instantiate"]) {
    const own = WebAssembly[name];
    WebAssembly[name] = (...given) => own.apply(WebAssembly, given).finally(() => (steps[name] = performance.now() - begun));
  }
  const { open } = await import("/dist/index.js");
  const url = new URL(`/sessions/ses_bench/events?wait=${wait}`, location.href).href;
  const contenders = {
    async ours() {
      for await (const item of open(url)) return { ms: performance.now() - begun, what: `${item.kind} ${item.seq}` };
    },
    theirs: () => new Promise((resolve, reject) => {
      const source = new EventSource(url);
      source.onerror = () => reject(new Error("EventSource failed"));
      source.onmessage = ({ data }) => {
        resolve({ ms: performance.now() - begun, what: `event ${JSON.parse(data).seq}` });
        source.close();
      };
    }),
  };
  const result = {};
  for (const name of order) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    begun = performance.now();
    if (name === "ours") steps.at = performance.timeOrigin + begun;
    result[name] = await contenders[name]();
  }
  return { ...result, steps };
}

const ORDERS = [["ours", "theirs"], ["theirs", "ours"]];

async function pairs(visit, wait) {
  const taken = [];
  for (let i = 0; i < SAMPLES; i++) {
    const order = ORDERS[i % 2];
    arrivals.length = 0;
    const { ours, theirs, steps } = await visit(pair, { wait, order });
    assert.deepEqual([ours.what, theirs.what], ["event 1", "event 1"]);
    taken.push({ ours: ours.ms, theirs: theirs.ms, arrived: arrivals[order.indexOf("ours")] - steps.at, ...steps });
  }
  return taken;
}

function report(what, taken) {
  const of = (name, take = median) => take(taken.map((sample) => sample[name])).toFixed(0);
  const line = (label, name) => console.log(`  ${label.padEnd(34)} ${of(name).padStart(5)} ${of(name, least).padStart(5)}`);
  const ratio = median(taken.map(({ ours, theirs }) => ours / theirs)).toFixed(2);
  const more = median(taken.map(({ ours, theirs }) => ours - theirs)).toFixed(0);
  console.log(`\n${what}, ${taken.length} pairs, ${busy()}        median, least, ms`);
  line("EventSource to its first message", "theirs");
  line("open() to its first item", "ours");
  line("  its request at the server", "arrived");
  line("  its module compiled", "compileStreaming");
  line("  its module instantiated", "instantiate");
  console.log(`  median of pairs: ratio ${ratio}, ${more} ms more`);
}

await withBrowser(answer, async (visit, { asked }) => {
  await visit(pair, { wait: 0, order: ORDERS[0] });
  const once = asked.length;
  report(`server answers after ${WAIT} ms`, await pairs(visit, WAIT));
  report("bare loopback", await pairs(visit, 0));
  assert.equal(asked.length, once, "everything of dist came from the cache");
});
