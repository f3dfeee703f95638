// The longest task on a page's main thread while 100,000 events are replayed into it and counted, with and
// without `worker: true`. Beside open() the same bytes are read and thrown away, because a page that does nothing else
// is late as well on a busy machine.
//
//   node bench/tasks.mjs            ROUNDS=5 EVENTS=100000 SEED=1
//
// Tasks come from the browser's trace, with the processor time of the thread beside the wall time: another process that
// takes the core makes a task long, and not ours. A heartbeat of 5 ms in the page says how late the page really was.
import assert from "node:assert/strict";
import { launch } from "../scripts/chromium.mjs";
import { busy, least, median, setting } from "./paired.mjs";
import { pour, site } from "./site.mjs";
import { chunks, traffic } from "./traffic.mjs";

const ROUNDS = setting("ROUNDS", 5);
const { bytes, sessions, counts } = traffic({ seed: setting("SEED", 1), events: setting("EVENTS", 100_000), bytes: Infinity });
const due = counts.accept + counts.pass;

/** Runs in the page: takes everything in one of the ways, and answers how late the page was meanwhile. */
async function replay({ way, sessions, due, size }) {
  const { open } = await import("/dist/index.js");
  await new Promise((resolve) => setTimeout(resolve, 100));
  let gap = 0;
  let beat = performance.now();
  const heart = setInterval(() => {
    const now = performance.now();
    gap = Math.max(gap, now - beat);
    beat = now;
  }, 5);
  const opened = async (options) => {
    let taken = 0;
    for await (const { kind } of open("/all/events", { sessions, ...options })) {
      if (kind !== "event" && kind !== "draft") continue;
      if (taken++ === 0) performance.mark("bench:first");
      if (taken === due) return taken;
    }
    return taken;
  };
  const ways = {
    async discard() {
      const reader = (await fetch("/all/events")).body.getReader();
      let left = size;
      while (left > 0) left -= (await reader.read()).value.length;
      await reader.cancel();
      return due;
    },
    page: () => opened({}),
    worker: () => opened({ worker: true }),
  };
  performance.mark("bench:begin");
  if (way === "discard") performance.mark("bench:first");
  const taken = await ways[way]();
  performance.mark("bench:end");
  await new Promise((resolve) => setTimeout(resolve, 50));
  clearInterval(heart);
  return { taken, gap };
}

/** Milliseconds of the tasks between the two marks, on the thread that made them. Tasks in tasks belong to the outer one. */
function tasks(trace) {
  const { traceEvents } = JSON.parse(trace);
  const [begin, first, end] = ["begin", "first", "end"].map((name) => traceEvents.find((event) => event.name === `bench:${name}`));
  assert.ok(begin && first && end, "the marks are in the trace");
  const ran = traceEvents.filter(({ pid, tid, ph, name }) => pid === begin.pid && tid === begin.tid && ph === "X" && name === "RunTask");
  return ran
    .filter(({ ts, dur }) => ts + dur > begin.ts && ts < end.ts)
    .map(({ ts, dur, tdur }) => ({ later: ts > first.ts, wall: dur / 1000, cpu: tdur / 1000 }));
}

const WAYS = { discard: "bytes thrown away", page: "open()", worker: "open(), worker: true" };
const CATEGORIES = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing"];
const runs = Object.fromEntries(Object.keys(WAYS).map((way) => [way, []]));

/** A page of its own for each, in a browser that keeps nothing: what the first page of a visitor goes through. */
async function traced(browser, url, way) {
  const page = await browser.newPage();
  try {
    await page.goto(url);
    await browser.startTracing(page, { categories: CATEGORIES });
    const { taken, gap } = await page.evaluate(replay, { way, sessions, due, size: bytes.length });
    assert.equal(taken, due, WAYS[way]);
    const ran = tasks(await browser.stopTracing());
    const most = (name, among = ran) => Math.max(...among.map((task) => task[name]));
    const sum = ran.reduce((all, { cpu }) => all + cpu, 0);
    return { gap, wall: most("wall"), cpu: most("cpu"), later: most("cpu", ran.filter(({ later }) => later)), sum, over: ran.filter(({ cpu }) => cpu > 50).length };
  } finally {
    await page.close();
  }
}

const served = await site({ stream: (_, response) => void pour(response, chunks(bytes, 1 << 16)), page: () => "", report() {} });
const browser = await launch();
try {
  for (let round = -1; round < ROUNDS; round++) {
    for (const way of Object.keys(WAYS)) {
      const run = await traced(browser, `http://127.0.0.1:${served.port}/`, way);
      if (round >= 0) runs[way].push(run);
    }
  }
} finally {
  await browser.close();
  await served.stop();
}

const ROWS = {
  cpu: "longest task, processor", later: "  after the first item", wall: "longest task, wall", gap: "widest heartbeat gap, wall",
  over: "tasks over 50 ms processor", sum: "all tasks, processor",
};
const cell = (text) => text.padStart(30);
console.log(`\n${counts.events} events of replay in Chromium, ${(bytes.length / 1e6).toFixed(0)} MB, ${ROUNDS} rounds, ${busy()}        median and least, ms`);
console.log(`  ${"".padEnd(28)}${Object.values(WAYS).map(cell).join("")}`);
for (const [name, label] of Object.entries(ROWS)) {
  const of = (way) => [median, least].map((take) => take(runs[way].map((run) => run[name])).toFixed(0).padStart(6)).join("");
  console.log(`  ${label.padEnd(28)}${Object.keys(WAYS).map((way) => cell(of(way))).join("")}`);
}
