// The inbox of the demo page as a test sees it, and the questions of its sessions as their logs have them.
import { BOUND } from "./demo.mjs";

/** One slot: by what is asked there. */
export const slot = (asks) => `.slot[data-asks=${asks}]`;

export class Questions {
  constructor(demo) {
    this.demo = demo;
    this.page = demo.page;
  }

  /** All slots, as they are shown. */
  shown() {
    return this.page.evaluate(() => [...document.querySelectorAll(".slot")].map((slot) => {
      const card = slot.querySelector(".ask:last-child");
      const { session, known, why } = slot.dataset;
      return {
        session, known, why, asks: slot.dataset.asks, cards: slot.querySelectorAll(".ask").length, ...card?.dataset,
        left: card?.querySelector(".left").textContent, words: card?.querySelector(".outcome:not([hidden])")?.textContent,
        about: card?.querySelector(".about").textContent,
      };
    }));
  }

  async of(asks) {
    return (await this.shown()).find((each) => each.asks === asks);
  }

  /** Waits until what is shown passes; answers it. */
  async until(passes, what) {
    const end = Date.now() + BOUND;
    for (;;) {
      const shown = await this.shown().catch(() => []); // the page is on its way to another one
      if (shown.length > 0 && passes(shown)) return shown;
      if (Date.now() > end) throw new Error(`${what} should come, and there is ${JSON.stringify(shown, null, 1)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Waits until the slot of a kind passes; answers it. */
  async untilOf(asks, passes, what) {
    const find = (all) => all.find((each) => each.asks === asks);
    return find(await this.until((all) => passes(find(all)), `${asks}: ${what}`));
  }

  pending(asks) {
    return this.untilOf(asks, ({ state, known }) => known === "yes" && state === "pending", "a question that waits");
  }

  press(asks, kind) {
    return this.page.click(`${slot(asks)} .act > .do[data-kind=${kind}], ${slot(asks)} .editor > .do[data-kind=${kind}]`);
  }

  /** The questions in the log of a session that nobody has settled, read from the server; undefined when there is no such session. */
  async open(session) {
    const response = await this.demo.ask(`/v1/sessions/${session}/transcript`);
    if (response.status === 404) return undefined; // a server that started again with other sessions
    const { state } = await response.json();
    return JSON.parse(state.parks.fold).fold.parks.filter(({ resolvedAt }) => resolvedAt === undefined);
  }

  /** Records of a type in the log of a session that are about a decision. */
  async records(session, type) {
    const found = [];
    for (let cursor = "", more = true; more; ) {
      const page = await (await this.demo.ask(`/v1/sessions/${session}/log?limit=1000${cursor}`)).json();
      found.push(...page.events.filter((event) => event.type === type));
      more = page.more;
      cursor = `&cursor=${encodeURIComponent(`${session}:${page.events.at(-1)?.seq}@${page.head.generation}`)}`;
    }
    return found;
  }

  /** Waits until no card can be answered but those that stand open in their logs, and all of those can, as far as their time goes. */
  async untilNoneDead() {
    const end = Date.now() + BOUND;
    for (;;) {
      const shown = await this.shown().catch(() => []); // the page is on its way to another one
      const wrong = shown.length === 0 ? ["nothing is shown"] : [];
      for (const each of shown) {
        const open = ((await this.open(each.session)) ?? [{ decisionId: "none" }]).filter(({ deadlineAt = Infinity }) => deadlineAt > Date.now() + 500).map(({ decisionId }) => decisionId);
        if (each.known !== "yes") wrong.push([each, "is not known"]);
        else if ((each.state === "pending") !== open.includes(each.decision) || open.length > 1) wrong.push([each, open]);
      }
      if (wrong.length === 0) return shown;
      if (Date.now() > end) throw new Error(`cards and logs differ: ${JSON.stringify(wrong, null, 1)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Where everything of the inbox lies, to hold against itself later. */
  places() {
    return this.page.evaluate(() => ["[data-side=inbox]", ".slots", ...[1, 2, 3].map((n) => `.slot:nth-child(${n})`), ".inbox .scroll"].map((selector) => {
      const { top, left, width, height } = document.querySelector(selector).getBoundingClientRect();
      return [selector, Math.round(top), Math.round(left), Math.round(width), Math.round(height)].join(" ");
    }));
  }
}
