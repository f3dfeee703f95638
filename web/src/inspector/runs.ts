import { jsonOf } from "../body.js";
import { BAD_INPUT, fault, HTTP_STATUS, messageOf, SOURCE_FAILED, TidemarkError } from "../errors.js";
import type { ParkState } from "../gen/parks.gen.js";
import { ASK, MAX_FRAME } from "../gen/seam.gen.js";
import { headersOf } from "../headers.js";
import { misfit } from "../pieces.js";
import { problemOf } from "../problem.js";
import { isResponse } from "../response.js";
import { full, type Full } from "./module.js";
import { membersOf, optionsOf } from "./options.js";
import { isList, plainFolder, plainOptions, plainRuns, plainScope } from "./plain.js";

/** What a listing is about: a tenant, or a project of it, or a session of that. A scope that skips a level is refused. */
export interface Scope {
  tenantId?: string;
  projectId?: string;
  sessionId?: string;
}

/** What a run of a folder holds. */
export interface FolderRun {
  runId: string;
  /** The run that started it. */
  parentRunId?: string;
  /** A run without any has no row. `createdAt` is in milliseconds since 1970. */
  checkpoints: readonly { id: string; createdAt: number }[];
  /** Its questions in the order in which they were put, as `inspect` answers them. */
  parks?: readonly { decisionId?: string; checkpointId: string; request: unknown; parkedAt: number; deadlineAt?: number; resolvedAt?: number }[];
}

/** What a store holds of a run. In the session model a run is a turn. */
export interface Run extends FolderRun {
  tenantId: string;
  projectId: string;
  sessionId: string;
}

/** Runs; a function is asked for them again for each page, since they may change meanwhile. */
export type Runs<R> = readonly R[] | (() => readonly R[]);

/**
 * Where runs come from: from you; from the folder of one session, where a run says whose child it is and nothing says
 * whose session that is unless `of` does; or from a server, page by page.
 */
export type RunsSource =
  | Runs<Run>
  | { of?: Scope | null; runs: Runs<FolderRun> }
  | { url: string | URL; fetch?: typeof fetch; headers?: HeadersInit };

export interface ListOptions {
  /** Keep rows whose park has one of these states; an empty list keeps none. Absent: all rows, also of runs that never parked. */
  park?: readonly ParkState[];
  /** Rows of a page; absent: 100. Fractions are cut down, and what is below 1 then is 1. */
  limit?: number;
  /** The token of the page before. */
  page?: string;
  /** The clock for parks, in milliseconds since 1970; absent: now. A server has its own. */
  now?: number;
  signal?: AbortSignal;
}

/** The row of a run. */
export interface RunRow {
  tenantId: string;
  projectId: string;
  sessionId: string;
  runId: string;
  parentRunId?: string;
  checkpointCount: number;
  latestCheckpointId: string;
  latestCheckpointAt: number;
  /** The one park that a row shows: the newest outstanding, else the newest expired, else the newest resolved. */
  park?: {
    state: ParkState;
    checkpointId: string;
    requestType: string;
    parkedAt: number;
    deadlineAt?: number;
    resolvedAt?: number;
  };
}

export interface RunPage {
  entries: RunRow[];
  /** Checkpoints whose documents a server cannot read, and the rule of each; absent when there are none. They hide no row. */
  unreadable?: { tenantId: string; projectId: string; sessionId: string; runId: string; parentRunId?: string; checkpointId: string; code: string }[];
  /** Token of the page behind; absent when no row follows. */
  page?: string;
}

interface Pager {
  page(options: ListOptions): Promise<RunPage>;
  close(): void;
}

/**
 * Walks the runs within a scope, page by page, in an order that never moves. Throws `durable.scope_hole`,
 * `durable.no_attribution`, `durable.bad_page_token` or `durable.cannot_list`, from a server as it says them; `stream.source_failed`
 * when the server could not be asked, `stream.http_status` when it does not say why it refuses, `stream.bad_input` when it answers
 * no page, or one whose token leads back to an earlier one.
 */
export async function* listDurable(source: RunsSource, scope: Scope, options: ListOptions = {}): AsyncGenerator<RunPage, void, undefined> {
  const { signal, ...first } = optionsOf(options, "park", "limit", "page", "now", "signal");
  const pager = pagerOf(source, plainScope(scope, "scope"));
  let token = first.page;
  const asked = new Set<string>();
  try {
    do {
      signal?.throwIfAborted();
      if (token !== undefined) moved(asked, token);
      const page = await pager.page({ ...first, ...(token === undefined ? {} : { page: token }), ...(signal ? { signal } : {}) });
      yield page;
      token = page.page;
    } while (token !== undefined);
  } finally {
    pager.close();
  }
}

