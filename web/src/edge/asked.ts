import { sessionIn, sessionOf } from "../route.js";
import type { RelayOptions } from "./passage.js";

/** What a request for a stream asks for. What that means is read by the module. */
export function askedBy(request: Request): RelayOptions {
  const url = new URL(request.url);
  const all = (name: string) => url.searchParams.getAll(name);
  const routed = sessionOf(url);
  const lastEventId = utf8(request.headers.get("last-event-id") ?? "");
  return {
    sessions: [...new Set([...(routed === undefined ? [] : [routed]), ...all("session")])],
    cursors: all("cursor"),
    from: all("from"),
    ...(lastEventId && { lastEventId }),
  };
}

/** Most hosts show a header by its bytes, one character for each; workerd reads it as UTF-8, and takes any text. */
const BY_BYTES = isRefused("\u0100");

function isRefused(value: string): boolean {
  try {
    return !new Headers({ value });
  } catch {
    return true;
  }
}

/** The text of a header, which a browser sends as UTF-8; what is none stays as it is. */
function utf8(header: string): string {
  if (!BY_BYTES) return header;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(header, (byte) => byte.charCodeAt(0)));
  } catch {
    return header;
  }
}

/** Whether it asks for more than one session: by name, or where it names none, by cursors. */
export function asksForMany({ sessions, cursors = [], lastEventId }: RelayOptions): boolean {
  const tokens = lastEventId ? [...cursors, lastEventId] : cursors;
  return new Set(sessions?.length ? sessions : tokens.map(sessionIn).filter(Boolean)).size > 1;
}

/** Whether it says of no session where to start. */
export function namesNoStart({ cursors, from, lastEventId }: RelayOptions): boolean {
  return !cursors?.length && !from?.length && !lastEventId;
}
