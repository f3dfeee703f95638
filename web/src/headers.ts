import { INVALID_OPTIONS, fault, UNAUTHORIZED } from "./errors.js";

/** The request that headers are wanted for. */
export interface HeadersRequest {
  /** Its address, with the cursors. */
  url: string;
  /** Requests since the last recorded event, this one counted: 1 when all is well. */
  attempt: number;
  /** When the server has just refused the headers before: what was answered. Then the same ones will not do. */
  status?: 401 | 403;
}

/** Gives the headers of one request. It may take its time; what it throws ends the stream. */
export type GiveHeaders = (request: HeadersRequest) => HeadersInit | PromiseLike<HeadersInit>;

/** Headers for one request: those that are fixed, at once; else what the app gives. */
export function headersFrom(source: Headers | GiveHeaders, request: HeadersRequest): Headers | Promise<Headers> {
  return source instanceof Headers ? source : asked(source, request);
}

/** What the app throws may hold what it was about to send: it is the cause, and no part of any text. */
async function asked(give: GiveHeaders, request: HeadersRequest): Promise<Headers> {
  let given: HeadersInit;
  try {
    given = await give(request);
  } catch (cause) {
    throw fault(UNAUTHORIZED, { expected: "headers: a function that answers headers", found: "one that threw", cause });
  }
  return headersOf(given);
}

/** Checks headers, and asks for a stream where they do not say what else. */
export function headersOf(init: HeadersInit | undefined): Headers {
  if (init !== undefined && (typeof init !== "object" || init === null)) throw misfit(init === null ? "null" : typeof init);
  let headers: Headers;
  try {
    headers = new Headers(init);
  } catch {
    throw misfit("some that no request can carry"); // the engine's own words hold the value
  }
  if (!headers.has("accept")) headers.set("accept", "text/event-stream");
  return headers;
}

function misfit(found: string) {
  return fault(INVALID_OPTIONS, { expected: "headers: headers, or a function that answers such", found });
}
