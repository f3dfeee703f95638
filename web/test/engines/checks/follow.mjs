// Follows streams of the server that misbehaves on purpose (internal/flaky), and says in short lines what came of them.
import { open } from "../../../dist/index.js";

/** A server to ask, and a name of one's own for each run, so that runs of others do not count. */
export class Server {
  #url;
  #pages;
  #name;
  #runs = 0;

  constructor(url, pages, name) {
    this.#url = url;
    this.#pages = pages;
    this.#name = name;
  }

  /** The address of a session with a fault, as a run of its own. */
  events(session, fault = {}) {
    const query = new URLSearchParams({ run: `${this.#name}-${++this.#runs}`, ...fault });
    return `${this.#url}/v1/sessions/${encodeURIComponent(session)}/events?${query}`;
  }

  /** The address of frames of all kinds, once; whoever comes back is told that there is nothing more. */
  frames() {
    return `${this.#pages}/frames?run=${this.#name}-${++this.#runs}`;
  }

  /** The address of a socket with six events, which breaks once. */
  socket() {
    return `${this.#pages}/socket?run=${this.#name}-${++this.#runs}`;
  }

  async log() {
    return (await fetch(`${this.#url}/log`)).json();
  }

  /** What the connections of the last run asked for. */
  async asked() {
    return (await fetch(`${this.#url}/asked?run=${this.#name}-${this.#runs}`)).json();
  }
}

/** One line for each item. Of events the place is told, and the text is kept apart. */
const LINES = {
  state: ({ session, why, cursor }) => `state ${session} ${why} ${cursor}`,
  event: ({ session, seq, generation }) => `event ${session}:${seq}@${generation ?? ""}`,
  draft: ({ session, type }) => `draft ${session} ${type}`,
  restart: ({ session, afterSeq }) => `restart ${session} after ${afterSeq}`,
  live: ({ session, seq, strength }) => `live ${session}:${seq} ${strength}`,
  refused: ({ session, refusal }) => `refused ${session} ${refusal.reason} ${refusal.detail ?? ""}`.trimEnd(),
  end: ({ session, cause }) => `end ${session} ${cause}`,
};

/** Reads a stream to its end: its lines, the texts of its recorded events, and what was decided. */
export async function follow(source, options = {}) {
  const lines = [];
  const texts = [];
  const decisions = [];
  try {
    for await (const item of open(source, { ...options, onDecision: (decision) => decisions.push(decision) })) {
      lines.push(LINES[item.kind](item));
      if (item.kind === "event") texts.push(item.json);
    }
  } catch (error) {
    lines.push(`threw ${error.id ?? error}`);
  }
  return { lines, texts, decisions };
}

/** The lines that do not depend on how far a broken connection came: all but drafts and what voids them. */
export const settled = ({ lines }) => lines.filter((line) => !/^(draft|restart) /.test(line));

/** How the recorded events of a session end up after any fault that heals. */
export const whole = (session, generation, last) =>
  Array.from({ length: last }, (_, i) => `event ${session}:${i + 1}@${generation}`);

/** Rules of the decisions, each once. */
export const rules = ({ decisions }) => [...new Set(decisions.flatMap(({ rule }) => rule ?? []))];
