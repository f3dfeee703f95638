import { find, write } from "./dom.js";
import { InboxHalf } from "./inbox-half.js";
import { InboxPanel } from "./inbox-panel.js";
import { serveKey } from "./key.js";
import { Panel } from "./panel.js";
import { PlainHalf } from "./plain-half.js";
import { Scene } from "./scene.js";
import { Side } from "./side.js";
import { TidemarkReader } from "./tidemark-reader.js";
import { fetchJSON, pause, type Session, type Sessions } from "./urls.js";

const NAMES = ["fenced", "unfenced", "inbox"] as const;
type Name = (typeof NAMES)[number];

const CLAIM = find(".claim").innerText;
const CLAIMS: { [name in Name]?: string } = { inbox: "Questions wait for you. Break their stream, and see what is still known." };

const left = new Panel("left");
const right = new Panel("right");
const questions = new InboxPanel();
const buttons = [...document.querySelectorAll<HTMLButtonElement>("button[data-scene]")];

/** What the page can show, of which one is shown. The address says which, so that a reload and a link keep it. */
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
    if (this.#name) scrollTo(0, 0);
    this.#name = name;
    document.body.dataset.scene = name;
    for (const button of buttons) button.ariaPressed = String(button.dataset.scene === name);
    this.#scene?.close();
    write(find(".claim"), CLAIMS[name] ?? CLAIM);
    left.root.hidden = name === "inbox";
    questions.root.hidden = name !== "inbox";
    this.#scene = name === "inbox" ? this.#asking() : this.#twice(name === "unfenced" ? this.#sessions.unfenced : this.#sessions);
    void this.#scene.run();
  }

  /** One session, read twice. */
  #twice(session: Session): Scene {
    return new Scene(session, new PlainHalf(session, left), right, new TidemarkReader(session, new Side(session.id, right.river)), right.card.root);
  }

  /** Sessions that ask, on one stream: of the first one the right half shows everything. */
  #asking(): Scene {
    const desks = this.#sessions.asking;
    const [shown, ...beside] = desks;
    const half = new InboxHalf(desks, questions);
    const company = { beside, look: half.look };
    return new Scene(shown, half, right, new TidemarkReader(shown, new Side(shown.id, right.river), company), questions.slots);
  }
}

function named(): Name {
  return NAMES.find((name) => location.hash === `#${name}`) ?? "fenced";
}

async function sessionsOf(): Promise<Sessions> {
  for (;;) {
    try {
      return await fetchJSON<Sessions>("/demo/session");
    } catch {
      for (const panel of [left, right, questions]) panel.status({ status: "gone", word: "no server", detail: "waiting for it" });
      await pause(1000);
    }
  }
}

serveKey();
new Stage(await sessionsOf()).run();
