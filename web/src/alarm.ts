import { clock } from "./link.js";

/** How long a wake waits that came while nobody read, so that waiting bytes are heard first. */
const GRACE = 1000;
const MOST = 2 ** 31 - 1;

/** The one wake that a link has asked for. While bytes are left unread on purpose, their silence means nothing. */
export class Alarm {
  readonly #ring: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #held = false;
  #late = false;

  constructor(ring: () => void) {
    this.#ring = ring;
  }

  /** Rings at a time of the link's clock, in place of any time before. */
  at(time: number): void {
    this.off();
    this.#timer = setTimeout(() => {
      if (this.#held) this.#late = true;
      else this.#ring();
    }, Math.min(Math.max(time - clock(), 0), MOST));
  }

  off(): void {
    clearTimeout(this.#timer);
    this.#late = false;
  }

  /** Does not ring while `pause` lasts. */
  async hold(pause: Promise<void>): Promise<void> {
    this.#held = true;
    await pause;
    this.#held = false;
    if (this.#late) this.at(clock() + GRACE);
  }
}
