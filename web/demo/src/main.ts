import { Panel } from "./panel.js";
import { Scene } from "./scene.js";
import { fetchJSON, pause, type Sessions } from "./urls.js";

type Name = "fenced" | "unfenced";

const left = new Panel("left");
const right = new Panel("right");
const buttons = [...document.querySelectorAll<HTMLButtonElement>("button[data-scene]")];

/** The two sessions, of which one is shown. The address says which, so that a reload and a link keep it. */
class Stage {
  readonly #sessions: Sessions;
  #name: Name | undefined;
  #scene: Scene | undefined;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  run(): void {
    for (const button of buttons) button.onclick = () => (location.hash = button.dataset.scene!);
    window.onhashchange = () => this.#show(named());
    this.#show(named());
  }

  #show(name: Name): void {
    if (name === this.#name) return;
    this.#name = name;
    document.body.dataset.scene = name;
    for (const button of buttons) button.ariaPressed = String(button.dataset.scene === name);
    this.#scene?.close();
    this.#scene = new Scene(name === "unfenced" ? this.#sessions.unfenced : this.#sessions, left, right);
    void this.#scene.run();
  }
}

function named(): Name {
  return location.hash === "#unfenced" ? "unfenced" : "fenced";
}

async function sessionsOf(): Promise<Sessions> {
  for (;;) {
    try {
      return await fetchJSON<Sessions>("/demo/session");
    } catch {
      for (const panel of [left, right]) panel.status({ status: "gone", word: "no server", detail: "waiting for it" });
      await pause(1000);
    }
  }
}

new Stage(await sessionsOf()).run();
