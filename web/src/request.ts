import { sessionOf } from "./route.js";
import type { Start } from "./rows.js";
import type { Settings } from "./settings.js";

/** Where to connect so that each session starts where it should. A session without a mark starts at the beginning. */
export function addressOf(url: URL, starts: readonly Start[]): string {
  const address = new URL(url);
  const query = address.searchParams;
  const named = sessionOf(url);
  for (const { session } of starts) if (session !== "" && session !== named) query.append("session", session);
  for (const { token } of starts) if (token !== undefined) query.append("cursor", token);
  if (starts.some(({ start }) => start === "now")) query.set("from", "now");
  return address.href;
}

/** Whether two connections would ask for the same thing. */
export function same(a: readonly Start[], b: readonly Start[]): boolean {
  const key = (starts: readonly Start[]) => JSON.stringify(starts.map(({ session, start, token }) => [session, start, token]));
  return key(a) === key(b);
}

/** A cursor that every link takes. What is odd in any way waits for the judge. */
const TOKEN = /^(.+):(0|[1-9]\d{0,14})(@[\w.~-]+)?$/;

/**
 * What the first connection will ask for, where that is certain before the module has judged the options; else
 * undefined. It only lets the request start early: the link says what is asked.
 * Connections of others are made when they are wanted: they may set something off.
 */
export function firstStarts({ sessions, cursors, proofs, from, load, profile, proof, single }: Settings<unknown>): Start[] | undefined {
  const [session = "", another] = sessions ?? [];
  const [token, more] = cursors;
  if ((another ?? more ?? profile ?? single) !== undefined) return undefined;
  if (token === undefined) return load && from === undefined ? undefined : [{ session, start: from ?? "beginning" }];
  if (TOKEN.exec(token)?.[1] !== session) return undefined;
  const seq = +token.slice(session.length + 1); // NaN beside a generation
  const overlaps = proofs?.[0] && proof !== "off" && seq; // the event it stands on is asked for again
  return [{ session, start: "cursor", token: overlaps ? `${session}:${seq - 1}` : token }];
}
