import type { Item } from "../items.js";
import { Queue } from "../queue.js";

/** Lots that may be under way at once, so that the other side has something to take while it says that it took. */
const WINDOW = 2;
/** What makes a lot that waits large enough: items, and bytes of payload. */
const ITEMS = 1024;
const BYTES = 1 << 18;

/**
 * The queue of a stream whose items are taken somewhere else. They go at once; while enough are under way they are gathered,
 * and there is room again as those are taken in.
 */
export class Outbox extends Queue<Item> {
  readonly #send: (items: Item[], size: number) => void;
  readonly #close: (error: unknown) => void;
  #under = 0;
  #items: Item[] = [];
  #size = 0;
  #shut = false;
  #waiting: (() => void)[] = [];

  constructor(send: (items: Item[], size: number) => void, close: (error: unknown) => void) {
    super();
    this.#send = send;
    this.#close = close;
  }

  override get full(): boolean {
    return this.#items.length >= ITEMS || this.#size >= BYTES;
  }

  override get empty(): boolean {
    return this.#items.length === 0;
  }

  override put(items: Item[], size: number): void {
    if (items.length === 0 || this.#shut) return;
    for (const item of items) this.#items.push(item);
    this.#size += size;
    if (this.#under < WINDOW) this.#go();
  }

  /** One lot was taken in. */
  took(): void {
    this.#under--;
    this.#go();
    this.#wake();
  }

  override async room(): Promise<void> {
    while (this.full && !this.#shut) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** What is under way is not here any more: the other side drops it. */
  override drop(unwanted: (item: Item) => boolean): void {
    this.#items = this.#items.filter((item) => !unwanted(item));
    if (this.#items.length === 0) this.#size = 0;
  }

  override finish(error?: unknown): void {
    if (this.#shut) return;
    this.#go();
    this.#shut = true;
    this.#wake();
    this.#close(error);
  }

  #go(): void {
    const [items, size] = [this.#items, this.#size];
    [this.#items, this.#size] = [[], 0];
    if (items.length === 0) return;
    this.#under++;
    this.#send(items, size);
  }

  #wake(): void {
    for (const sleeper of this.#waiting.splice(0)) sleeper();
  }
}
