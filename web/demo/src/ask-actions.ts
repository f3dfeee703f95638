import type { Decision, Request } from "./ask-words.js";
import { make } from "./dom.js";

/** Sends an answer. */
export type Answer = (decision: Decision) => void;

/** The ways to answer a question, by its type. What the page does not know can only be declined by whoever does. */
export const ACTIONS: Record<string, (request: Request, answer: Answer) => HTMLElement[]> = {
  tool_review: (request, answer) => [
    button("Approve", "yes", () => answer({ action: "approve_tools" })),
    editor(request, answer),
    button("Decline", "no", () => answer({ action: "reject_tools", feedback: "Not now." })),
  ],
  plan_approval: (_, answer) => [
    button("Approve", "yes", () => answer({ action: "approve_plan" })),
    button("Decline", "no", () => answer({ action: "reject_plan", feedback: "Not this way." })),
  ],
  user_question: ({ choices = [] }, answer) => [
    ...choices.map((text) => button(text, "choice", () => answer({ action: "answer", text }))),
    button("Decline", "no", () => answer({ action: "answer" })),
  ],
};

function button(text: string, kind: string, press: () => void): HTMLButtonElement {
  const made = make("button", "do", text) as HTMLButtonElement;
  made.type = "button";
  made.dataset.kind = kind;
  if (kind === "choice") made.title = text;
  made.onclick = () => {
    if (made.ariaDisabled !== "true") press();
  };
  return made;
}

/** Changes the command of a call before it is approved: a form that takes the place of its button. */
function editor({ toolCalls = [] }: Request, answer: Answer): HTMLElement {
  const call = toolCalls[0];
  const open = button("Change …", "change", () => show(true));
  const form = make("form", "edit") as HTMLFormElement;
  const input = make("input", "command") as HTMLInputElement;
  const send = make("button", "do", "Approve this") as HTMLButtonElement;
  const holder = make("span", "editor");
  send.dataset.kind = "yes";
  input.ariaLabel = "The command that may run";
  input.value = call?.input.command ?? "";
  input.spellcheck = false;
  const show = (editing: boolean) => {
    form.hidden = !editing;
    open.hidden = editing;
    holder.dataset.open = String(editing);
    (editing ? input : open).focus();
  };
  form.hidden = true;
  form.onsubmit = (event) => {
    event.preventDefault();
    if (send.ariaDisabled === "true" || !call || input.value.trim() === "") return;
    answer({ action: "modify_tools", modifications: [{ toolUseId: call.toolUseId, input: { command: input.value.trim() } }] });
  };
  form.onkeydown = ({ key }) => {
    if (key === "Escape") show(false);
  };
  form.append(input, send);
  holder.append(open, form);
  return holder;
}
