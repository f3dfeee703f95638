// R-368 with many sessions, many questions, and modules and workers that die.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inbox } from "../dist/inbox.js";
import { init, open } from "../dist/index.js";
import { links } from "../dist/links.js";
import { Instance } from "../dist/instance.js";
import { Queue } from "../dist/queue.js";
import { NOW, page, reading, show } from "./support/boxes.mjs";
import { gate, turns, withoutJitter, withTime } from "./support/fetch.mjs";
import { Parks, Server } from "./support/parks.mjs";

await init();

test("one session's trouble is not another's", async (t) => {
  withTime(t);
  withoutJitter(t);
  const [a, b] = [new Parks({ session: "a" }), new Parks({ session: "b" })];
  a.ask("x");
  b.ask("y");
  const server = new Server(a, b);
  const box = await reading(t, server, { address: "http://x.invalid/stream", sessions: ["a", "b"] });
  assert.equal(show(box), "x pending, y pending");
  a.generation = 9;
  a.events.length = 0;
  server.cut();
  await turns();
  assert.equal(show(box), "x unknown(pending), y unknown(pending), a disconnected, b disconnected");
  t.mock.timers.tick(1000);
  await turns();
  assert.equal(show(box), "x unknown(pending), y pending, a refused");
});

test("10,000 questions, and settled rows within bounds", async (t) => {
  const log = new Parks();
  for (let i = 0; i < 10_000; i++) log.ask(`p${i}`);
  for (let i = 0; i < 1000; i++) {
    log.ask(`q${i}`);
    log.settle(`q${i}`);
  }
  const { box } = page(t, new Server(log), { box: { keep: 5 } });
  for (let i = 0; !box.sessions()[0]?.known; i++) await new Promise((resolve) => setTimeout(resolve, 20));
  const count = (state) => box.rows().filter((row) => row.state === state).length;
  assert.deepEqual([count("pending"), count("answered")], [10_000, 5]);
  assert.equal(box.sessions()[0].pending, 10_000);
});

test("when the module stops, rows are unknown until the inbox is folded anew", async (t) => {
  withTime(t);
  withoutJitter(t);
  t.mock.method(console, "error", () => {});
  const log = new Parks();
  for (let i = 0; i < 700; i++) { // more than is kept unfolded
    log.ask(`q${i}`);
    log.settle(`q${i}`);
  }
  log.ask("a");
  const server = new Server(log);
  const box = await reading(t, server, { box: { keep: 1 } });
  assert.equal(show(box), "q699 answered, a pending");
  const running = await links.ready();
  assert.throws(() => running.crash(), { id: "stream.module_exited" });
  assert.equal(show(box), "q699 unknown(answered), a unknown(pending), s1 catching_up");
  log.settle("a");
  server.cut();
  await turns();
  t.mock.timers.tick(2000);
  await turns();
  assert.equal(show(box), "a answered");
});

test("in a worker the same", async (t) => {
  const log = new Parks();
  log.ask("a");
  log.settle("a");
  log.ask("b");
  const { createServer } = await import("node:http");
  const responses = [];
  const http = createServer((request, response) => {
    responses.push(response);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const from = Number(/:(\d+)/.exec(new URL(request.url, "http://x").searchParams.get("cursor") ?? ":0")[1]);
    response.write([log.head(), ...log.events.slice(from).map((event) => log.recorded(event)), log.live()].join(""));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => http.once("listening", resolve));
  t.after(() => (http.closeAllConnections(), http.close()));
  const box = inbox(open(`http://127.0.0.1:${http.address().port}/v1/sessions/s1/events`, { worker: true }), { now: NOW });
  t.after(() => box.close());
  void box.run();
  const until = async (want) => {
    for (let i = 0; show(box) !== want && i < 500; i++) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(show(box), want);
  };
  await until("a answered, b pending");
  const gone = until("a unknown(answered), b unknown(pending), s1 disconnected");
  log.settle("b");
  responses[0].destroy();
  await gone;
  await until("a answered, b answered");
});

/** How much is done for a log of so many questions: items that were looked at while they waited, and rows that were made. */
async function work(t, questions) {
  let looks = 0;
  let made = 0;
  const { drop } = Queue.prototype;
  const { text } = Instance.prototype;
  const mocks = [
    t.mock.method(Queue.prototype, "drop", function (unwanted) { return drop.call(this, (item) => (looks++, unwanted(item))); }),
    t.mock.method(Instance.prototype, "text", function (...at) { const came = text.apply(this, at); made += came.split('"requestType"').length - 1; return came; }),
  ];
  const log = new Parks();
  for (let i = 0; i < questions; i++) log.ask(`p${i}`);
  const whole = gate();
  const { box } = page(t, new Server(log), { box: { onChange: () => box.sessions()[0].known && whole.open() } });
  await whole.passed;
  assert.equal(box.sessions()[0].pending, questions);
  for (const { mock } of mocks) mock.restore();
  box.close();
  return [looks / questions, made / questions];
}

test("what a long log costs grows as the log does", async (t) => {
  for (const questions of [1500, 6000]) {
    const [looks, made] = await work(t, questions);
    assert.ok(looks < 20 && made < 20, `${looks} looks and ${made} rows for each of ${questions} questions`);
  }
});

// What is not new in a list is the very row of the list before.
test("an event makes anew the rows that it changes, and no others", async (t) => {
  withTime(t);
  withoutJitter(t);
  const [a, b] = [new Parks({ session: "a" }), new Parks({ session: "b" })];
  for (let i = 0; i < 200; i++) (i % 2 ? a : b).ask(`p${i}`, i);
  const server = new Server(a, b);
  const box = await reading(t, server, { address: "http://x.invalid/stream", sessions: ["a", "b"] });
  const written = t.mock.method(Instance.prototype, "text");
  const changes = async (happens) => {
    const before = box.rows();
    written.mock.resetCalls();
    happens();
    await turns();
    const fresh = box.rows().filter((row) => !before.includes(row)).map(({ decisionId, state }) => `${decisionId} ${state}`);
    return [fresh, written.mock.calls.flatMap(({ result }) => result.match(/"requestType"/g) ?? []).length];
  };
  assert.deepEqual(await changes(() => server.record(a, a.settle("p101"))), [["p101 answered"], 1]);
  assert.deepEqual(await changes(() => server.record(b, b.ask("q", 150))), [["q pending"], 1], "between those of the other");
  assert.deepEqual(await changes(() => server.record(b, b.ask("p100", 151))), [["p100 pending"], 1], "asked again");
  const settled = box.rows().find(({ decisionId }) => decisionId === "p101");
  const [lost, texts] = await changes(() => server.cut());
  assert.equal(lost.length, 201);
  assert.ok(lost.every((row) => row.endsWith(" unknown")));
  assert.equal(texts, 0, "they are the same questions");
  const doubted = box.rows().find(({ decisionId }) => decisionId === "p101");
  assert.deepEqual(doubted, { ...settled, state: "unknown", was: "answered" });
  assert.ok(Object.isFrozen(doubted) && doubted.decision === settled.decision);
});
