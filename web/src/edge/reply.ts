import { OF_BODY } from "../gen/headers.gen.js";
import { passing, type Pairs } from "./headers.js";
import type { Head, Relays, Reply } from "./relays.js";

/** What is said of a body that passes: the host has decoded it. */
const ENCODED = ["content-length", "content-encoding"];

/** A browser that follows no redirect says only that there was one. */
const HIDDEN = 300;

/** What is answered to an upstream answer; undefined is none. `stream` makes the body of one that is relayed. */
export function answerTo(relays: Relays, upstream: Response | undefined, stream: (body: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>): Response {
  const reply = relays.judge(headOf(upstream));
  if (reply.stream) return new Response(upstream!.body && stream(upstream!.body), { headers: streamHeaders(upstream!.headers) });
  if (reply.body) return asAnswered(upstream!);
  void upstream?.body?.cancel().catch(() => {});
  return refusal(reply, upstream?.headers);
}

/** Whether an answer is a stream that can be judged. */
export function isStream(relays: Relays, upstream: Response): boolean {
  return !!relays.judge(headOf(upstream)).stream;
}

/** The answer of the upstream, as it came. */
export function asAnswered({ body, status, headers }: Response): Response {
  return new Response(body, { status, headers: passing(headers, ENCODED) });
}

/**
 * The answer in place of a stream, in the words of the module. What else the head of the upstream says goes along: a page of
 * another origin could not read the reason without it.
 */
export function refusal({ status, problem }: Reply, upstream?: Headers): Response {
  const headers = passing(upstream ?? new Headers(), OF_BODY, { "cache-control": "no-store", ...(problem && { "content-type": "application/problem+json" }) });
  return new Response(problem ? JSON.stringify(problem) : null, { status, headers });
}

function headOf(upstream: Response | undefined): Head {
  if (!upstream) return { status: 0 };
  const { headers, type } = upstream;
  const status = type === "opaqueredirect" ? HIDDEN : upstream.status;
  return { status, contentType: headers.get("content-type") ?? "", encoding: headers.get("content-encoding") ?? "" };
}

/** A stream is for one consumer, and nothing on the way may hold it back. */
function streamHeaders(upstream: Headers): Pairs {
  return passing(upstream, OF_BODY, {
    "content-type": upstream.get("content-type")!, "cache-control": upstream.get("cache-control") ?? "no-store", "x-accel-buffering": "no",
  });
}
