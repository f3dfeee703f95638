import type { Item } from "../items.js";
import { Queue } from "../queue.js";

/** Lots of items that may be under way at once, so that the other side has something to take while it says that it took. */
const WINDOW = 8;

/** The queue of a stream whose items are taken somewhere else: they go at once, and there is room again as they are taken in. */
export class Outbox extends Queue<Item> {
  readonly #send: (items: Item[], size: number) => void;
  readonly #close: (error: unknown) => void;
  #under = 0;
  #shut = false;
  #waiting: (() => void)[] = [];

  constructor(send: (items: Item[], size: number) => void, close: (error: unknown) => void) {
    super();
    this.#send = send;
    this.#close = close;
  }

  override get full(): boolean {
    return this.#under >= WINDOW;
  }

  override put(items: Item[], size: number): void {
    if (items.length === 0 || this.#shut) return;
    this.#under++;
    this.#send(items, size);
  }

  /** One lot was taken in. */
  took(): void {
    this.#under--;
    if (!this.full) this.#wake();
  }

  override async room(): Promise<void> {
    while (this.full && !this.#shut) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** What is under way is not here any more: the other side drops it. */
  override drop(): void {}

  override finish(error?: unknown): void {
    if (this.#shut) return;
    this.#shut = true;
    this.#wake();
    this.#close(error);
  }

  #wake(): void {
    for (const sleeper of this.#waiting.splice(0)) sleeper();
  }
}
