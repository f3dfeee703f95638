import { headersOf } from "./headers.js";
import { HttpSource } from "./http.js";
import { Pending } from "./pending.js";
import { sessionIn, sessionOf } from "./route.js";
import type { Loaded, OpenOptions, Settings, Source } from "./settings.js";
import { check, invalid, isObject, isStart } from "./takes.js";

/** What no request can carry as it is, or no session is named: the core says the same. */
const NO_ID = /[\p{Cc}\p{Cs}]/u;

/** Checks everything once. Throws `stream.invalid_options`, naming the option, what it takes and what was there. */
export function settle<S>(source: string | URL | Source, options: OpenOptions<S>): Settings<S> {
  if (!isObject(options)) throw invalid("options", "an object", options);
  const given = copied(options);
  for (const name in given) check(name, given[name as keyof OpenOptions]);
  const address = isSource(source) ? undefined : addressed(source);
  const sessions = followed(given, address && sessionOf(address));
  const start = startOf(given);
  checkBeside(address, sessions, start, given);
  return {
    ...given,
    ...(isSource(source) ? asGiven(source, given) : overHttp(address!, given)),
    ...start,
    // the core takes several cursors for as many sessions; what asks by name has to know them, too
    sessions: sessions ?? (start.cursors[1] ? start.cursors.map(sessionIn) : undefined),
    url: address,
    debug: given.debug === true ? (line) => console.debug(line) : given.debug || undefined,
  };
}

/** Each option is read once, those that are inherited as well. */
function copied<T extends object>(options: T): T {
  const copy: Partial<T> = {};
  try {
    for (const name in options) copy[name] = options[name];
  } catch {
    throw invalid("options", "an object whose members can be read", options);
  }
  return copy as T;
}

/** The sessions that are named anywhere. */
function followed({ session, sessions }: OpenOptions, routed: string | undefined): string[] | undefined {
  if (session !== undefined && sessions !== undefined) throw invalid("sessions", "either session or sessions", sessions);
  const named = session ?? routed;
  const list = sessions ? [...sessions] : named === undefined ? undefined : [named];
  if (list?.some((id) => NO_ID.test(id))) throw invalid("session", "ids without control characters", list);
  return list;
}

/** Where to start is said in one place: what is a cursor in one must not contradict another. */
function startOf<S>(given: OpenOptions<S>): Pick<Settings<S>, "from" | "cursors" | "initial"> {
  const { cursor, from, initial } = given;
  const named = from === undefined || isStart(from);
  const states = initial === undefined ? [] : ([initial].flat() as Loaded<S>[]);
  const places: Record<string, string[]> = {
    cursor: cursor === undefined || cursor === null ? [] : [cursor].flat() as string[],
    from: named ? [] : [from],
    initial: states.map((loaded) => loaded.cursor),
  };
  const [said, twice] = Object.keys(places).filter((name) => places[name]!.length > 0);
  if (twice) throw invalid(twice, `a cursor in either ${said} or ${twice}`, given[twice as keyof OpenOptions]);
  return { from: named ? from : undefined, cursors: said ? places[said]! : [], initial: states };
}

/** What goes with options that only some pages use. */
function checkBeside(url: unknown, sessions: unknown, { cursors, initial }: Pick<Settings<unknown>, "cursors" | "initial">, { worker, snapshots, fetch: own }: OpenOptions): void {
  if (worker && !(url && !own)) throw invalid("worker", "an address, and no fetch beside it", worker);
  if (snapshots && !(sessions && cursors.length === initial.length)) throw invalid("snapshots", "a session with a name, and no cursor beside it", snapshots);
}

function addressed(url: unknown): URL {
  const address = absolute(url);
  // fetch takes no others, however often it is asked
  if (!/^https?:..[^@/]+\//.test(address.href)) throw invalid("url", "http or https, no user in it", url);
  for (const name of ["session", "cursor", "from"]) {
    if (address.searchParams.has(name)) throw invalid("url", `no "${name}" in its query; there is an option ${name}`, address.href);
  }
  return address;
}

function absolute(url: unknown): URL {
  try {
    if (typeof url === "string" || url instanceof URL) return new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href);
  } catch {
    throw invalid("url", "an absolute URL, or one relative to the page", url); // the engine's own words hold the address
  }
  throw invalid("url", "text, a URL, or a source", url);
}

function isSource(source: unknown): source is Source {
  return typeof (source as Source | null | undefined)?.connect === "function";
}

/** Whoever brings a connection has made it as they like it. */
function asGiven(source: Source, given: OpenOptions): Source {
  for (const name of ["headers", "fetch", "credentials"] as const) {
    if (given[name] !== undefined) throw invalid(name, "nothing beside a source", given[name]);
  }
  return {
    connect: (starts, attempt) => new Pending(async () => source.connect(starts, attempt)),
    renew: source.renew?.bind(source),
    single: !!source.single,
  };
}

export function overHttp(url: URL, { headers, fetch: own, credentials }: OpenOptions): Source {
  const asked = typeof headers === "function";
  const http = new HttpSource({
    url, credentials,
    headers: asked ? headers : headersOf(headers),
    fetch: own ?? ((input, init) => fetch(input, init)),
  });
  return {
    connect: (starts, attempt) => http.connect(starts, attempt),
    renew: asked ? (starts, attempt, status) => http.renew(starts, attempt, status) : undefined,
  };
}
