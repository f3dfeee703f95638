import { lineOf } from "./debug.js";
import type { Settings } from "./settings.js";
import { changed, over, UNSTARTED, type Change, type StreamState } from "./state.js";
import type { Decision } from "./verdicts.js";

/** Told of every change of any stream, without a word: whoever wants to know looks. */
export const lookers: (() => void)[] = [];

/** Those who look on: they are told, and cannot hold anything up. */
export class Watch {
  readonly #onState: ((state: StreamState) => void) | undefined;
  readonly #onDecision: ((decision: Decision) => void)[] = [];
  #state = UNSTARTED;

  constructor({ onState, onDecision, debug }: Settings<unknown>) {
    this.#onState = onState;
    if (onDecision) this.#onDecision.push(onDecision);
    if (debug) this.#onDecision.push((decision) => debug(lineOf(decision)));
  }

  get state(): StreamState {
    return this.#state;
  }

  /** Whether anybody wants to know the verdicts. */
  get decisions(): boolean {
    return this.#onDecision.length > 0;
  }

  decided(decision: Decision): void {
    for (const watcher of this.#onDecision) tell(watcher, decision);
  }

  changed(change: Change): void {
    this.#become(changed(this.#state, change));
  }

  over(): void {
    this.#become(over(this.#state));
  }

  #become(state: StreamState): void {
    if (state === this.#state) return;
    this.#state = state;
    lookers.forEach((look) => look());
    if (this.#onState) tell(this.#onState, state);
  }
}

/** What a callback throws is seen, and none of the stream's business. */
export function tell<T>(callback: (value: T) => unknown, value: T): void {
  try {
    void Promise.resolve(callback(value)).catch(report);
  } catch (error) {
    report(error);
  }
}

function report(error: unknown): void {
  if (typeof reportError === "function") reportError(error);
  else console.error(error);
}
