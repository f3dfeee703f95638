import type { InboxSession, Outcome, Row } from "tidemark/inbox";
import { ACTIONS, type Answer } from "./ask-actions.js";
import { kindOf, leftWords, settledWords, whyWords, type Request } from "./ask-words.js";
import { make, mark, write } from "./dom.js";

/** What this page did about a question. */
export interface Tried {
  busy?: boolean;
  outcome?: Outcome;
  problem?: string;
}

/** One question. Its elements are made once and only written to, so that focus and place stay. */
export class AskCard {
  readonly root: HTMLElement;
  readonly #act: HTMLElement;
  readonly #outcome: HTMLElement;
  readonly #left: HTMLElement;
  #row: Row;
  #why: string | undefined;
  /** What was drawn last: a row that has changed is another one. */
  #of: readonly unknown[] = [];

  constructor(row: Row, answer: Answer) {
    const request = (row.request ?? {}) as Request;
    const id = `ask-${row.decisionId}`;
    this.#row = row;
    this.root = make("article", "ask");
    this.root.tabIndex = -1;
    this.root.setAttribute("aria-labelledby", id);
    const title = make("h3", "about", request.title ?? kindOf(row.requestType));
    title.id = id;
    this.#act = make("div", "act");
    this.#act.append(...(ACTIONS[row.requestType]?.(request, answer) ?? []));
    this.#act.setAttribute("role", "group");
    this.#act.ariaLabel = "Answers";
    this.#outcome = make("p", "outcome");
    this.#outcome.tabIndex = -1;
    this.#left = make("span", "left");
    this.#left.setAttribute("role", "timer");
    const head = make("p", "head");
    head.append(make("span", "kind", kindOf(row.requestType)), make("span", "project", request.project), this.#left);
    const foot = make("div", "foot");
    foot.append(this.#act, this.#outcome);
    this.root.append(head, make("i", "bar"), title, ...body(request), foot);
    mark(this.root, { decision: row.decisionId, session: row.session, type: row.requestType });
  }

  get row(): Row {
    return this.#row;
  }

  /** Takes focus that would be lost: at what became of the question, or at all of it. Never at a button that nobody chose. */
  focus(): void {
    (this.#outcome.hidden ? this.root : this.#outcome).focus({ preventScroll: true });
  }

  draw(row: Row, session: InboxSession | undefined, tried: Tried | undefined): void {
    const of = [row, session?.why, tried];
    if (of.every((each, i) => each === this.#of[i])) return;
    this.#of = of;
    this.#row = row;
    this.#write(row, session, tried ?? {});
  }

  #write(row: Row, session: InboxSession | undefined, tried: Tried): void {
    const words = settledWords(row, tried.outcome, tried.busy);
    const settled = words !== undefined;
    const focused = settled && !this.#act.hidden && this.#act.contains(document.activeElement);
    mark(this.root, { state: row.state, was: row.was, settled: settled ? "yes" : undefined, yours: yours(tried), busy: tried.busy ? "yes" : undefined });
    this.root.ariaBusy = tried.busy ? "true" : null;
    write(this.#outcome, words ?? tried.problem ?? "");
    this.#act.hidden = settled;
    this.#outcome.hidden = !settled && !tried.problem;
    const off = row.state !== "pending" || tried.busy === true;
    for (const button of this.#act.querySelectorAll("button")) button.ariaDisabled = off ? "true" : null;
    if (focused) this.focus();
    this.#why = row.state === "unknown" ? whyWords(session?.why) : undefined;
    this.tick(Date.now());
  }

  /** Time goes on. */
  tick(now: number): void {
    const { state, deadlineAt, parkedAt } = this.#row;
    const open = this.root.dataset.settled === undefined;
    const left = deadlineAt === undefined ? undefined : deadlineAt - now;
    const clock = open && state === "pending" && left !== undefined ? leftWords(left) : state;
    write(this.#left, this.#why === undefined ? clock : `unknown: ${this.#why}`);
    const part = open && left !== undefined ? Math.min(1, Math.max(0, left / (deadlineAt! - parkedAt))) : 0;
    this.root.style.setProperty("--left", part.toFixed(4));
    mark(this.root, { soon: state === "pending" && left !== undefined && left < 10_000 ? "yes" : undefined });
  }
}

function yours({ outcome }: Tried): string | undefined {
  return outcome && (outcome.outcome === "answered" && outcome.yours ? "yes" : "no");
}

/** What exactly would be allowed: as it was asked, and all of it. */
function body({ toolCalls, steps }: Request): HTMLElement[] {
  if (toolCalls) return toolCalls.map(({ toolName, input }) => make("code", "call", `${toolName}  ${input.command ?? JSON.stringify(input)}`));
  if (!steps) return [];
  const list = make("ol", "steps");
  list.append(...steps.map((text) => make("li", "", text)));
  return [list];
}
