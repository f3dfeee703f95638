import { text, type SessionEvent } from "./record.js";

/** What is being written right now, made of deltas that no log keeps. */
export interface Written {
  how: "says" | "thinks" | "fills in" | "works";
  text: string;
  /** Its beginning was lost with a connection. Only a reader that knows about the break can know this. */
  partial: boolean;
}

const DELTAS: Record<string, [how: Written["how"], member: string]> = {
  text_delta: ["says", "text"],
  reasoning_delta: ["thinks", "text"],
  tool_input_delta: ["fills in", "partialJson"],
  tool_progress: ["works", "message"],
};

/** Recorded events that settle what was being written. */
const SETTLES = new Set([
  "message_started", "message_completed", "reasoning_started", "reasoning_completed", "tool_input_started", "tool_input_completed",
  "tool_executing", "tool_completed", "turn_completed", "turn_failed", "turn_paused",
]);

const LONGEST = 4000;

/** Collects deltas until a recorded event settles them. */
export class Writing {
  now: Written | undefined;
  #partial = false;

  /** Answers whether the event was a part of what is being written. */
  add(event: SessionEvent): boolean {
    const rule = DELTAS[event.type];
    if (!rule) {
      if (SETTLES.has(event.type)) this.clear();
      return false;
    }
    const [how, member] = rule;
    const piece = text(event[member]) ?? "";
    const goesOn = this.now?.how === how && how !== "works";
    this.now = {
      how, partial: goesOn ? this.now!.partial : this.#partial,
      text: (goesOn ? this.now!.text + piece : piece).slice(-LONGEST),
    };
    this.#partial = false;
    return true;
  }

  /** What was written so far is void, and what comes next began before it. */
  restart(): void {
    this.now = undefined;
    this.#partial = true;
  }

  clear(): void {
    this.now = undefined;
    this.#partial = false;
  }
}
