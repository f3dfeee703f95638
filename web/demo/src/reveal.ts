/** Keeps an element in sight that comes, or moves, out of the page or behind a bar at its lower edge; until a hand takes over. */
export class Reveal {
  readonly #element: HTMLElement;
  readonly #bar: HTMLElement;
  #on = false;

  constructor(element: HTMLElement, bar: HTMLElement, signal: AbortSignal) {
    this.#element = element;
    this.#bar = bar;
    for (const name of ["wheel", "touchmove", "pointerdown", "keydown"]) addEventListener(name, () => (this.#on = false), { passive: true, signal });
  }

  begin(): void {
    this.#on = true;
  }

  /** To be called whenever something may have moved. */
  step(): void {
    if (!this.#on || this.#element.hidden || getComputedStyle(this.#bar).position !== "sticky") return;
    const { top, bottom } = this.#element.getBoundingClientRect();
    const below = bottom + GAP - this.#bar.getBoundingClientRect().top;
    const by = Math.min(Math.max(below, 0), top - GAP); // its beginning before its end
    if (by !== 0) scrollBy({ top: by, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  }
}

/** What stays free around the element, in pixels. */
const GAP = 8;
