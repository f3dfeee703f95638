// The inbox of the demo in a real browser: questions come, are answered, expire, are doubted and proven again.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { launch } from "../../scripts/chromium.mjs";
import { BOUND, Demo } from "./support/demo.mjs";
import { Questions, slot } from "./support/inbox.mjs";
import { buildServer } from "./support/server.mjs";

const servers = buildServer();
const browser = await launch().catch((error) => {
  servers.remove();
  throw error;
});
after(async () => {
  await browser.close();
  servers.remove();
});

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

async function serve(t, options) {
  const server = await servers.start({ seed: 7, speed: 2, ...options });
  t.after(server.stop);
  return server;
}

/** The inbox in a tab of its own. */
async function tab(t, server, { viewport = DESKTOP, ...options } = {}) {
  const page = await browser.newPage({ viewport, ...options });
  t.after(() => page.close());
  page.setDefaultTimeout(BOUND);
  const demo = new Demo(page, server.url);
  await demo.open();
  await demo.show("inbox");
  return Object.assign(new Questions(demo), { errors: () => demo.takeErrors() });
}

/** Holds requests for an address back until it is told to let them through. */
async function hold(page, address) {
  let release;
  let seen;
  const released = new Promise((resolve) => (release = resolve));
  const came = new Promise((resolve) => (seen = resolve));
  await page.route(address, async (route) => {
    seen();
    await released;
    await route.continue().catch(() => {}); // the page may have given it up
  });
  return { came, release: async () => (release(), page.unroute(address)) };
}

const focused = (page, selector) => page.evaluate((selector) => document.activeElement?.matches(selector) ?? false, selector);

