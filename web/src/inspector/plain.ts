import { BAD_INPUT, fault } from "../errors.js";
import { misfit } from "../pieces.js";
import { given, wire } from "../wire.js";
import type { FolderRun, ListOptions, Run, Scope } from "./runs.js";

// The module reads objects member by member, and nothing that a getter throws could be caught there. So it is handed
// plain ones, made here; whether their members are what they have to be is for the module to say.

const SCOPE = ["tenantId", "projectId", "sessionId"] as const;

export function plainScope(scope: Scope, name: string): Scope {
  return plain(scope, name, ...SCOPE);
}

export function plainOptions(options: ListOptions): object {
  const { park, limit, page, now } = plain(options, "options", "park", "limit", "page", "now");
  return { park: park && Object.values(plain(listed(park, "park"), "park", ...park.keys())), limit, page, now: now ?? Date.now() };
}

export function plainRuns(runs: readonly Run[]): object[] {
  return listed(runs, "runs").map((run) => ({ ...plain(run, "runs", ...SCOPE), ...held(run) }));
}

export function plainFolder(runs: readonly FolderRun[]): object[] {
  return listed(runs, "runs").map(held);
}

function held(run: FolderRun): object {
  const { checkpoints, parks, ...rest } = plain(run, "runs", "runId", "parentRunId", "checkpoints", "parks");
  return {
    ...rest,
    checkpoints: listed(checkpoints, "checkpoints").map((checkpoint) => plain(checkpoint, "checkpoints", "id", "createdAt")),
    parks: listed(parks ?? [], "parks").map((park) => {
      const { request } = given(park, "parks", "request");
      return { ...plain(park, "parks", "decisionId", "checkpointId", "parkedAt", "deadlineAt", "resolvedAt"), request: wire(request) };
    }),
  };
}

/** A copy of a list, so that nothing it does can show up later. */
function listed<T>(list: readonly T[], name: string): readonly T[] {
  try {
    if (isList(list)) return Array.from(list);
  } catch {} // an element that throws
  throw misfit(name, "a list that can be read", list);
}

/** Whether it is a list: one that throws at the question is none. */
export function isList(value: unknown): value is readonly never[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Members for the module. It cannot even ask what a BigInt is: that would be its end. */
function plain<T, K extends keyof T>(argument: T, name: string, ...wanted: K[]): Pick<T, K> {
  const found = given(argument, name, ...wanted);
  for (const key of wanted) {
    if (typeof found[key] === "bigint") throw fault(BAD_INPUT, { expected: `${name}: ${String(key)} that is no BigInt`, found: "bigint" });
  }
  return found;
}
