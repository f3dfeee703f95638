import { ask } from "./ask.js";
import type { EventTraits } from "./gen/events.gen.js";
import * as op from "./gen/ops.gen.js";

/** What the event table knows of a type. */
export interface TypeDescription {
  type: string;
  /** Whether it is one of the table; the other members are only there when it is. */
  known: boolean;
  /** Where events of it can be found: in the log, live only, or only with a listener. */
  class?: EventTraits["class"];
  /** Whether such an event has to name its turn. */
  turn?: EventTraits["turn"];
  /** Whether it closes its turn. */
  terminal?: boolean;
}

/** Looks a type up in the event table; every name has an answer. Needs `await init()`. */
export function describe(type: string): TypeDescription {
  return ask(op.describe, String(type)) as TypeDescription;
}
