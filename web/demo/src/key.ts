import { find, make } from "./dom.js";

/** What a narrow page has no room for, on a sheet. It is copied from where it stands on the page, as often as the sheet is opened. */
export function serveKey(): void {
  const key = find<HTMLDetailsElement>(".key");
  const sheet = find(".sheet", key);
  key.ontoggle = () => {
    if (key.open) sheet.replaceChildren(copyOf(".legend"), faults(), copyOf(".links"));
  };
  document.addEventListener("pointerdown", ({ target }) => {
    if (!key.contains(target as Node)) key.open = false;
  });
  key.onkeydown = (event) => {
    if (event.key !== "Escape") return;
    key.open = false;
    find("summary", key).focus();
  };
}

function copyOf(selector: string): Node {
  return find(selector).cloneNode(true);
}

/** What each of the buttons does that are there now. */
function faults(): HTMLElement {
  const list = make("dl", "why");
  for (const button of document.querySelectorAll<HTMLElement>("button[data-fault]:not([hidden])")) {
    const term = make("dt", "");
    term.append(find("b", button).innerText, find(".glyph", button).cloneNode(true));
    list.append(term, make("dd", "", find("span", button).textContent ?? ""));
  }
  return list;
}
