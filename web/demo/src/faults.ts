import { find, write } from "./dom.js";
import type { Extent } from "./follow-log.js";
import type { Session } from "./urls.js";

interface Report {
  happened?: string;
  positions?: Extent;
  title?: string;
  found?: string;
}

/** A fault that shows nothing while the cursor still stands on a loaded state: there is no event yet to compare. */
const NEEDS_EVENT = "replace";

/** The buttons that break things, and the sentence about what happened then. For one session; another one takes them over. */
export class Faults {
  readonly #happened = find(".happened");
  readonly #buttons = [...document.querySelectorAll<HTMLButtonElement>("button[data-fault]")];
  readonly #over: AbortSignal;

  /** `over` fires when the session is not looked at any more. */
  constructor(over: AbortSignal) {
    this.#over = over;
  }

  /** Makes the buttons work that the session knows; `during` is called with what a press does. */
  serve({ faultsUrl, faults }: Session, during: (press: () => Promise<Extent | undefined>) => Promise<void>): void {
    write(this.#happened, "");
    for (const button of this.#buttons) {
      const fault = button.dataset.fault!;
      button.hidden = !faults.includes(fault);
      button.disabled = fault === NEEDS_EVENT;
      button.ariaBusy = null;
      button.onclick = async () => {
        if (button.ariaBusy === "true") return;
        button.ariaBusy = "true";
        await during(() => this.#press(faultsUrl, fault)).catch(() => {});
        if (!this.#over.aborted) button.ariaBusy = null;
      };
    }
  }

  /** Whether the right half has taken in an event since its state. */
  ready(hasEvent: boolean): void {
    for (const button of this.#buttons) if (button.dataset.fault === NEEDS_EVENT) button.disabled = !hasEvent;
  }

  async #press(url: string, fault: string): Promise<Extent | undefined> {
    this.#say("");
    try {
      const response = await fetch(url, {
        method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ fault }),
      });
      const { happened, title, found, positions } = (await response.json()) as Report;
      this.#say(sentence(happened ?? [title, found].filter(Boolean).join(" ")));
      return positions;
    } catch {
      this.#say("The server did not answer.");
      return undefined;
    }
  }

  #say(text: string): void {
    if (!this.#over.aborted) write(this.#happened, text);
  }
}

function sentence(text: string): string {
  return text === "" ? "" : `${text[0]!.toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;
}
