import { sessionOf } from "../route.js";
import type { RelayOptions } from "./passage.js";
import { without } from "./reply.js";

/** What belongs to one connection, or asks for something else than the stream as it is. */
const NOT_FORWARDED = [
  "host", "connection", "keep-alive", "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  "content-length", "expect", "range", "if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range",
];

/** What a request for a stream asks for. What it means is read by the module. */
export function askedBy(request: Request): RelayOptions {
  const url = new URL(request.url);
  const all = (name: string) => url.searchParams.getAll(name);
  const routed = sessionOf(url);
  const lastEventId = request.headers.get("last-event-id");
  return {
    sessions: [...new Set([...(routed === undefined ? [] : [routed]), ...all("session")])],
    cursors: all("cursor"),
    from: all("from"),
    ...(lastEventId && { lastEventId }),
  };
}

/** The same path and query at the upstream. */
export function addressAt(upstream: string | URL, request: Request): URL {
  const { pathname, search } = new URL(request.url);
  const address = new URL(upstream);
  address.pathname = address.pathname.replace(/\/$/, "") + pathname;
  address.search = search;
  return address;
}

/** The headers of the consumer, with those of the worker over them. What passes is read, so it must not be compressed. */
export function headersFor(request: Request, own: HeadersInit | undefined): Headers {
  const headers = without(request.headers, NOT_FORWARDED);
  headers.set("accept", "text/event-stream");
  headers.set("accept-encoding", "identity");
  new Headers(own).forEach((value, name) => headers.set(name, value));
  return headers;
}
