// The same checks in every engine, against the server that misbehaves on purpose: page, worker and shared worker of the browsers,
// and the runtimes without a page. Which engines there are is found out by scripts/engines.sh, which also says what is missing.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { missing, NAMES } from "../../scripts/engines.mjs";
import { expected } from "./expected.mjs";
import { browsers } from "./support/browsers.mjs";
import { serveFaults } from "./support/faults.mjs";
import { servePages } from "./support/pages.mjs";
import { runIn, runtimes } from "./support/runtimes.mjs";

/** How long all checks of one context may take on a busy machine. */
const BOUND = 180_000;
const CONTEXTS = ["page", "worker", "shared"];

const absent = new Set(missing());
const there = (name) => !absent.has(name);
const reports = {};
let faults, pages;

before(async () => ([faults, pages] = [await serveFaults(), await servePages()]));
after(() => Promise.all([faults.stop(), pages.stop()]));

/** Everything a context reported is what was expected of it. */
function judge(name, results) {
  assert.deepEqual(failures(results), {});
  const { live, transcripts } = parted(results);
  for (const [title, lines] of Object.entries(expected)) assert.deepEqual(live[title], typeof lines === "function" ? lines(name, live[title]) : lines, title);
  assert.deepEqual(Object.keys(live).toSorted(), Object.keys(expected).toSorted(), "every check ran");
  reports[name] = transcripts;
}

const failures = (results) => Object.fromEntries(Object.entries(results).filter(([, { error }]) => error !== undefined));

function parted(results) {
  const parts = { live: {}, transcripts: {} };
  for (const [title, { got }] of Object.entries(results)) parts[title.startsWith("transcript: ") ? "transcripts" : "live"][title] = got;
  return parts;
}

for (const [name, start] of Object.entries(browsers).filter(([name]) => there(name))) {
  describe(name, () => {
    let browser;
    before(async () => {
      browser = await start(`${pages.url}/test/engines/checks/page.html?${new URLSearchParams({ server: faults.url, name })}`);
    });
    after(() => browser?.close());
    for (const context of CONTEXTS) {
      test(context, async () => {
        const ended = browser.ended.then((how) => assert.fail(`${name} has ended before its ${context} reported: ${how}`));
        judge(`${name} ${context}`, await within(BOUND, Promise.race([pages.reported(`${name} ${context}`), ended]), `no report of the ${context}`));
      });
    }
  });
}

for (const name of runtimes.filter((name) => name === "node" || there(name))) {
  test(name, async () => judge(name, await within(BOUND, runIn(name, faults.url, pages.url), "no report")));
}

// Case API-37: the same transcript gives the same items and the same decisions, whatever runs the module.
test("every engine decides the same, to the last member", () => {
  const [[first, transcripts], ...others] = Object.entries(reports);
  assert.ok(Object.keys(transcripts).length > 0);
  for (const { decisions } of Object.values(transcripts)) assert.ok(decisions.length > 0);
  for (const [name, same] of others) assert.deepEqual(same, transcripts, `${name} as ${first}`);
  const ran = NAMES.filter(there).flatMap((name) => (browsers[name] ? CONTEXTS.map((context) => `${name} ${context}`) : name));
  assert.deepEqual(Object.keys(reports).toSorted(), [...ran, "node"].toSorted());
});

async function within(ms, promise, otherwise) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`${otherwise} within ${ms / 1000} s`)), ms)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
