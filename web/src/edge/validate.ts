import { isResponse } from "../response.js";
import { invalid } from "../takes.js";
import { raised } from "../errors.js";
import { ready, running } from "./core.js";
import { Course, type CourseOptions } from "./course.js";
import { checked, type Asked, type Judging } from "./options.js";
import { Passage, Unopened, type RelayOptions } from "./passage.js";
import { answerTo, refusal, streaming } from "./reply.js";

export interface ValidateOptions extends Judging, Asked {
  /** Ends the answer with an error, and the connection with it. */
  signal?: AbortSignal;
}

const READABLE = "a Response whose body nobody has read";
const JUDGING = ["profile", "mode", "maxFrame", "onVerdict"] as const;
const ASKED = ["sessions", "cursors", "from", "lastEventId"] as const;

/**
 * Puts the machine between an upstream answer and its consumer. What is good passes as it came, in the very chunks; at the first
 * event that does not connect, the session ends with `tidemark.refused` in its place. What is no stream is answered with a
 * status and a problem document.
 *
 * The body is read as the answer is read. Throws `stream.invalid_options` for options that nobody can follow; what the
 * consumer asks for in a way that makes no sense is answered with 400, where the upstream would answer with a stream.
 */
export async function validate(upstream: Response, options: ValidateOptions = {}): Promise<Response> {
  if (!isResponse(upstream)) throw invalid("upstream", READABLE, upstream);
  const { signal, onVerdict, ...rest } = checked(options, ...JUDGING, ...ASKED, "signal");
  await ready();
  if (upstream.body?.locked) throw invalid("upstream", READABLE, upstream);
  return relayed(upstream, relayOptions({ ...rest, ...(onVerdict && { onVerdict }) }), { signal, onVerdict });
}

/** The answer to an upstream answer. Throws, and lets go of that, for options that nobody can follow. */
export function relayed(upstream: Response | undefined, asked: RelayOptions, options: CourseOptions): Response {
  try {
    return answerTo(running(), upstream, (stream) => relay(stream, asked, options));
  } catch (reason) {
    void upstream?.body?.cancel().catch(() => {});
    throw reason;
  }
}

/**
 * Nothing is kept of a consumer before its stream is there: one that leaves earlier is forgotten by some hosts without a word. And what
 * it asks for is looked at only now, because the server says first who may ask, and which page may read the answer.
 */
function relay(stream: Response, asked: RelayOptions, options: CourseOptions): Response {
  const passage = opened(asked);
  if (passage instanceof Unopened) return asked.mode === "observe" ? streaming(stream, stream.body) : refusal(passage.reply, stream);
  if (stream.body) return streaming(stream, new ReadableStream(new Course(passage, stream.body.getReader(), options), { highWaterMark: 0 }));
  passage.close();
  return streaming(stream, null);
}

export function relayOptions({ onVerdict, from, ...rest }: Judging & Asked): RelayOptions {
  return { ...rest, ...(from && { from: [from] }), ...(onVerdict && { verdicts: true }) } as RelayOptions;
}

/** A relay for what was asked; or why there is none, when that is the consumer's fault. Throws when it is not. */
function opened(options: RelayOptions): Passage | Unopened {
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
