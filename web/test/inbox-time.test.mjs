// R-363 in a page: deadlines pass by the clock, whether or not anything comes and whether or not timers fire.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init } from "../dist/index.js";
import { page, show } from "./support/boxes.mjs";
import { turns, withTime } from "./support/fetch.mjs";
import { Parks, Server, START } from "./support/parks.mjs";

await init();

test("a deadline passes by the clock alone, with one alarm for the next", async (t) => {
  const timers = withTime(t, START + 5000);
  const log = new Parks();
  log.ask("a", 1, 10);
  log.ask("b", 1, 20);
  const told = [];
  const { box } = page(t, new Server(log), { now: Date.now, box: { onChange: (rows) => told.push(rows.map(({ state }) => state).join()) } });
  await turns();
  assert.equal(told.at(-1), "pending,pending");
  timers.tick(4999);
  await turns();
  assert.equal(told.at(-1), "pending,pending");
  timers.tick(1);
  await turns();
  assert.equal(told.at(-1), "expired,pending");
  timers.tick(10_000);
  await turns();
  assert.equal(told.at(-1), "expired,expired");
  assert.equal(show(box), "a expired, b expired");
});

test("in a hidden page, where timers come late, the clock decides as soon as anybody looks", async (t) => {
  const hidden = new EventTarget();
  hidden.visibilityState = "hidden";
  globalThis.document = hidden;
  t.after(() => delete globalThis.document);
  let now = START + 5000;
  t.mock.timers.enable({ apis: ["setTimeout"] }); // no timer fires at all
  const log = new Parks();
  log.ask("a", 1, 10);
  const told = [];
  const { box } = page(t, new Server(log), { now: () => now, box: { onChange: (rows) => told.push(rows[0].state) } });
  await turns();
  now = START + 60_000;
  assert.equal(show(box), "a expired", "for whoever asks");
  now = START + 5000;
  assert.equal(show(box), "a pending", "a clock that was set back");
  await turns();
  now = START + 60_000;
  hidden.visibilityState = "visible";
  hidden.dispatchEvent(new Event("visibilitychange"));
  await turns();
  assert.equal(told.at(-1), "expired", "for whoever waits to be told");
});
