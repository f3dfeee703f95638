import { OF_BODY } from "../gen/headers.gen.js";
import { passing, type Pairs } from "./headers.js";
import type { Head, Relays, Reply } from "./relays.js";

/** What is said of a body that passes: the host has decoded it. */
const ENCODED = ["content-length", "content-encoding"];

/** A browser that follows no redirect says only that there was one. */
const HIDDEN = 300;

/** What is answered to an upstream answer; undefined is none. `relay` answers one that is a stream. */
export function answerTo(relays: Relays, upstream: Response | undefined, relay: (stream: Response) => Response): Response {
  const reply = relays.judge(headOf(upstream));
  if (reply.stream) return relay(upstream!);
  return reply.body ? asAnswered(upstream!) : refusal(reply, upstream);
}

/** A stream under the head of the upstream answer. */
export function streaming({ headers }: Response, body: ReadableStream<Uint8Array> | null): Response {
  return new Response(body, { headers: streamHeaders(headers) });
}

/** Whether an answer can be given on: a platform makes none with another status. */
export function canPass({ status }: Response): boolean {
  return status >= 200 && status <= 599;
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
 * The answer in place of that of the upstream, in the words of the module. What else the head of that says goes along: a page of
 * another origin could not read the reason without it.
 */
export function refusal({ status, problem }: Reply, upstream?: Response): Response {
  void upstream?.body?.cancel().catch(() => {});
  const type = { "content-type": "application/problem+json" };
  const headers = passing(upstream?.headers ?? new Headers(), OF_BODY, { "cache-control": "no-store", ...(problem && type) });
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
