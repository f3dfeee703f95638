// The demo in a real browser: every fault button pressed, and what each side shows held against the log.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, describe, test } from "node:test";
import { launch } from "../../scripts/chromium.mjs";
import { BOUND, Demo, evidenceOf } from "./support/demo.mjs";
import { buildServer } from "./support/server.mjs";

const catalog = JSON.parse(readFileSync(new URL("../../dist/catalog.json", import.meta.url), "utf8"));
const seqs = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** A connection that breaks off is an error in the console of every browser, and not the page's. */
const BROKEN_OFF = /ERR_INCOMPLETE_CHUNKED_ENCODING/;

// Not in a hook: without a Chromium or a built page this is said once, and first.
const servers = buildServer();
const browser = await launch().catch((error) => {
  servers.remove();
  throw error;
});
after(async () => {
  await browser.close();
  servers.remove();
});

/** A page of a server of its own; both end with the test. */
async function demo(t, { speed = 4, viewport = { width: 1440, height: 900 }, prepare = async () => {} } = {}) {
  const server = await servers.start({ seed: 7, speed });
  t.after(server.stop);
  const page = await browser.newPage({ viewport });
  t.after(() => page.close());
  page.setDefaultTimeout(BOUND);
  await prepare(page);
  const demo = new Demo(page, server.url);
  await demo.open();
  return Object.assign(demo, { stop: server.stop });
}

/** Which places the left side gets wrong, by what the server reports and where the side begins. Without an entry: none. */
const DAMAGE = {
  drop: ({ eventSeq }) => ({ missing: [eventSeq] }),
  repeat: ({ eventSeq }) => ({ doubled: [eventSeq] }),
  takeover: ({ snapshotSeq, seenSeq }) => ({ missing: seqs(snapshotSeq + 1, seenSeq), stale: seqs(snapshotSeq + 1, seenSeq) }),
  prune: ({ seenSeq, oldestSeq }) => ({ missing: seqs(seenSeq + 1, oldestSeq - 1) }),
  lose: ({ seenSeq }, from) => ({ stale: seqs(from, seenSeq) }),
};

/** What the right side notices of a fault that it heals by itself. */
const NOTICED = { cut: "reconnected", drop: "gap", repeat: "duplicate" };

/** How the right side refuses the others, and the evidence it shows. */
const REFUSED = {
  takeover: {
    reason: "generation_changed", rule: "stream.generation_changed",
    evidence: ({ previousGeneration, generation, seenSeq }) =>
      ({ "my generation": `${previousGeneration}`, "the log's generation": `${generation}`, "I stand at": `${seenSeq}` }),
  },
  prune: {
    reason: "gap", detail: "pruned", rule: "stream.gap.pruned",
    evidence: ({ seenSeq, oldestSeq }) => ({ "I stand at": `${seenSeq}`, expected: `${seenSeq + 1}`, "the log begins at": `${oldestSeq}` }),
  },
  lose: {
    reason: "cursor_ahead", rule: "stream.cursor_ahead",
    evidence: ({ seenSeq }) => ({ "I stand at": `${seenSeq}`, "the log ends at": "0" }),
  },
};

/** Left is wrong where it should be, says that all is well, and the page shows that it is not. */
async function checkLeft(demo, { fault, positions }) {
  const from = Number((await demo.side("left")).from);
  const { missing = [], doubled = [], stale = [] } = DAMAGE[fault]?.(positions, from) ?? {};
  const wrong = missing.length + doubled.length + stale.length > 0;
  await demo.until("left", {
    status: wrong ? "wrong" : "exact", reached: positions.lastSeq + 1, doubled: `${doubled.length}`, stale: `${stale.length}`,
    missing: fault === "lose" ? 0 : `${missing.length}`,
  });
  assert.equal(await demo.text("left", ".says"), "believes: connected, all is well");
  await demo.untilRowAbove("left", positions.lastSeq);
  const found = await demo.compare("left");
  assert.deepEqual(found.missing, missing, "missing, by the rows and the log");
  assert.deepEqual(found.doubled, doubled, "doubled, by the rows and the log");
  assert.deepEqual(found.stale, stale.filter((seq) => found.stale.includes(seq)), "stale, by the rows and the log");
  assert.equal(found.stale.length > 0, stale.length > 0);
  // A browser that comes back late to a log that began anew starts in the middle of it.
  if (fault === "lose") missing.push(...seqs(1, found.good[0] - 1));
  assert.equal((await demo.side("left")).missing, `${missing.length}`);
  await demo.untilSeams("left", missing);
}

/** Right is exact again: its rows are the log's, each once, without a hole, and go on beyond the fault. */
async function checkRight(demo, { fault, positions }, refusals) {
  const refused = REFUSED[fault];
  await demo.until("right", {
    status: "exact", reached: positions.lastSeq + 1, missing: "0", doubled: "0", stale: "0", refusals: `${refusals}`,
    notice: refused ? "refused" : NOTICED[fault], reason: refused?.reason ?? null, detail: refused?.detail ?? null,
    strength: "exact",
  });
  await demo.untilRowAbove("right", positions.lastSeq);
  const { missing, doubled, stale } = await demo.compare("right");
  assert.deepEqual({ missing, doubled, stale }, { missing: [], doubled: [], stale: [] });
  if (refused) await checkRefusal(demo, refused, positions);
}

