import { inbox, type Inbox, type InboxSession, type Row } from "tidemark/inbox";
import type { Stream } from "tidemark";
import { AskCard, type Tried } from "./ask-card.js";
import { settledWords, whyWords, type Decision, type Request } from "./ask-words.js";
import { fill, make, mark } from "./dom.js";
import type { Half } from "./half.js";
import type { InboxPanel } from "./inbox-panel.js";
import type { SessionEvent } from "./record.js";
import type { Transcript } from "./screen.js";
import type { Desk } from "./urls.js";

/** Lines of settled questions that are shown. */
const LINES = 30;
/** How often the time that is left is drawn, in milliseconds. */
const TICK = 250;

/** The inbox in place of a left half: it looks at the very items that the right half shows. */
export class InboxHalf implements Half {
  readonly #desks: readonly Desk[];
  readonly #panel: InboxPanel;
  readonly #slots: HTMLElement[];
  readonly #cards = new Map<string, AskCard>();
  readonly #tried = new Map<string, Tried>();
  #box: Inbox<SessionEvent, Transcript> | undefined;
  #timer = 0;
  #gone = false;
  #said = "";

  constructor(desks: readonly Desk[], panel: InboxPanel) {
    this.#desks = desks;
    this.#panel = panel;
    this.#slots = desks.map(({ id, asks }, i) => {
      const slot = make("li", "slot", "");
      mark(slot, { session: id, asks, shown: i === 0 ? "yes" : undefined });
      return slot;
    });
    panel.slots.replaceChildren(...this.#slots);
    panel.settled.replaceChildren();
    panel.hear("");
  }

  /** Begins with a stream that was opened just now; the one before is over. */
  readonly look = (stream: Stream<SessionEvent, Transcript>): Inbox<SessionEvent, Transcript> => {
    this.#box?.close();
    return (this.#box = inbox(stream, {
      onChange: () => this.#show(),
      // A transcript has the fold of the questions up to its cursor; a stream that goes on behind it need not tell them again.
      fold: ({ state: { parks } }) => parks,
    }));
  };

  start(): void {
    this.#timer = window.setInterval(() => this.#tick(), TICK);
    this.#show();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#box?.close();
    this.#box = undefined;
    this.#panel.slots.replaceChildren();
    this.#panel.settled.replaceChildren();
  }

  changed(): void {}

  draw(_: unknown, gone: boolean): void {
    if (gone === this.#gone) return;
    this.#gone = gone;
    this.#show();
  }

  #tick(): void {
    const now = Date.now();
    for (const slot of this.#cards.values()) slot.tick(now);
  }

  #show(): void {
    const rows = this.#box?.rows() ?? [];
    const sessions = new Map((this.#box?.sessions() ?? []).map((session) => [session.session, session]));
    const newest = new Map(rows.map((row) => [row.session, row]));
    const shown = rows.filter((row) => newest.get(row.session) === row || isOpen(row));
    this.#slots.forEach((slot, i) => {
      const { id } = this.#desks[i]!;
      this.#fill(slot, shown.filter(({ session }) => session === id), sessions.get(id));
    });
    const kept = new Set(shown);
    for (const [key, { row }] of this.#cards) if (!kept.has(row)) this.#cards.delete(key);
    this.#settle(rows.filter((row) => !kept.has(row)));
    this.#panel.status(statusOf(rows, [...sessions.values()], this.#gone));
  }

  /** The newest question of a session, at its own place. Who had the focus in what is gone finds it in what came. */
  #fill(slot: HTMLElement, rows: readonly Row[], session: InboxSession | undefined): void {
    const had = slot.contains(document.activeElement);
    const cards = rows.map((row) => this.#drawn(row, session));
    fill(slot, cards.length > 0 ? cards.map(({ root }) => root) : [slot.querySelector<HTMLElement>(".none") ?? make("p", "none", "Nothing was asked yet.")]);
    if (had && !slot.contains(document.activeElement)) cards.at(-1)?.focus();
    mark(slot, { known: session?.known === true ? "yes" : "no", why: session?.known ? undefined : session?.why, pending: session?.pending });
  }

  /** The card of a question, as it stands now. */
  #drawn(row: Row, session: InboxSession | undefined): AskCard {
    const key = keyOf(row);
    let card = this.#cards.get(key);
    if (!card) this.#cards.set(key, (card = new AskCard(row, (decision) => void this.#answer(card!.row, decision))));
    // What was settled and waits again was settled in a log that is gone.
    if (row.state === "pending" && this.#tried.get(key)?.outcome) this.#tried.delete(key);
    card.draw(row, session, this.#tried.get(key));
    return card;
  }

  async #answer(row: Row, decision: Decision): Promise<void> {
    const box = this.#box;
    const key = keyOf(row);
    if (!box) return;
    this.#tried.set(key, { busy: true });
    this.#show();
    try {
      const outcome = await box.answer(row, decision);
      this.#tried.set(key, { outcome });
      this.#panel.hear(heard(row, settledWords({ ...row, state: "unknown", was: "pending" }, outcome)!));
    } catch (error) {
      const { message, hint = "" } = error as Error & { hint?: string };
      this.#tried.set(key, { problem: `Not sent: ${message}` });
      this.#panel.hear(`${message} ${hint}`);
    }
    this.#show();
  }

  /** What is over, the newest first. */
  #settle(rows: readonly Row[]): void {
    const lines = [...rows].sort((a, b) => (b.resolvedAt ?? b.parkedAt) - (a.resolvedAt ?? a.parkedAt)).slice(0, LINES);
    const key = lines.map((row) => `${keyOf(row)} ${row.state}`).join("\n");
    if (key === this.#said) return;
    this.#said = key;
    this.#panel.settled.replaceChildren(...lines.map((row) => {
      const line = make("li", "line");
      mark(line, { state: row.state, was: row.was, decision: row.decisionId, session: row.session });
      line.append(make("span", "seq", String(row.seq)), make("span", "about", titleOf(row)), make("span", "outcome", settledWords(row, this.#tried.get(keyOf(row))?.outcome) ?? row.state));
      return line;
    }));
  }
}

function keyOf({ session, decisionId, seq, generation }: Row): string {
  return `${session} ${decisionId} ${seq} ${generation}`;
}

function isOpen({ state, was }: Row): boolean {
  return state === "pending" || was === "pending";
}

function titleOf({ request, requestType }: Row): string {
  return (request as Request | null)?.title ?? requestType;
}

function heard(row: Row, words: string): string {
  return `${titleOf(row)}: ${words}`;
}

/** One word for all of it. What is not known is said first: nobody should act on the rest of a number. */
function statusOf(rows: readonly Row[], sessions: readonly InboxSession[], gone: boolean) {
  const unknown = sessions.filter(({ known }) => !known);
  const pending = rows.filter(({ state }) => state === "pending").length;
  const waiting = pending === 0 ? "nothing waits" : `${pending} waiting`;
  if (gone && unknown.length === sessions.length) {
    return { status: "gone", word: navigator.onLine ? "no server" : "offline", detail: "nothing is known of the questions" } as const;
  }
  if (sessions.length === 0) return { status: "connecting", word: "connecting", detail: "" } as const;
  if (unknown.length === 0) return { status: "right", word: waiting, detail: "" } as const;
  const why = whyWords(unknown[0]!.why);
  if (unknown.length === sessions.length) return { status: "refused", word: "unknown", detail: why } as const;
  return { status: "refused", word: waiting, detail: `${unknown.length} unknown: ${why}` } as const;
}
