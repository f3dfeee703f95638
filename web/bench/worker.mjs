// How long the page's thread is busy at a stretch while 100,000 events are replayed, with and without `worker: true`:
//
//   node bench/worker.mjs [EVENTS]
//
// Nothing else runs in the page, so all of its tasks are ours, or the app's, which reads every event. A task is measured in
// time of its thread, from a trace: on a machine that does other work, the wall says more about that work. How many tasks
// a browser itself would report as long (PerformanceObserver, 50 ms or more by the wall) is printed beside it.
import { launch } from "../scripts/chromium.mjs";
import { servePages, sendStream } from "../test/browser/support/pages.mjs";

const EVENTS = Number(process.argv[2] ?? 100_000);
const STREAM = "/v1/sessions/s1/events";
const PROSE = "the stream goes on from where it was and nothing is lost on the way to whoever reads it. ".repeat(5);

const frame = (name, data) => `event: ${name}\ndata: ${JSON.stringify({ sessionId: "s1", ...data })}\n\n`;
const event = (seq) => `id: s1:${seq}@1\ndata: ${JSON.stringify({ type: "message_completed", sessionId: "s1", turnId: "t1", seq, generation: 1, content: PROSE })}\n\n`;

/** The whole log, in chunks of a hundred events, as a server writes that has it in memory. */
function* replay() {
  yield frame("tidemark.head", { lastSeq: EVENTS, generation: 1, oldestSeq: 1, verdict: "replayed", from: 1 });
  for (let seq = 1; seq <= EVENTS; seq += 100) {
    yield Array.from({ length: Math.min(100, EVENTS - seq + 1) }, (_, i) => event(seq + i)).join("");
  }
  yield frame("tidemark.live", { lastSeq: EVENTS }) + frame("tidemark.end", { reason: "finished" });
}

/** Runs in the page. */
async function measure([stream, worker]) {
  const { open } = await import("/dist/index.js");
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ type: "longtask" });
  const began = performance.now();
  let [count, characters] = [0, 0];
  for await (const item of open(stream, { worker })) {
    if (item.kind !== "event") continue;
    count++;
    characters += item.event.content.length;
  }
  const took = performance.now() - began;
  await new Promise((resolve) => setTimeout(resolve, 200));
  observer.disconnect();
  return { count, characters, took, long: tasks.length };
}

/** Milliseconds of thread time of each task on the main thread of the page; other pages, as of the browser itself, are not ours. */
function tasksOf(trace, url) {
  const { traceEvents } = JSON.parse(trace.toString());
  const { frames } = traceEvents.find(({ name }) => name === "TracingStartedInBrowser").args.data;
  const page = frames.find((frame) => frame.url === url).processId;
  const { tid } = traceEvents.find(({ name, args, pid }) => name === "thread_name" && args.name === "CrRendererMain" && pid === page);
  return traceEvents.filter((e) => e.name === "ThreadControllerImpl::RunTask" && e.ph === "X" && e.pid === page && e.tid === tid).map(({ tdur }) => tdur / 1000);
}

const server = await servePages({ [STREAM]: (_, response) => void sendStream(response, replay()) });
const browser = await launch();
try {
  for (const worker of [false, true]) {
    const page = await browser.newPage();
    await page.goto(server.url);
    await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline"] });
    const { count, took, long } = await page.evaluate(measure, [STREAM, worker]);
    const tasks = tasksOf(await browser.stopTracing(), server.url);
    if (count !== EVENTS || tasks.length === 0) throw new Error(`${count} of ${EVENTS} events came, in ${tasks.length} tasks`);
    const [longest, busy, over] = [Math.max(...tasks), tasks.reduce((a, b) => a + b, 0), tasks.filter((ms) => ms >= 50).length];
    console.log(`worker: ${String(worker).padEnd(5)}  ${count} events in ${(took / 1000).toFixed(1)} s; the page's thread was busy for ${(busy / 1000).toFixed(1)} s,`
      + ` at most ${longest.toFixed(1)} ms at a stretch, ${over} times 50 ms or more (by the wall ${long} times)`);
    await page.close();
  }
} finally {
  await browser.close();
  server.stop();
}
