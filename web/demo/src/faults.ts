import { find, write } from "./dom.js";
import type { Extent } from "./follow-log.js";
import type { Session } from "./urls.js";

interface Report {
  happened?: string;
  positions?: Extent;
  title?: string;
  found?: string;
}

/** The buttons that break things, and the sentence about what happened then. */
export class Faults {
  readonly #happened = find(".happened");
  readonly #buttons = [...document.querySelectorAll<HTMLButtonElement>("button[data-fault]")];

  /** Makes the buttons work that the server knows; `during` is called with what a press does. */
  serve({ faultsUrl, faults }: Session, during: (press: () => Promise<Extent | undefined>) => Promise<void>): void {
    for (const button of this.#buttons) {
      const fault = button.dataset.fault!;
      button.disabled = !faults.includes(fault);
      button.onclick = async () => {
        if (button.ariaBusy === "true") return;
        button.ariaBusy = "true";
        await during(() => this.#press(faultsUrl, fault)).catch(() => {});
        button.ariaBusy = null;
      };
    }
  }

  async #press(url: string, fault: string): Promise<Extent | undefined> {
    write(this.#happened, "");
    try {
      const response = await fetch(url, {
        method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ fault }),
      });
      const { happened, title, found, positions } = (await response.json()) as Report;
      write(this.#happened, sentence(happened ?? [title, found].filter(Boolean).join(" ")));
      return positions;
    } catch {
      write(this.#happened, "The server did not answer.");
      return undefined;
    }
  }
}

function sentence(text: string): string {
  return text === "" ? "" : `${text[0]!.toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;
}
