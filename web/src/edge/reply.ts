import type { Head, Relays, Reply } from "./relays.js";

/** What a head says of a body that is not passed as it came. */
const OF_BODY = ["content-length", "content-encoding", "transfer-encoding", "connection", "keep-alive"];

/** What a consumer needs of the head of an answer whose body goes no further: when to try again, what would let it in, and whether its page may know. */
const TOLD = /^(retry-after|www-authenticate|vary|access-control-.*)$/;

/** What is answered to an upstream answer; undefined is none. `stream` makes the body of one that is relayed. */
export function answerTo(relays: Relays, upstream: Response | undefined, stream: (body: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>): Response {
  const reply = relays.judge(headOf(upstream));
  if (reply.stream) return new Response(upstream!.body && stream(upstream!.body), { headers: streamHeaders(upstream!.headers) });
  if (reply.body) return new Response(upstream!.body, { status: reply.status, headers: without(upstream!.headers, OF_BODY) });
  void upstream?.body?.cancel().catch(() => {});
  return refusal(reply, upstream?.headers);
}

/** Whether an answer is a stream that can be judged. */
export function isStream(relays: Relays, upstream: Response): boolean {
  return !!relays.judge(headOf(upstream)).stream;
}

/** The answer in place of a stream, in the words of the module; `from` are the headers of the upstream. */
export function refusal({ status, problem }: Reply, from?: Headers): Response {
  const headers = new Headers({ "cache-control": "no-store", ...(problem && { "content-type": "application/problem+json" }) });
  from?.forEach((value, name) => TOLD.test(name) && headers.set(name, value));
  return new Response(problem ? JSON.stringify(problem) : null, { status, headers });
}

function headOf(upstream: Response | undefined): Head {
  if (!upstream) return { status: 0 };
  const { status, headers } = upstream;
  return { status, contentType: headers.get("content-type") ?? "", encoding: headers.get("content-encoding") ?? "" };
}

/** A stream is for one consumer, and nothing on the way may hold it back. */
function streamHeaders(upstream: Headers): Headers {
  const headers = without(upstream, OF_BODY);
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  headers.set("x-accel-buffering", "no");
  return headers;
}

export function without(headers: Headers, names: readonly string[]): Headers {
  const copy = new Headers(headers);
  for (const name of names) copy.delete(name);
  return copy;
}
