import { sessionOf } from "../route.js";
import type { RelayOptions } from "./passage.js";

/** What a request for a stream asks for. What that means is read by the module. */
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

/** Whether it says of no session where to start. */
export function namesNoStart({ cursors, from, lastEventId }: RelayOptions): boolean {
  return !cursors?.length && !from?.length && !lastEventId;
}
