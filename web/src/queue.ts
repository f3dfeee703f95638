interface Batch<T> {
  items: T[];
  /** The next item to be taken. */
  at: number;
  size: number;
}

/** Undelivered batches, bounded: whoever fills it asks for room first. */
export class Queue<T> {
  #batches: Batch<T>[] = [];
  #items = 0;
  #size = 0;
  #over = false;
  #error: unknown;
  #takers: (() => void)[] = [];
  #fillers: (() => void)[] = [];
  /** Whether items wait for their way here, in a worker: then a state may be ahead of what is here. */
  declare held?: boolean;

  /** Whether nothing more should be put in until something was taken. */
  get full(): boolean {
    return this.#items >= MAX_ITEMS || this.#size >= MAX_BYTES;
  }

  get empty(): boolean {
    return this.#batches.length === 0;
  }

  put(items: T[], size: number): void {
    if (items.length === 0 || this.#over) return;
    this.#batches.push({ items, at: 0, size });
    this.#items += items.length;
    this.#size += size;
    wake(this.#takers);
  }

  /** Resolves as soon as there is something to take, or it is over. Throws the error that ended it, once, after all items. */
  async ready(): Promise<void> {
    while (this.empty && !this.#over) await new Promise<void>((resolve) => this.#takers.push(resolve));
    if (!this.empty) return;
    const error = this.#error;
    this.#error = undefined;
    if (error !== undefined) throw error;
  }

  /** The next item, when there is one now. */
  shift(): T | undefined {
    const batch = this.#batches[0];
    if (!batch) return undefined;
    const item = batch.items[batch.at++]!;
    this.#items--;
    if (batch.at === batch.items.length) this.#used();
    this.#room();
    return item;
  }

  /** The next batch, when there is one now. */
  take(): T[] | undefined {
    const batch = this.#batches[0];
    if (!batch) return undefined;
    const left = batch.items.slice(batch.at);
    this.#items -= left.length;
    this.#used();
    this.#room();
    return left;
  }

  /** Resolves as soon as there is room, or nothing matters any more. */
  async room(): Promise<void> {
    while (this.full && !this.#over) await new Promise<void>((resolve) => this.#fillers.push(resolve));
  }

  /** Takes out what nobody should get any more. */
  drop(unwanted: (item: T) => boolean): void {
    this.#items = this.#size = 0;
    this.#batches = this.#batches.filter((batch) => {
      batch.items = batch.items.slice(batch.at).filter((item) => !unwanted(item));
      batch.at = 0;
      this.#items += batch.items.length;
      if (batch.items.length > 0) this.#size += batch.size;
      return batch.items.length;
    });
    this.#room();
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
    this.drop(() => true);
  }

  #used(): void {
    this.#size -= this.#batches.shift()!.size;
  }

  #room(): void {
    if (this.#fillers.length > 0 && !this.full) wake(this.#fillers);
  }
}

const MAX_ITEMS = 1024;
const MAX_BYTES = 1 << 20;

function wake(sleepers: (() => void)[]): void {
  for (const sleeper of sleepers.splice(0)) sleeper();
}
