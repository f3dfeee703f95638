import { invalid } from "../takes.js";
import { ready } from "./core.js";
import type { CourseOptions } from "./course.js";
import { checked, type Asked, type Judging } from "./options.js";
import { Unopened, type RelayOptions } from "./passage.js";
import { refusal } from "./reply.js";
import { addressAt, askedBy, headersFor } from "./request.js";
import { opened, relayed, relayOptions } from "./validate.js";

export type Fetching = (input: string, init: RequestInit) => Promise<Response>;

export interface ProxyOptions extends Judging {
  /** The server that is asked, with the path and query of the request behind its own path. */
  upstream: string | URL;
  /** In place of the global fetch: a service binding, say. */
  fetch?: Fetching;
  /** Headers that the server gets beside those of the consumer, whose Authorization and Cookie pass. */
  headers?: HeadersInit;
  /** Says what a request asks for. Default: as docs/protocol.md has it, from path, query and Last-Event-ID. */
  asks?: (request: Request) => Asked;
}

const OPTIONS = ["profile", "mode", "maxFrame", "onVerdict", "upstream", "fetch", "headers", "asks"] as const;

/**
 * The whole worker: asks the server for what its consumer asks for, and answers what `validate` makes of that. The consumer's
 * leaving ends the request to the server. One that gives no answer is a 502 with a problem document.
 *
 * Throws `stream.invalid_options` for options that nobody can follow.
 */
export async function proxy(request: Request, options: ProxyOptions): Promise<Response> {
  if (typeof (request as Request | undefined)?.url !== "string") throw invalid("request", "a Request", request);
  const { upstream, fetch: own, headers, asks, ...judging } = checked(options, ...OPTIONS);
  if (upstream === undefined) throw invalid("upstream", "an absolute http or https URL", upstream);
  await ready();
  const asked = asks ? relayOptions(asks(request)) : askedBy(request);
  const passage = opened({ ...asked, ...relayOptions(judging) } as RelayOptions);
  if (passage instanceof Unopened) return refusal(passage.reply);
  const stop = new AbortController();
  const leave = follow(request.signal, stop);
  const ask: Fetching = async (input, init) => (own ? own(input, init) : fetch(input, init));
  const answer = await ask(addressAt(upstream, request).href, {
    method: request.method, headers: headersFor(request, headers), redirect: "manual", signal: stop.signal, ...bodyOf(request),
  }).catch(() => undefined);
  const settled = async () => void (leave(), stop.abort());
  return relayed(answer, passage, { signal: stop.signal, onVerdict: judging.onVerdict, settled } satisfies CourseOptions);
}

/** A consumer that leaves takes its request to the server along. */
function follow(signal: AbortSignal | undefined, stop: AbortController): () => void {
  const abort = () => stop.abort(signal!.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  return () => signal?.removeEventListener("abort", abort);
}

/** Not every engine sends a stream without being told that it need not wait for the answer. */
function bodyOf(request: Request): RequestInit {
  return request.body ? ({ body: request.body, duplex: "half" } as RequestInit) : {};
}
