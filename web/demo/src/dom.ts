/** The one element that a selector names. */
export function find<E extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): E {
  const found = within.querySelector<E>(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
}

export function make(tag: string, name: string, text: string | undefined = ""): HTMLElement {
  const made = document.createElement(tag);
  made.className = name;
  if (text) made.textContent = text;
  return made;
}

/** Text as people write it, in the place of what was there: what stands between backticks is code. One that is still open counts. */
export function prose(element: HTMLElement, text: string): void {
  element.replaceChildren(...text.split("`").map((part, i) => (i % 2 === 0 ? part : make("code", "", part))));
}

/** Writes only what differs, so that live regions stay quiet and nothing is laid out for nothing. */
export function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function mark(element: HTMLElement, values: Record<string, string | number | undefined>): void {
  for (const [name, value] of Object.entries(values)) {
    const text = value === undefined ? undefined : String(value);
    if (element.dataset[name] === text) continue;
    if (text === undefined) delete element.dataset[name];
    else element.dataset[name] = text;
  }
}

/** Puts elements into a list, in order. What stays is not moved, unless the order is another one. */
export function fill(list: HTMLElement, elements: readonly HTMLElement[]): void {
  const stay = new Set<Element>(elements);
  for (const child of [...list.children]) if (!stay.has(child)) child.remove();
  let at = list.firstElementChild;
  for (const element of elements) {
    if (element === at) at = at.nextElementSibling;
    else list.insertBefore(element, at);
  }
}

const NUMBERS = new Intl.NumberFormat("en");

export function number(value: number): string {
  return NUMBERS.format(value);
}

/** Seqs as ranges: 4–6, 9. The first few of them. */
export function ranges(seqs: readonly number[], most = 3): string {
  const found: [number, number][] = [];
  for (const seq of seqs) {
    const last = found.at(-1);
    if (last && last[1] === seq - 1) last[1] = seq;
    else if (found.length === most) return `${spell(found)}, …`;
    else found.push([seq, seq]);
  }
  return spell(found);
}

function spell(found: [number, number][]): string {
  return found.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(", ");
}
