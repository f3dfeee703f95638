/** Undelivered batches, bounded: whoever fills it asks for room first. */
export class Queue<T> {
  #batches: { items: T[]; size: number }[] = [];
  #items = 0;
  #size = 0;
  #over = false;
  #error: unknown;
  #takers: (() => void)[] = [];
  #fillers: (() => void)[] = [];

  /** Whether nothing more should be put in until something was taken. */
  get full(): boolean {
    return this.#items >= MAX_ITEMS || this.#size >= MAX_BYTES;
  }

  put(items: T[], size: number): void {
    if (items.length === 0 || this.#over) return;
    this.#batches.push({ items, size });
    this.#items += items.length;
    this.#size += size;
    wake(this.#takers);
  }

  /** The next batch; undefined when it is over. Throws the error that ended it, once, after all items. */
  async take(): Promise<T[] | undefined> {
    while (this.#batches.length === 0 && !this.#over) {
      await new Promise<void>((resolve) => this.#takers.push(resolve));
    }
    const batch = this.#batches.shift();
    if (batch) return this.#taken(batch);
    const error = this.#error;
    this.#error = undefined;
    if (error !== undefined) throw error;
    return undefined;
  }

  /** Resolves as soon as there is room, or nothing matters any more. */
  async room(): Promise<void> {
    while (this.full && !this.#over) await new Promise<void>((resolve) => this.#fillers.push(resolve));
  }

  /** Nothing more comes. `error` is thrown to the taker after the last item. */
  finish(error?: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#error = error;
    wake(this.#takers);
    wake(this.#fillers);
  }

  clear(): void {
    this.#batches = [];
    this.#items = this.#size = 0;
    wake(this.#fillers);
  }

  #taken({ items, size }: { items: T[]; size: number }): T[] {
    this.#items -= items.length;
    this.#size -= size;
    if (!this.full) wake(this.#fillers);
    return items;
  }
}

const MAX_ITEMS = 1024;
const MAX_BYTES = 1 << 20;

function wake(sleepers: (() => void)[]): void {
  for (const sleeper of sleepers.splice(0)) sleeper();
}
