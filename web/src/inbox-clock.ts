import { listen } from "./surroundings.js";

const MOST = 2 ** 31 - 1;

/** Rings when a time of the inbox's clock has come. A page that was hidden, where timers come late, is asked when it is shown. */
export class Deadline {
  readonly #now: () => number;
  readonly #ring: () => void;
  readonly #deaf: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #at: number | undefined;

  constructor(now: () => number, ring: () => void) {
    this.#now = now;
    this.#ring = ring;
    this.#deaf = listen({ network: () => {}, page: (visible) => visible && this.#check() });
  }

  /** The next time, in place of the one before; undefined: none. */
  at(time: number | undefined): void {
    if (time === this.#at && this.#timer !== undefined) return;
    this.#at = time;
    this.#arm();
  }

  off(): void {
    this.at(undefined);
    this.#deaf();
  }

  #arm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#at === undefined) return;
    this.#timer = setTimeout(() => this.#check(), Math.min(Math.max(this.#at - this.#now(), 0), MOST));
    (this.#timer as { unref?: () => void }).unref?.(); // a process need not wait for what nobody answers
  }

  /** The clock decides, not the timer: it may have been set, and a timer has a longest time. */
  #check(): void {
    if (this.#at === undefined) return;
    if (this.#now() < this.#at) return this.#arm();
    this.at(undefined);
    this.#ring();
  }
}
