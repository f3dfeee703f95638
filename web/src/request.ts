import type { Settings } from "./options.js";
import type { Start } from "./rows.js";

const ROUTE = /\/sessions\/([^/]+)\/events\/?$/;

/** The session that a URL names, when it is one of our routes. */
export function sessionOf(url: URL): string | undefined {
  const id = ROUTE.exec(url.pathname)?.[1];
  try {
    return id && decodeURIComponent(id);
  } catch {
    return undefined;
  }
}

/** Where to connect so that each session starts where it should. A session without a mark starts at the beginning. */
export function addressOf(url: URL, starts: readonly Start[]): string {
  const address = new URL(url);
  const query = address.searchParams;
  const named = sessionOf(url);
  for (const { session } of starts) {
    if (session !== "" && session !== named && !query.getAll("session").includes(session)) query.append("session", session);
  }
  query.delete("cursor");
  query.delete("from");
  for (const { token } of starts) if (token !== undefined) query.append("cursor", token);
  if (starts.some(({ start }) => start === "now")) query.set("from", "now");
  return address.href;
}

/**
 * What the first connection will ask for, as far as that is known before the module has read anything;
 * undefined when it cannot be told. It only lets the request start early: the link says what is asked.
 */
export function firstStarts(settings: Settings<unknown>): Start[] | undefined {
  const { sessions, cursors, from, load } = settings;
  const [session] = sessions ?? [""];
  const [token] = cursors;
  if (session === undefined || (sessions && sessions.length > 1) || cursors.length > 1) return undefined;
  if (token !== undefined) return sessions && [{ session, start: "cursor", token }];
  return load && from === undefined ? undefined : [{ session, start: from ?? "beginning" }];
}
