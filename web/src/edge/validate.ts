import { isResponse } from "../response.js";
import { invalid } from "../takes.js";
import { raised } from "../errors.js";
import { ready, running } from "./core.js";
import { Course, type CourseOptions } from "./course.js";
import { checked, type Asked, type Judging } from "./options.js";
import { Passage, Unopened, type RelayOptions } from "./passage.js";
import { answerTo, refusal } from "./reply.js";

export interface ValidateOptions extends Judging, Asked {
  /** Ends the answer with an error, and the connection with it. */
  signal?: AbortSignal;
}

const JUDGING = ["profile", "mode", "maxFrame", "onVerdict"] as const;
const ASKED = ["sessions", "cursors", "from", "lastEventId"] as const;

/**
 * Puts the machine between an upstream answer and its consumer. What is good passes as it came, in the very chunks; at the first
 * event that does not connect, the session ends with `tidemark.refused` in its place. What is no stream is answered with a
 * status and a problem document.
 *
 * The body is read as the answer is read. Throws `stream.invalid_options` for options that nobody can follow; what the
 * consumer asks for in a way that makes no sense is answered with 400.
 */
export async function validate(upstream: Response, options: ValidateOptions = {}): Promise<Response> {
  if (!isResponse(upstream) || upstream.body?.locked) throw invalid("upstream", "a Response whose body nobody has read", upstream);
  const { signal, onVerdict, ...rest } = checked(options, ...JUDGING, ...ASKED, "signal");
  await ready();
  const passage = opened(relayOptions({ ...rest, ...(onVerdict && { onVerdict }) }));
  if (passage instanceof Unopened) {
    void upstream.body?.cancel().catch(() => {});
    return refusal(passage.reply);
  }
  return relayed(upstream, passage, { signal, onVerdict });
}

/** The answer to an upstream answer whose consumer was understood. */
export function relayed(upstream: Response | undefined, passage: Passage, options: CourseOptions): Response {
  let course: Course | undefined;
  try {
    return answerTo(running(), upstream, (body) => {
      course = new Course(passage, body.getReader(), options);
      return new ReadableStream(course, { highWaterMark: 0 });
    });
  } finally {
    if (!course) passage.close();
  }
}

export function relayOptions({ onVerdict, from, ...rest }: Judging & Asked): RelayOptions {
  return { ...rest, ...(from && { from: [from] }), ...(onVerdict && { verdicts: true }) } as RelayOptions;
}

/** A relay for what was asked; or why there is none, when that is the consumer's fault. Throws when it is not. */
export function opened(options: RelayOptions): Passage | Unopened {
  try {
    return new Passage(options);
  } catch (reason) {
    if (!(reason instanceof Unopened)) throw reason;
    const { profile, maxFrame, mode } = options;
    const own = running().open(JSON.stringify({ profile, maxFrame, mode }));
    if (typeof own !== "number") throw raised(own.fault!);
    running().close(own);
    return reason;
  }
}