/** The card says why, with evidence, in the catalog's words, and where the state was rebuilt. */
async function checkRefusal(demo, { reason, rule, evidence }, positions) {
  const shown = await evidenceOf(demo);
  for (const [label, value] of Object.entries(evidence(positions))) assert.equal(shown[label], value, label);
  const card = await demo.text("right", ".card");
  const { message, hint } = catalog.rules.find(({ id }) => id === rule);
  const { rebuilt } = await demo.side("right");
  for (const text of [`Refused: ${reason.replaceAll("_", " ")}`, message, hint, rule, `Rebuilt from the transcript at ${rebuilt}, exact again`]) {
    assert.ok(card.includes(text), `the card says "${text}", and not only:\n${card}`);
  }
}

describe("the demo", () => {
  test("both sides are exact to begin with, and the module was served", async (t) => {
    const modules = [];
    const page = await demo(t, {
      prepare: async (page) => page.on("response", (response) => response.url().endsWith(".wasm") && modules.push(response)),
    });
    await page.untilBothExact();
    for (const side of ["left", "right"]) {
      const { missing, doubled, stale, good } = await page.compare(side);
      assert.deepEqual({ missing, doubled, stale }, { missing: [], doubled: [], stale: [] });
      assert.ok(good.length >= 3);
    }
    assert.deepEqual(modules.map((response) => [response.status(), response.headers()["content-type"]]), [[200, "application/wasm"]]);
    assert.deepEqual(page.takeErrors(), []);
  });

  test("every fault: left goes wrong in silence, right refuses or heals", async (t) => {
    const page = await demo(t);
    await page.untilBothExact();
    const buttons = await page.page.evaluate(() => [...document.querySelectorAll("button[data-fault]")].map(({ dataset }) => dataset.fault));
    assert.deepEqual(buttons.toSorted(), page.session.faults.toSorted(), "a button for each fault of the server");
    assert.deepEqual(buttons.toSorted(), [...Object.keys(NOTICED), ...Object.keys(REFUSED)].toSorted());
    let refusals = 0;
    for (const fault of buttons) {
      let done = false;
      await t.test(fault, async () => {
        const report = await page.press(fault);
        assert.equal(report.connections, 2, "both streams were met");
        if (REFUSED[fault]) refusals++;
        await checkLeft(page, report);
        await checkRight(page, report, refusals);
        const errors = page.takeErrors().filter((text) => fault !== "cut" || !BROKEN_OFF.test(text));
        assert.deepEqual(errors, []);
        if (DAMAGE[fault]) await page.reloadLeft();
        await page.untilBothExact(report.positions.lastSeq + 2);
        done = true;
      });
      if (!done) break; // the next one begins where this one should have ended
    }
  });

  test("faults can follow one another: right ends exact, left sums up", async (t) => {
    const page = await demo(t);
    await page.untilBothExact();
    await page.press("repeat");
    await page.press("drop");
    const { positions } = await page.press("takeover");
    const replaced = positions.seenSeq - positions.snapshotSeq;
    await page.until("left", { status: "wrong", doubled: "1", missing: `${1 + replaced}`, stale: `${replaced}` });
    await page.until("right", { status: "exact", reached: positions.lastSeq + 1, refusals: "1", reason: "generation_changed" });
    const { missing, doubled, stale } = await page.compare("right");
    assert.deepEqual({ missing, doubled, stale }, { missing: [], doubled: [], stale: [] });
  });

  test("a phone shows all of it without scrolling sideways", async (t) => {
    const page = await demo(t, { viewport: { width: 390, height: 844 } });
    await page.untilBothExact();
    const { positions } = await page.press("takeover");
    await page.until("left", { status: "wrong", reached: positions.lastSeq });
    await page.until("right", { status: "exact", rebuilt: 1, reached: positions.lastSeq + 1 });
    const { wide, width, hidden } = await page.page.evaluate(() => ({
      wide: document.documentElement.scrollWidth, width: innerWidth,
      hidden: [...document.querySelectorAll("button[data-fault]")].filter((button) => {
        const { left, right, top, bottom } = button.getBoundingClientRect();
        return left < 0 || right > innerWidth || top < 0 || bottom > innerHeight;
      }).length,
    }));
    assert.ok(wide <= width, `the page is ${wide} wide in a viewport of ${width}`);
    assert.equal(hidden, 0, "all buttons are within reach");
    assert.deepEqual(page.takeErrors(), []);
  });

  test("the document stays small however much comes", async (t) => {
    const page = await demo(t, { speed: 40 });
    await page.untilBothExact(900);
    const most = await page.page.evaluate(() => Math.max(...[...document.querySelectorAll(".river")].map((list) => list.childElementCount)));
    assert.ok(most > 50 && most <= 200, `${most} rows`);
    assert.deepEqual(page.takeErrors(), []);
  });

  test("without the module the right side says so, and can be started again", async (t) => {
    const page = await demo(t, { prepare: (page) => page.route("**/*.wasm", (route) => route.fulfill({ status: 404, body: "not here" })) });
    await page.until("right", { status: "failed" });
    await page.until("left", { status: "exact" });
    const { message, hint } = catalog.rules.find(({ id }) => id === "stream.module_load");
    const card = await page.text("right", ".card");
    assert.ok(card.includes(message.replace(/\.$/, "")) && card.includes(hint), card);
    await page.page.unroute("**/*.wasm");
    await page.page.click("[data-side=right] .card button");
    await page.untilBothExact();
  });

  test("without the server both sides say so", async (t) => {
    const page = await demo(t);
    await page.untilBothExact();
    await page.stop();
    for (const side of ["left", "right"]) await page.until(side, { status: "gone" });
  });
});
