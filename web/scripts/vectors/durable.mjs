// Vectors about durable state: parks, and listings of runs.
import { bare } from "./files.mjs";

const scopeKeys = { tenantId: true, projectId: true, sessionId: true };
const runKeys = { ...scopeKeys, runId: true, parentRunId: true };
const pending = { request: true, parkedAt: true, deadlineAt: true, resolvedAt: true };
const checkpointKeys = { id: true, createdAt: true, pending };
const parkKeys = { state: true, checkpointId: true, requestType: true, parkedAt: true, deadlineAt: true, resolvedAt: true };
const entryKeys = { ...runKeys, checkpointCount: true, latestCheckpointId: true, latestCheckpointAt: true, park: parkKeys };
const rowKeys = { runId: true, park: { state: true } };
const options = { park: true, limit: true, now: true };
const about = { name: true, about: true, op: true, basis: true };
const expect = { entries: entryKeys, more: true, refused: true };

const parkOutcome = {
  parks: { decisionId: true, turnId: true, checkpointId: true, pending: { request: true, parkedAt: true, deadlineAt: true, resolvedAt: true, decision: true } },
  pending: true, expired: true,
};

export const parks = {
  keys: { name: true, about: true, records: true, query: { now: true, turnId: true }, expect: parkOutcome, basic_expect: parkOutcome, strict_expect: parkOutcome },
  wanted: (vector) => [vector.strict_expect ?? vector.expect],
  async run({ records, query: { now, turnId } }, backend) {
    const log = records.map((record) => bare(record) + "\n").join("");
    const { parks, pending, expired } = await backend.parks(log, { now, turnId });
    return {
      parks: parks.map(({ decisionId, turnId, checkpointId, request, parkedAt, deadlineAt, resolvedAt, decision }) => ({
        decisionId, turnId, checkpointId, pending: { request, parkedAt, deadlineAt, resolvedAt, decision },
      })),
      pending: pending ?? null, expired,
    };
  },
};

const REFUSED = { "durable.scope_hole": "scope", "durable.no_attribution": "attribution" };
const session = { tenantId: "t", projectId: "p", sessionId: "s" };

/** The first page of a source, or what it is refused for. */
async function firstPage(backend, source, scope, { now, ...options }) {
  try {
    const { value } = await backend.list(source, scope, { ...options, now: now ?? 0 }).next();
    return { entries: value.entries, more: value.page !== undefined };
  } catch (thrown) {
    if (REFUSED[thrown?.id]) return { refused: REFUSED[thrown.id] };
    throw thrown;
  }
}

/** Checkpoints with the parks that a vector attaches to them, the latter in the order in which they were asked. */
function held(checkpoints) {
  const parks = checkpoints.filter(({ pending }) => pending).map(({ id, pending }) => ({ decisionId: id, checkpointId: id, ...pending }));
  return { checkpoints: checkpoints.map(({ id, createdAt }) => ({ id, createdAt })), parks: parks.sort((a, b) => a.parkedAt - b.parkedAt) };
}

const scopeVector = {
  keys: { ...about, scope: scopeKeys, expect: true },
  wanted: ({ expect }) => [expect],
  run: async ({ scope }, backend) => ((await firstPage(backend, [], scope, {})).refused ? "refused" : "ok"),
};

const entryVector = {
  keys: { ...about, now: true, scope: runKeys, checkpoints: checkpointKeys, expect: entryKeys },
  wanted: ({ expect }) => [expect],
  async run({ now, scope, checkpoints }, backend) {
    const { tenantId, projectId, sessionId } = scope;
    const { entries } = await firstPage(backend, [{ ...scope, ...held(checkpoints) }], { tenantId, projectId, sessionId }, { now });
    return entries[0] ?? null;
  },
};

/** A run in a state that a row names, at a clock that stands at 0. */
function rowRun({ runId, park }) {
  const { state } = park ?? {};
  const parks = state ? [{ checkpointId: "cp", request: null, parkedAt: 0, ...(state === "expired" ? { deadlineAt: 0 } : {}), ...(state === "resolved" ? { resolvedAt: 0 } : {}) }] : [];
  return { ...session, runId, checkpoints: [{ id: "cp", createdAt: 0 }], parks };
}

const walkVector = {
  keys: { ...about, entries: rowKeys, options, changes: { afterPage: true, remove: true, add: rowKeys }, expect: { pages: true } },
  wanted: ({ expect }) => [expect],
  async run({ entries, options, changes = [] }, backend) {
    let runs = entries.map(rowRun);
    const pages = [];
    for await (const { entries: rows } of backend.list(() => runs, session, { now: 0, ...options })) {
      pages.push(rows.map(({ runId }) => runId));
      for (const { remove = [], add = [] } of changes.filter(({ afterPage }) => afterPage === pages.length)) {
        runs = [...runs.filter(({ runId }) => !remove.includes(runId)), ...add.map(rowRun)];
      }
    }
    return { pages };
  },
};

const memoryVector = {
  keys: { ...about, writes: { scope: runKeys, checkpoints: checkpointKeys }, deletes: { checkpointId: true, scope: runKeys }, scope: scopeKeys, options, expect },
  wanted: ({ expect }) => [expect],
  run: async ({ writes, deletes = [], scope, options }, backend) => firstPage(backend, stored(writes, deletes), scope, options ?? {}),
};

/** What is left of writes and deletes: the last checkpoint of an id counts. */
function stored(writes, deletes) {
  const key = ({ tenantId, projectId, sessionId, runId }) => JSON.stringify([tenantId, projectId, sessionId, runId]);
  const runs = new Map();
  for (const { scope, checkpoints } of writes) {
    const run = runs.get(key(scope)) ?? { scope, checkpoints: new Map() };
    runs.set(key(scope), run);
    for (const checkpoint of checkpoints) run.checkpoints.set(checkpoint.id, checkpoint);
  }
  for (const { scope, checkpointId } of deletes) runs.get(key(scope))?.checkpoints.delete(checkpointId);
  return [...runs.values()].map(({ scope, checkpoints }) => ({ ...scope, ...held([...checkpoints.values()]) }));
}

const diskVector = {
  keys: { ...about, tree: true, attribution: scopeKeys, scope: scopeKeys, options, expect },
  wanted: ({ expect }) => [expect],
  async run({ tree, attribution, scope, options }, backend) {
    const runs = Object.entries(tree).flatMap(([runId, { checkpoints, children = {} }]) => [
      { runId, ...held(checkpoints) },
      ...Object.entries(children).map(([child, list]) => ({ runId: child, parentRunId: runId, ...held(list) })),
    ]);
    return firstPage(backend, { of: attribution, runs }, scope, options ?? {});
  },
};

export const listings = { scope: scopeVector, entry: entryVector, walk: walkVector, memory: memoryVector, disk: diskVector };