describe("the inbox of the demo", () => {
  for (const [name, viewport] of [["desktop", DESKTOP], ["phone", PHONE]]) test(`a question comes, is answered on the page, and its turn goes on (${name})`, async (t) => {
    const inbox = await tab(t, await serve(t), { viewport });
    const plan = await inbox.pending("plan_approval");
    await inbox.pending("tool_review");
    assert.match(plan.left, /^\d:\d\d$/);
    const before = await inbox.places();
    await inbox.page.focus(`${slot("plan_approval")} .do[data-kind=yes]`);
    await inbox.page.keyboard.press("Enter");
    const settled = await inbox.untilOf("plan_approval", ({ decision, state, busy }) => decision !== plan.decision || (state === "answered" && !busy), "an answer");
    assert.deepEqual([settled.decision, settled.words], [plan.decision, "You approved."]);
    assert.ok(await focused(inbox.page, `${slot("plan_approval")} .outcome`), "the focus stays at the question");
    assert.equal(await inbox.page.innerText(".heard"), `${plan.about}: You approved.`);
    assert.deepEqual(await inbox.places(), before, "nothing moved");
    const [resolved] = await inbox.records(plan.session, "decision_resolved");
    assert.deepEqual([resolved.decisionId, resolved.decision.action, resolved.resolvedBy.role], [plan.decision, "approve_plan", "visitor"]);
    for (let done = []; !done.some(({ turnId }) => turnId === resolved.turnId); ) done = await inbox.records(plan.session, "plan_completed");
    const next = await inbox.untilOf("plan_approval", ({ decision, state }) => decision !== plan.decision && state === "pending", "the next question");
    assert.notEqual(next.decision, plan.decision);
    assert.ok(await focused(inbox.page, `${slot("plan_approval")} .ask`), "the focus is at the next question, and at none of its buttons");
    const line = inbox.page.locator(`.settled li[data-decision="${plan.decision}"]`);
    assert.equal(await line.locator(".outcome").innerText(), "You approved.");
    assert.deepEqual(await inbox.places(), before, "nothing moved");
    const wide = await inbox.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= viewport.width, `the page is ${wide} wide`);
    assert.deepEqual(inbox.errors(), []);
  });

  test("what is changed before it is approved runs as it was changed", async (t) => {
    const inbox = await tab(t, await serve(t));
    const { decision, session } = await inbox.pending("tool_review");
    await inbox.press("tool_review", "change");
    assert.ok(await focused(inbox.page, ".edit .command"));
    await inbox.page.fill(".edit .command", "git push --dry-run");
    await inbox.page.keyboard.press("Enter");
    const { words } = await inbox.untilOf("tool_review", (shown) => shown.decision === decision && shown.state === "answered" && !shown.busy, "an answer");
    assert.equal(words, "You changed and approved.");
    const [{ turnId }] = await inbox.records(session, "decision_resolved");
    const ran = async () => (await inbox.records(session, "tool_executing")).find((event) => event.turnId === turnId && event.input.command);
    let call;
    while (!(call = await ran()));
    assert.equal(call.input.command, "git push --dry-run");
  });

  test("the first answer counts, and the other tab says so", async (t) => {
    const server = await serve(t);
    const [first, second, third] = [await tab(t, server), await tab(t, server), await tab(t, server)];
    const { decision } = await first.pending("plan_approval");
    for (const other of [second, third]) assert.equal((await other.pending("plan_approval")).decision, decision);
    const late = await hold(second.page, "**/decisions/**");
    await second.press("plan_approval", "yes");
    await late.came;
    await first.press("plan_approval", "no");
    const settled = (words) => (shown) => shown.decision === decision && shown.words === words;
    await first.untilOf("plan_approval", settled("You declined."), "its own answer");
    await third.untilOf("plan_approval", settled("Somebody else declined."), "the answer of another one");
    await late.release();
    await second.untilOf("plan_approval", settled("Too late: somebody else declined."), "the first answer");
    assert.deepEqual(third.errors(), []);
  });

  test("time runs out on the page, before anything is recorded", async (t) => {
    const inbox = await tab(t, await serve(t, { speed: 0.02 })); // the agent looks at deadlines between two events
    const { decision, session, left } = await inbox.pending("user_question");
    const seconds = (text) => Number(text.split(":")[0]) * 60 + Number(text.split(":")[1]);
    const before = await inbox.places();
    await inbox.untilOf("user_question", (shown) => shown.state !== "pending" || seconds(shown.left) < seconds(left), "less time");
    const { words, state } = await inbox.untilOf("user_question", (shown) => shown.decision !== decision || shown.state !== "pending", "the end of its time");
    assert.deepEqual([state, words], ["expired", "Time is up. Nobody answered."]);
    const [{ deadlineAt }] = (await inbox.open(session)).filter(({ decisionId }) => decisionId === decision);
    assert.ok(Date.now() >= deadlineAt, "not a moment early");
    assert.equal(await inbox.page.locator(`${slot("user_question")} .act`).isVisible(), false, "nobody can answer it any more");
    assert.deepEqual(await inbox.places(), before, "nothing moved");
    assert.deepEqual(inbox.errors(), []);
  });

  test("an expiry that is recorded lets the turn stay where it is", async (t) => {
    const inbox = await tab(t, await serve(t));
    const { decision, session } = await inbox.pending("user_question");
    await inbox.page.waitForSelector(`.settled li[data-decision="${decision}"]`);
    assert.equal(await inbox.page.innerText(`.settled li[data-decision="${decision}"] .outcome`), "Nobody answered in time.");
    const [expired] = await inbox.records(session, "decision_expired");
    assert.equal(expired.decisionId, decision);
    assert.deepEqual((await inbox.records(session, "turn_resuming")).filter(({ turnId }) => turnId === expired.turnId), []);
  });

  test("a refused stream makes its questions unknown until they are read anew", async (t) => {
    const inbox = await tab(t, await serve(t));
    const { decision } = await inbox.pending("tool_review");
    await inbox.pending("plan_approval");
    const before = await inbox.places();
    const transcript = await hold(inbox.page, "**/transcript");
    await inbox.demo.press("takeover");
    const doubted = await inbox.untilOf("tool_review", ({ state }) => state === "unknown", "doubt");
    await inbox.untilOf("tool_review", ({ why }) => why === "refused", "its reason");
    assert.deepEqual([doubted.decision, doubted.was], [decision, "pending"], "it is neither gone nor waiting");
    const other = await inbox.untilOf("plan_approval", ({ known }) => known === "yes", "the sessions beside it");
    assert.equal(other.state, "pending");
    assert.match(await inbox.page.innerText("[data-side=inbox] .status"), /1 unknown: the stream was refused/);
    let sent = 0;
    inbox.page.on("request", (request) => request.url().includes("/decisions/") && sent++);
    await inbox.page.dispatchEvent(`${slot("tool_review")} .act > .do[data-kind=yes]`, "click");
    assert.equal(sent, 0, "what is not known is not answered");
    assert.deepEqual(await inbox.places(), before, "nothing moved");
    await transcript.release();
    const again = await inbox.pending("tool_review");
    assert.equal(again.decision, decision, "the worker that took over waits on");
    await inbox.press("tool_review", "yes");
    await inbox.untilOf("tool_review", (shown) => shown.decision === decision && shown.words === "You approved.", "an answer");
    assert.equal(sent, 1);
  });

  test("no fault leaves a dead card", async (t) => {
    const inbox = await tab(t, await serve(t, { speed: 4 }));
    await inbox.untilNoneDead();
    for (const fault of await inbox.demo.faults()) {
      const { decision } = await inbox.pending("tool_review");
      await inbox.demo.press(fault);
      await inbox.untilNoneDead();
      const shown = await inbox.of("tool_review");
      if (fault === "lose") assert.notEqual(shown.decision, decision, "what was asked in a log that is gone is gone");
      const kinds = await inbox.page.$$(`.settled li[data-decision="${decision}"]`);
      if (fault === "lose") assert.equal(kinds.length, 0);
    }
  });

  test("a session that is refused again before anything followed its load begins again by itself (R-114)", async (t) => {
    const inbox = await tab(t, await serve(t, { speed: 0.02 })); // no event comes in between
    const { decision, session } = await inbox.pending("tool_review");
    await inbox.demo.press("takeover");
    await inbox.demo.until("right", { refusals: "1", phase: "live" });
    await inbox.demo.press("lose");
    await inbox.demo.until("right", { refusals: "2", again: 1, phase: "live" });
    await inbox.untilNoneDead();
    assert.notEqual((await inbox.of("tool_review")).decision, decision, "what was asked in a log that is gone is gone");
    assert.deepEqual(await inbox.open(session), []);
    assert.equal((await inbox.pending("plan_approval")).known, "yes", "the sessions beside it go on");
    assert.deepEqual(inbox.errors(), []);
  });

  for (const [name, seed] of [["with other sessions", 8], ["with sessions of the same names", 7]]) test(`a server that starts again ${name} leaves no dead card`, async (t) => {
    const server = await serve(t);
    const inbox = await tab(t, server);
    const { decision } = await inbox.pending("plan_approval");
    await inbox.press("plan_approval", "yes");
    await inbox.untilOf("plan_approval", (shown) => shown.words === "You approved.", "an answer");
    await inbox.pending("tool_review");
    await server.stop();
    const doubted = await inbox.until((all) => all.every(({ known }) => known === "no"), "doubt");
    assert.equal(doubted.find(({ asks }) => asks === "tool_review").state, "unknown");
    await inbox.page.waitForSelector("[data-side=inbox][data-status=gone]");
    await serve(t, { seed, addr: new URL(server.url).host });
    await inbox.untilNoneDead();
    await inbox.pending("plan_approval");
    await inbox.press("plan_approval", "no");
    const after = await inbox.untilOf("plan_approval", ({ words }) => words?.endsWith("declined."), "an answer");
    assert.equal(after.words, "You declined.");
    if (seed === 8) assert.notEqual(after.decision, decision);
  });
});
