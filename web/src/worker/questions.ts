/** Questions to the other side that it has not answered, by number. */
export class Questions {
  readonly #open = new Map<number, (answer: unknown) => void>();
  #last = 0;

  /** Sends a question under a number. */
  ask<T>(send: (id: number) => void): { id: number; answer: Promise<T> } {
    const id = ++this.#last;
    const answer = new Promise<T>((resolve) => this.#open.set(id, resolve as (answer: unknown) => void));
    send(id);
    return { id, answer };
  }

  /** An answer to a question that was given up is nobody's. */
  answered(id: number, answer: unknown): void {
    this.#open.get(id)?.(answer);
    this.#open.delete(id);
  }

  giveUp(id: number): void {
    this.#open.delete(id);
  }

  /** Answers all that are open in the same way: nobody else will. */
  close(answer: unknown): void {
    for (const id of [...this.#open.keys()]) this.answered(id, answer);
  }

  get open(): boolean {
    return this.#open.size > 0;
  }
}
