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
  replace: ({ seenSeq }, from) => ({ missing: seqs(1, seenSeq), stale: seqs(from, seenSeq) }),
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
  replace: {
    reason: "generation_changed", detail: "history_changed", rule: "stream.generation_changed.history_changed",
    evidence: ({ seenSeq }) => ({ "I stand at": `${seenSeq}`, "asked once more for": `${seenSeq}` }),
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

/** Where left goes on in another history, as if it were the one above. */
const SPLICED = { takeover: true, replace: true };

/** Left is wrong where it should be, says that all is well, and the page shows that it is not. */
async function checkLeft(demo, { fault, positions }) {
  const from = Number((await demo.side("left")).from);
  const { missing = [], doubled = [], stale = [] } = DAMAGE[fault]?.(positions, from) ?? {};
  const wrong = missing.length + doubled.length + stale.length > 0;
  await demo.until("left", {
    status: wrong ? "wrong" : "right", reached: positions.lastSeq + 1, doubled: `${doubled.length}`, stale: `${stale.length}`,
    missing: fault === "lose" ? 0 : `${missing.length}`,
  });
  assert.equal(await demo.text("left", ".says"), "believes: connected, all is well");
  await demo.untilRowAbove("left", positions.lastSeq);
  const found = await demo.compare("left");
  const first = Math.min(await demo.stateThrough("left") + 1, found.good[0]);
  assert.deepEqual(found.missing, missing.filter((seq) => seq >= first), "missing, by the rows and the log");
  assert.deepEqual(found.doubled, doubled, "doubled, by the rows and the log");
  assert.deepEqual(found.stale, stale.filter((seq) => found.stale.includes(seq)), "stale, by the rows and the log");
  assert.equal(found.stale.length > 0, stale.length > 0);
  if (SPLICED[fault]) await checkSplice(demo, positions, found);
  // A browser that comes back late to a log that began anew starts in the middle of it.
  if (fault === "lose") missing.push(...seqs(1, found.good[0] - 1));
  assert.equal((await demo.side("left")).missing, `${missing.length}`);
  await demo.untilSeams("left", missing);
}

/** Left shows the log's new records right behind others that are in no log, and the page says where. */
async function checkSplice(demo, { seenSeq }, { good, stale }) {
  assert.equal(stale.at(-1), seenSeq);
  assert.equal(good.find((seq) => seq >= seenSeq), seenSeq + 1, "it goes on by number");
  const card = await demo.text("left", ".card");
  assert.ok(card.includes(`Up to ${seenSeq} it shows a log that is gone; from ${seenSeq + 1} on, another one.`), card);
}

/** The right side is right again: its rows are the log's, each once, without a hole, and go on beyond the fault. */
async function checkRight(demo, { fault, positions }, refusals) {
  const refused = REFUSED[fault];
  await demo.until("right", {
    status: "right", reached: positions.lastSeq + 1, missing: "0", doubled: "0", stale: "0", refusals: `${refusals}`,
    notice: refused ? "refused" : NOTICED[fault], reason: refused?.reason ?? null, detail: refused?.detail ?? null,
    strength: strengthOf(demo.session, refused), connection: "open", phase: "live",
  });
  await demo.untilRowAbove("right", positions.lastSeq);
  const { missing, doubled, stale } = await demo.compare("right");
  assert.deepEqual({ missing, doubled, stale }, { missing: [], doubled: [], stale: [] });
  if (fault === "cut") await checkProof(demo, positions);
  if (refused) await checkRefusal(demo, refused, positions);
  if (refused?.detail === "history_changed") await checkRecords(demo, positions);
}

/** Without generations a loaded state stands for itself, until a connection was proven by overlap. */
function strengthOf({ faults }, refused) {
  return faults.includes("takeover") || !refused ? "exact" : "contiguous";
}

/** Without generations the event at the cursor was asked for once more, which is what is said. */
async function checkProof(demo, { seenSeq }) {
  const card = await demo.text("right", ".card");
  const asked = /Asked once more for (\d+), and it is the same\./.exec(card);
  assert.equal(asked !== null, demo.session === demo.sessions.unfenced, card);
  if (asked) assert.ok(asked[1] <= seenSeq, `${asked[1]} is no seq that anybody has seen: ${card}`);
}

/** The card names the record that right had at its cursor, which left still shows, and the one of the log. */
async function checkRecords(demo, { seenSeq }) {
  const shown = await evidenceOf(demo);
  const mine = (await demo.rows("left")).find(({ seq }) => seq === seenSeq).type;
  const theirs = (await demo.log()).get(seenSeq).type;
  assert.equal(shown[`my ${seenSeq}`], mine);
  assert.equal(shown[`the log's ${seenSeq}`], mine === theirs ? `another ${theirs}` : theirs);
}

/** The card says why, with evidence, in the catalog's words, and where the state was rebuilt. */
async function checkRefusal(demo, { reason, rule, evidence }, positions) {
  const shown = await evidenceOf(demo);
  for (const [label, value] of Object.entries(evidence(positions))) assert.equal(shown[label], value, label);
  const card = await demo.text("right", ".card");
  const { message, hint } = catalog.rules.find(({ id }) => id === rule);
  const { rebuilt } = await demo.side("right");
  for (const text of [`Refused: ${reason.replaceAll("_", " ")}`, message, hint, rule, `Rebuilt from the transcript at ${rebuilt}, right again`]) {
    assert.ok(card.includes(text), `the card says "${text}", and not only:\n${card}`);
  }
}

describe("the demo", () => {
  test("both sides are right to begin with, and the module was served", async (t) => {
    const modules = [];
    const page = await demo(t, {
      prepare: async (page) => page.on("response", (response) => response.url().endsWith(".wasm") && modules.push(response)),
    });
    await page.untilBothRight();
    for (const side of ["left", "right"]) {
      const { missing, doubled, stale, good } = await page.compare(side);
      assert.deepEqual({ missing, doubled, stale }, { missing: [], doubled: [], stale: [] });
      assert.ok(good.length >= 3);
    }
    assert.deepEqual(modules.map((response) => [response.status(), response.headers()["content-type"]]), [[200, "application/wasm"]]);
    assert.deepEqual(page.takeErrors(), []);
  });

  for (const scene of ["fenced", "unfenced"]) test(`every fault of the ${scene} log: left goes wrong in silence, right refuses or heals`, async (t) => {
    const page = await demo(t, { speed: 1 }); // slow enough that no row of interest is let go within the bound
    await page.show(scene);
    await page.untilBothRight();
    const buttons = await page.faults();
    assert.deepEqual(buttons.toSorted(), page.session.faults.toSorted(), "a button for each fault of the session");
    let refusals = 0;
    for (const fault of buttons) {
      let done = false;
      await t.test(fault, async () => {
        const report = await page.press(fault);
        assert.equal(report.connections, 2, "both streams were met");
        assert.ok(REFUSED[fault] || NOTICED[fault], "this test knows the fault");
        if (REFUSED[fault]) refusals++;
        await checkLeft(page, report);
        await checkRight(page, report, refusals);
        const errors = page.takeErrors().filter((text) => fault !== "cut" || !BROKEN_OFF.test(text));
        assert.deepEqual(errors, []);
        if (DAMAGE[fault]) await page.reloadLeft();
        await page.untilBothRight(report.positions.lastSeq + 2);
        done = true;
      });
      if (!done) break; // the next one begins where this one should have ended
    }
  });

  test("the log that no number gives away is two clicks away, and the address keeps it", async (t) => {
    const page = await demo(t, { speed: 1 });
    await page.show("unfenced"); // one; at once, with the first session hardly begun
    const { positions } = await page.press("replace"); // two; the button waits until there is an event to compare
    await page.until("right", { notice: "refused", detail: "history_changed", status: "right", reached: positions.lastSeq + 1 });
    await page.until("left", { status: "wrong", missing: `${positions.seenSeq}` });
    await page.page.reload();
    await page.untilBothRight(positions.lastSeq + 1);
    assert.equal(await page.page.innerText(".log .generation"), "no generation");
    await page.show("fenced");
    await page.untilBothRight();
    assert.equal(await page.page.innerText(".log .generation"), "generation 1");
    for (const side of ["left", "right"]) {
      const { missing, doubled, stale } = await page.compare(side);
      assert.deepEqual({ missing, doubled, stale }, { missing: [], doubled: [], stale: [] });
    }
    assert.deepEqual(page.takeErrors(), []);
  });

  test("faults can follow one another: the right side ends right, the left one sums up", async (t) => {
    const page = await demo(t);
    await page.untilBothRight();
    await page.press("repeat");
    await page.press("drop");
    const { positions } = await page.press("takeover");
    const replaced = positions.seenSeq - positions.snapshotSeq;
    await page.until("left", { status: "wrong", doubled: "1", missing: `${1 + replaced}`, stale: `${replaced}` });
    await page.until("right", { status: "right", reached: positions.lastSeq + 1, refusals: "1", reason: "generation_changed" });
    const { missing, doubled, stale } = await page.compare("right");
    assert.deepEqual({ missing, doubled, stale }, { missing: [], doubled: [], stale: [] });
  });

  test("a phone shows all of it without scrolling sideways", async (t) => {
    const page = await demo(t, { viewport: { width: 390, height: 844 } });
    await page.untilBothRight();
    const { positions } = await page.press("takeover");
    await page.until("left", { status: "wrong", reached: positions.lastSeq });
    await page.until("right", { status: "right", rebuilt: 1, reached: positions.lastSeq + 1 });
    const { wide, width, hidden } = await page.page.evaluate(() => ({
      wide: document.documentElement.scrollWidth, width: innerWidth,
      hidden: [...document.querySelectorAll("button[data-fault]")].filter((button) => {
        const { left, right, top, bottom } = button.getBoundingClientRect();
        return button.checkVisibility() && (left < 0 || right > innerWidth || top < 0 || bottom > innerHeight);
      }).length,
    }));
    assert.ok(wide <= width, `the page is ${wide} wide in a viewport of ${width}`);
    assert.equal(hidden, 0, "all buttons are within reach");
    const behind = await page.page.evaluate(() => {
      document.scrollingElement.scrollTop = document.scrollingElement.scrollHeight;
      const bottom = (selector) => document.querySelector(selector).getBoundingClientRect().bottom;
      return Math.max(bottom("[data-side=right]"), bottom("[data-side=right] .card")) - document.querySelector(".spine").getBoundingClientRect().top;
    });
    assert.ok(behind <= 0, `at the end of the page ${behind} pixels lie behind the buttons`);
    assert.deepEqual(page.takeErrors(), []);
  });

  for (const [width, height] of [[320, 640], [390, 844], [860, 900], [844, 390], [900, 900]]) test(`nothing is cut, covered or out of reach at ${width} by ${height}`, async (t) => {
    const page = await demo(t, { viewport: { width, height } });
    await page.untilBothRight();
    const { cut, below } = await page.page.evaluate(() => ({
      cut: [...document.querySelectorAll(".says, .log h2, .log .about, .scenes button, button[data-fault] b")]
        .filter((part) => part.checkVisibility() && (part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== "inline" || part.getClientRects().length > 1 || part.getBoundingClientRect().right > innerWidth))
        .map(({ innerText }) => innerText),
      below: innerHeight - document.querySelector("main").getBoundingClientRect().bottom,
    }));
    assert.deepEqual(cut, [], "cut or broken");
    assert.ok(below <= 24, `${below} pixels are empty below the page`);
    await page.page.click(".key summary");
    await page.page.waitForSelector(".sheet .why dd"); // it is filled once it has opened
    assert.deepEqual(await page.page.locator(".sheet .why dt").allInnerTexts(), ["Cut", "Drop", "Repeat", "Take over", "Prune", "Lose"]);
    assert.ok((await page.page.locator(".sheet .why dd").allInnerTexts()).every((text) => text.endsWith(".")), "each is explained");
    assert.equal(await page.page.locator(".sheet .legend li").count(), 5);
    assert.equal(await page.page.locator(".sheet .links a:visible").count(), 2);
    await page.page.keyboard.press("Escape");
    assert.equal(await page.page.locator(".sheet").isVisible(), false);
    await page.press("takeover");
    await page.until("right", { status: "right", rebuilt: 1 });
    await page.page.waitForFunction(() => { // it is scrolled there
      const card = document.querySelector("[data-side=right] .card").getBoundingClientRect();
      const bar = document.querySelector(".spine");
      return getComputedStyle(bar).position !== "sticky" || (card.bottom <= bar.getBoundingClientRect().top && card.top < innerHeight);
    });
    const sideways = () => page.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(await sideways(), false, "two halves scroll sideways");
    await page.show("inbox");
    await page.page.waitForSelector(".slot:nth-child(3) .ask");
    assert.equal(await sideways(), false, "the inbox scrolls sideways");
    assert.deepEqual(page.takeErrors(), []);
  });

  test("the document stays small however much comes", async (t) => {
    const page = await demo(t, { speed: 40 });
    await page.untilBothRight(900);
    const most = await page.page.evaluate(() => Math.max(...[...document.querySelectorAll(".river")].map((list) => list.childElementCount)));
    assert.ok(most > 50 && most <= 200, `${most} rows`);
    assert.deepEqual(page.takeErrors(), []);
  });

  test("without the module the right side says so, and can be started again", async (t) => {
    const page = await demo(t, { prepare: (page) => page.route("**/*.wasm", (route) => route.fulfill({ status: 404, body: "not here" })) });
    await page.until("right", { status: "failed" });
    await page.until("left", { status: "right" });
    const { message, hint } = catalog.rules.find(({ id }) => id === "stream.module_load");
    const card = await page.text("right", ".card");
    assert.ok(card.includes(message.replace(/\.$/, "")) && card.includes(hint), card);
    await page.page.unroute("**/*.wasm");
    await page.page.click("[data-side=right] .card button");
    await page.untilBothRight();
  });

  test("without a network the right side waits for one, and goes on where it stopped", async (t) => {
    const page = await demo(t);
    await page.untilBothRight();
    await page.page.context().setOffline(true);
    await page.ask(page.session.faultsUrl, { method: "POST", headers: { "content-type": "application/json" }, body: '{"fault":"cut"}' });
    await page.until("right", { connection: "offline" });
    assert.equal(await page.text("right", ".connection"), "offline");
    const { reached } = await page.side("right");
    await page.page.context().setOffline(false);
    await page.until("right", { status: "right", connection: "open", phase: "live", notice: "reconnected", refusals: "0", reached: Number(reached) + 1 });
    const { missing, doubled, stale } = await page.compare("right");
    assert.deepEqual({ missing, doubled, stale }, { missing: [], doubled: [], stale: [] });
  });

  test("without the server both sides say so", async (t) => {
    const page = await demo(t);
    await page.untilBothRight();
    await page.stop();
    for (const side of ["left", "right"]) await page.until(side, { status: "gone" });
    await page.page.waitForFunction(() => {
      const { dataset, innerText } = document.querySelector("[data-side=right] .connection");
      return dataset.state === "waiting" && /^waiting\b/.test(innerText); // at one moment: it tries again and again
    });
  });
});