/** A token that comes again would have the pages behind it walked without end. */
function moved(asked: Set<string>, token: string): void {
  if (asked.has(token)) throw fault(BAD_INPUT, { expected: "page: a token that leads on", found: "one of an earlier page" });
  asked.add(token);
}

function pagerOf(source: RunsSource, scope: Scope): Pager {
  if (typeof source === "function" || isList(source)) {
    return held(source as Runs<Run>, (runs) => ({ runs: plainRuns(runs) }), ASK.openRuns, scope);
  }
  const found = membersOf(source as Partial<{ of: Scope | null; runs: Runs<FolderRun>; url: string | URL; fetch: typeof fetch; headers: HeadersInit }>, "source", "of", "runs", "url", "fetch", "headers");
  if (found.runs !== undefined) {
    const of = found.of ? plainScope(found.of, "of") : {};
    return held(found.runs, (runs) => ({ of, runs: plainFolder(runs) }), ASK.openFolder, scope);
  }
  if (found.url === undefined) throw misfit("source", "runs, { of, runs } or { url }", source);
  return remote(found.url, scope, found.fetch ?? fetch, found.headers);
}

/** Listings that are open in the module, the one that was used last at the end. */
const open = new Set<() => void>();
/** So many: a loop that is left without a word closes nothing. The others are opened again when they are asked. */
const MOST_OPEN = 16;

/** Pages of runs that are here. What was handed over is kept from page to page, unless a function may answer anew. */
function held<R>(runs: Runs<R>, plain: (runs: readonly R[]) => object, op: number, scope: Scope): Pager {
  let opened: { module: Full; handle: number } | undefined;
  let kept: object | undefined;
  const close = () => {
    open.delete(close);
    opened?.module.closeRuns(opened.handle);
    opened = undefined;
  };
  const begin = (module: Full) => {
    close();
    const argument = typeof runs === "function" ? plain(runs()) : (kept ??= plain(runs));
    return (opened = { module, handle: module.ask<number>(op, { argument }) });
  };
  return {
    async page(options) {
      const module = await full.ready();
      const { handle } = opened?.module === module && typeof runs !== "function" ? opened : begin(module);
      open.delete(close);
      if (open.add(close).size > MOST_OPEN) open.values().next().value!();
      return module.ask<RunPage>(ASK.page, { handle, argument: { scope, options: plainOptions(options) } });
    },
    close,
  };
}

function remote(url: string | URL, scope: Scope, request: typeof fetch, headers: HeadersInit | undefined): Pager {
  const sent = new Headers(headersOf(headers ?? {}));
  sent.set("accept", "application/json");
  const ask = async ({ park, limit, page, signal }: ListOptions): Promise<RunPage> => {
    const named = { tenant: scope.tenantId, project: scope.projectId, session: scope.sessionId, park: park?.join(","), limit, page };
    const response = await asked(request, addressed(url, named), { headers: sent, signal: signal ?? null });
    // A page may have as many bytes as a frame of a stream.
    const body = await jsonOf(response, MAX_FRAME).catch((cause: unknown) => {
      signal?.throwIfAborted();
      if (response.ok) throw fault(SOURCE_FAILED, { found: messageOf(cause), cause });
    });
    if (!response.ok) throw refusalOf(response.status, body);
    if (!isPage(body)) throw fault(BAD_INPUT, { expected: "a page of runs", found: "another answer" });
    return body;
  };
  return { page: ask, close: () => {} };
}

function addressed(url: string | URL, query: Record<string, string | number | undefined>): URL {
  let address: URL;
  try {
    address = new URL(url, globalThis.location?.href);
  } catch {
    throw misfit("url", "an address", url);
  }
  for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, String(value));
  return address;
}

/** One request. What aborts it is thrown as it is. */
async function asked(request: typeof fetch, address: URL, init: RequestInit): Promise<Response> {
  let response: unknown;
  try {
    response = await request(address, init);
  } catch (cause) {
    init.signal?.throwIfAborted();
    throw fault(SOURCE_FAILED, { cause });
  }
  if (isResponse(response)) return response;
  throw misfit("fetch", "a function that answers a Response", response);
}

function isPage(body: unknown): body is RunPage {
  const page = body as Partial<RunPage> | null;
  return Array.isArray(page?.entries) && (page.page === undefined || typeof page.page === "string");
}

/** What a server refused, under the rule that it names. */
function refusalOf(status: number, body: unknown): TidemarkError {
  const problem = problemOf(status, body);
  return problem ? new TidemarkError(problem) : fault(HTTP_STATUS, { found: `status ${status}` });
}
