// The demo page as a test sees it: what each side shows, read from the document, and the log, read from the server.
import assert from "node:assert/strict";

/** The longest that anything may take, in milliseconds. Only a failure ever waits that long. */
export const BOUND = 45_000;

export class Demo {
  constructor(page, url) {
    this.page = page;
    this.url = url;
    /** Errors of the console and of the page's scripts, until somebody takes them. */
    this.errors = [];
    page.on("console", (message) => message.type() === "error" && this.errors.push(message.text()));
    page.on("pageerror", (error) => this.errors.push(String(error)));
  }

  async open() {
    await this.page.goto(this.url);
    const { unfenced, asking, ...fenced } = await (await fetch(new URL("/demo/session", this.url))).json();
    this.sessions = { fenced, unfenced, inbox: asking[0] };
    this.desks = asking;
    this.session = fenced;
  }

  /** Goes over to the other session; what is asked of the log from then on is asked of that one. */
  async show(scene) {
    await this.page.click(`button[data-scene=${scene}]`);
    await this.page.waitForSelector(`body[data-scene=${scene}]`, { timeout: BOUND });
    this.session = this.sessions[scene];
  }

  /** The faults that can be pressed, in the order of the page. */
  faults() {
    return this.page.evaluate(() =>
      [...document.querySelectorAll("button[data-fault]")].filter((button) => button.checkVisibility()).map(({ dataset }) => dataset.fault));
  }

  takeErrors() {
    return this.errors.splice(0);
  }

  /** Waits until a side's data attributes are as wanted; numbers are "at least", texts are exact. */
  async until(side, wanted) {
    try {
      await this.page.waitForFunction(([side, wanted]) => {
        const { dataset } = document.querySelector(`[data-side=${side}]`);
        return Object.entries(wanted).every(([name, value]) =>
          typeof value === "number" ? Number(dataset[name] ?? NaN) >= value : (dataset[name] ?? null) === value);
      }, [side, wanted], { timeout: BOUND, polling: 50 });
    } catch (cause) {
      throw new Error(`${side} should come to ${JSON.stringify(wanted)}, and is at ${JSON.stringify(await this.side(side))}`, { cause });
    }
  }

  /** Waits for the row of a live event above a seq; rows are drawn a frame later than they are counted. */
  async untilRowAbove(side, seq) {
    await this.page.waitForFunction(([side, seq]) =>
      [...document.querySelectorAll(`[data-side=${side}] li[data-source=event]`)]
        .some(({ dataset }) => Number(dataset.seq) > seq && dataset.judged !== "stale"),
    [side, seq], { timeout: BOUND, polling: 50 });
  }

  /** Waits until the page marks exactly these seqs as missing between a side's rows. */
  async untilSeams(side, seqs) {
    try {
      await this.page.waitForFunction(([side, wanted]) =>
        [...document.querySelectorAll(`[data-side=${side}] li.seam`)].map(({ dataset }) => dataset.missing).join(" ") === wanted,
      [side, seqs.join(" ")], { timeout: BOUND, polling: 50 });
    } catch (cause) {
      const marked = await this.page.locator(`[data-side=${side}] li.seam`).allInnerTexts();
      throw new Error(`${side} should mark ${seqs.join(" ") || "nothing"}, and marks ${JSON.stringify(marked)}`, { cause });
    }
  }

  /** Waits until both sides are right, and have rows of live events behind their state. */
  async untilBothRight(reached = 1) {
    for (const side of ["left", "right"]) {
      await this.until(side, { status: "right", reached, missing: "0", doubled: "0", stale: "0" });
      const through = await this.stateThrough(side);
      if (through < Infinity) await this.untilRowAbove(side, through + 2);
    }
  }

  side(side) {
    return this.page.evaluate((side) => ({ ...document.querySelector(`[data-side=${side}]`).dataset }), side);
  }

  text(side, part) {
    return this.page.locator(`[data-side=${side}] ${part}`).innerText();
  }

  /** Presses the button of a fault; answers what the server reports. */
  async press(fault) {
    const [response] = await Promise.all([
      this.page.waitForResponse((response) => response.request().method() === "POST", { timeout: BOUND }),
      this.page.click(`button[data-fault=${fault}]`),
    ]);
    assert.equal(response.status(), 200);
    return response.json();
  }

  async reloadLeft() {
    await this.page.click("[data-action=reload]");
  }

  /** Rows of recorded events on a side, as they stand below one another. */
  rows(side) {
    return this.page.evaluate((side) =>
      [...document.querySelectorAll(`[data-side=${side}] li[data-source=event][data-seq]`)]
        .map(({ dataset: { seq, type, generation, turn, judged } }) => ({ seq: Number(seq), type, generation, turn, judged })), side);
  }

  /** The seq that a side's state stands at; Infinity when that line has been let go. */
  stateThrough(side) {
    return this.page.evaluate((side) => Number(document.querySelector(`[data-side=${side}] li.fold`)?.dataset.through ?? Infinity), side);
  }

  /**
   * Compares the rows of a side with the log, both read anew and without the page's help. An event is known by its
   * seq, type, generation and turn, whose id never comes again; one that was pruned is taken as it stands, since nothing is left to hold it against.
   */
  async compare(side) {
    const rows = await this.rows(side);
    const log = await this.log();
    const oldest = log.keys().next().value;
    const isTrue = (row) => row.seq < oldest || isShownAs(log.get(row.seq), row);
    const good = rows.filter(isTrue).map(({ seq }) => seq);
    const stale = rows.filter((row) => !isTrue(row)).map(({ seq }) => seq);
    const doubled = good.filter((seq, i) => good.indexOf(seq) < i);
    const missing = [];
    for (let seq = Math.min(await this.stateThrough(side) + 1, good[0]); seq < good.at(-1); seq++) if (!good.includes(seq)) missing.push(seq);
    return { missing, doubled, stale, good };
  }

  /** All records of the log by seq, by pages of the log route. */
  async log() {
    const { id, logUrl } = this.session;
    const events = new Map();
    for (let since = await this.beginning(), more = true; more; ) {
      const page = await (await this.ask(`${logUrl}?limit=1000&cursor=${encodeURIComponent(`${id}:${since}`)}`)).json();
      for (const event of page.events) events.set(event.seq, event);
      since = page.events.at(-1)?.seq;
      more = page.more;
    }
    return events;
  }

  /** The seq before the oldest record: a log that was pruned says so when it is read from the beginning. */
  async beginning() {
    const answer = await (await this.ask(`${this.session.logUrl}?limit=1`)).json();
    return (answer.head ?? answer.refusal.evidence).oldestSeq - 1;
  }

  ask(path, request) {
    return fetch(new URL(path, this.url), request);
  }
}

function isShownAs(event, { type, generation, turn }) {
  return event?.type === type && event.generation?.toString() === generation && event.turnId === turn;
}

/** What a refusal's card shows, by its labels. */
export function evidenceOf(demo) {
  return demo.page.evaluate(() => Object.fromEntries(
    [...document.querySelectorAll("[data-side=right] .card .pair")].map((pair) => [pair.querySelector("dt").innerText, pair.querySelector("dd").innerText]),
  ));
}
