// What a live event costs in an inbox of many questions that wait.
//
//   npm run bench:inbox           PARKS=10000 EVENTS=50
//
// A question, then an answer to another one, in turn; the time is until the list of rows with it comes by `onChange`. "rows that are new"
// are objects in such a list that were not in the one before.
import assert from "node:assert/strict";
import { loadavg } from "node:os";
import { inbox } from "../dist/inbox.js";
import { init, open } from "../dist/index.js";
import { Parks, Server } from "../test/support/parks.mjs";

const setting = (name, value) => Number(process.env[name] ?? value);
const PARKS = setting("PARKS", 10_000);
const EVENTS = setting("EVENTS", 50);

await init();
const log = new Parks();
for (let i = 0; i < PARKS; i++) log.ask(`d${i}`);
const server = new Server(log);
let told;
const box = inbox(open("http://tidemark.invalid/v1/sessions/s1/events", { fetch: server.fetch }), { onChange: (rows) => told?.(rows) });
const over = box.run();
const until = (test) => new Promise((resolve) => (told = (rows) => test(rows) && resolve(rows)));

/** Milliseconds of processor time until a list of rows is there, and how many of them were not in the one before. */
async function cost(happens, test) {
  const seen = new Set(box.rows());
  const before = process.cpuUsage();
  const comes = until(test);
  happens();
  const rows = await comes;
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1e3, fresh: rows.filter((row) => !seen.has(row)).length };
}

const known = (rows) => rows.length >= PARKS && rows[0].state !== "unknown";
const first = await cost(() => {}, known);
const asked = [], settled = [];
for (let i = 0; i < EVENTS; i++) {
  asked.push(await cost(() => server.record(log, log.ask(`e${i}`)), (rows) => rows.at(-1).decisionId === `e${i}` && known(rows)));
  settled.push(await cost(() => server.record(log, log.settle(`d${i}`)), (rows) => known(rows) && rows.find(({ decisionId }) => decisionId === `d${i}`)?.state !== "pending"));
}
const lost = await cost(() => server.cut(), (rows) => rows[0].state === "unknown");
const back = await cost(() => {}, known);
box.close();
await over.catch(() => {});

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
const line = (name, ...costs) => console.log(`${name.padEnd(12)} ${median(costs.map(({ ms }) => ms)).toFixed(1).padStart(7)} ms ${String(median(costs.map(({ fresh }) => fresh))).padStart(7)} rows that are new`);
assert.equal(asked.length, EVENTS);
console.log(`${PARKS.toLocaleString("en")} questions that wait, ${EVENTS} events of each kind, processor time, load ${loadavg()[0].toFixed(1)}`);
line("first list", first);
line("a question", ...asked);
line("an answer", ...settled);
line("cut off", lost);
line("back", back);
