import { fault, INVALID_OPTIONS } from "./errors.js";
import { isResponse } from "./response.js";
import type { Source } from "./settings.js";
import { type Identify, readAlong } from "./source-names.js";
import { bytes, type From, type Wanted } from "./source.js";

/** What to ask with. A Response is one that you have asked for yourself. */
export type Asked = string | URL | Request | Response;

/** Where a stream goes on. */
export interface Resume extends Wanted {
  /** What `identify` has found, else the session of the cursor. */
  id: string;
  /** The last recorded event that is there already, on the wire's numbering; absent: nothing is there. */
  seq?: number;
  /** Under which generation it was written, when that is known. */
  generation?: string;
}

export interface Requests {
  /**
   * Begins a new stream: often a POST. Called again when an attempt brought nothing that could be gone on from, so what it
   * sets off should not be set off twice: send the same idempotency key.
   */
  start: (wanted: Wanted) => Asked | PromiseLike<Asked>;
  /** Goes on with it. */
  resume: (at: Resume) => Asked | PromiseLike<Asked>;
  /**
   * Finds in an event of a new stream what `resume` has to ask with, where the stream's own name is not in its cursor.
   * Called with the first events until it answers text.
   */
  identify?: Identify;
  fetch?: typeof fetch;
}

/** Connections by two different requests: one begins a stream, another one goes on with it. It has one session. */
export function requests({ start, resume, identify, fetch: own = fetch }: Requests): Source {
  let id: string | undefined;
  return bytes(async (wanted) => {
    const from = only(wanted.starts);
    id ??= from.start === "cursor" ? from.session : undefined;
    const fresh = id === undefined;
    const asked = await (id === undefined ? start(wanted) : resume({ ...wanted, ...place(from), id }));
    const response = isResponse(asked) ? asked : await own(asked, init(asked, wanted.signal));
    return fresh && identify ? readAlong(response, identify, (name) => (id = name)) : response;
  });
}

function only(starts: readonly From[]): From {
  const [from, another] = starts;
  if (from && !another) return from;
  throw fault(INVALID_OPTIONS, { expected: "requests: one session", found: `${starts.length}` });
}

function place({ seq, generation }: From): Pick<Resume, "seq" | "generation"> {
  return { ...(seq !== undefined && { seq }), ...(generation !== undefined && { generation }) };
}

/** Headers are the request's own business; without one, a stream is asked for. */
function init(asked: unknown, signal: AbortSignal): RequestInit {
  const plain = typeof asked === "string" || asked instanceof URL;
  return { signal, cache: "no-store", ...(plain && { headers: { accept: "text/event-stream" } }) };
}

