import { misfit } from "../pieces.js";
import { given, wire } from "../wire.js";
import type { FolderRun, ListOptions, Run, Scope } from "./runs.js";

// The module reads objects member by member, and nothing that a getter throws could be caught there. So it is handed
// plain ones, made here; whether their members are what they have to be is for the module to say.

const SCOPE = ["tenantId", "projectId", "sessionId"] as const;

export function plainScope(scope: Scope, name: string): Scope {
  return given(scope, name, ...SCOPE);
}

export function plainOptions({ park, limit, page, now }: ListOptions): object {
  return { park: park === undefined ? undefined : [...park], limit, page, now: now ?? Date.now() };
}

export function plainRuns(runs: readonly Run[]): object[] {
  return listed(runs, "runs").map((run) => ({ ...given(run, "runs", ...SCOPE), ...held(run) }));
}

export function plainFolder(runs: readonly FolderRun[]): object[] {
  return listed(runs, "runs").map(held);
}

function held(run: FolderRun): object {
  const { checkpoints, parks, ...rest } = given(run, "runs", "runId", "parentRunId", "checkpoints", "parks");
  return {
    ...rest,
    checkpoints: listed(checkpoints, "checkpoints").map((checkpoint) => given(checkpoint, "checkpoints", "id", "createdAt")),
    parks: listed(parks ?? [], "parks").map((park) => {
      const { request, ...members } = given(park, "parks", "decisionId", "checkpointId", "request", "parkedAt", "deadlineAt", "resolvedAt");
      return { ...members, request: wire(request) };
    }),
  };
}

function listed<T>(list: readonly T[], name: string): readonly T[] {
  if (!Array.isArray(list)) throw misfit(name, "a list", list);
  return list;
}
