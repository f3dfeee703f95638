// Vectors of the contract: resolver, catalog, normal form, event classes, tokens.

const outcome = {
  status: true, seqs: true, reason: true, detail: true, index: true, error: true,
  from: true, cursor: true, more: true, evidence: true,
};
const thrown = {
  kind: true, code: true, message: true, retryable: true, details: true, status: true,
  retryAfterMs: true, providerId: true, name: true, text: true, object: true, hint: true,
};

/** A verdict in the members that expectations use; `error` for a fault. */
function verdict(answer, events) {
  const { refusal } = answer;
  if (refusal) {
    const { reason, detail, evidence } = refusal;
    return { status: answer.status, reason, detail, index: evidence.index, evidence };
  }
  const seqs = answer.status === "replayed" ? events.map(({ seq }) => seq) : undefined;
  return { status: answer.status, seqs, from: answer.from, cursor: answer.cursor?.token, more: answer.more };
}

/** A fault as an expectation names it. */
export const error = (thrown) => {
  if (typeof thrown?.id !== "string") throw thrown;
  return { error: thrown.id.replace(/^stream\./, "") };
};

export const replay = {
  keys: {
    name: true, about: true, session: true, profile: true, cursor: true, head: true, events: true, more: true,
    expect: outcome, basic_expect: outcome, strict_expect: outcome,
  },
  wanted: (vector) => [vector.strict_expect ?? vector.expect],
  async run({ session, profile, cursor, head, events, more }, backend) {
    const question = { session: session ?? events[0]?.sessionId, profile, cursor, head, events, more };
    try {
      return verdict(backend.resolve(question), events);
    } catch (thrown) {
      return error(thrown);
    }
  },
};

export const catalog = {
  keys: { name: true, about: true, thrown, expect: { facts: true, explanation: true } },
  wanted: (vector) => [vector.expect],
  run: async (vector, backend) => ({ facts: backend.facts(vector.thrown), explanation: backend.explain(vector.thrown) }),
};

export const catalogStrict = {
  keys: { name: true, about: true, thrown, basic_expect: true, strict_expect: true },
  wanted: (vector) => [vector.strict_expect],
  run: async (vector, backend) => backend.explain(vector.thrown),
};

export const normalForm = {
  keys: { name: true, about: true, thrown, expect: { code: true, message: true, details: true, retryable: true } },
  wanted: (vector) => [vector.expect],
  run: async (vector, backend) => backend.normalize(vector.thrown),
};

export const ephemeral = {
  keys: { name: true, about: true, type: true, expect: true },
  wanted: (vector) => [vector.expect],
  run: async (vector, backend) => backend.describe(vector.type).class === "ephemeral",
};

export const token = {
  keys: {
    name: true, about: true, token: true, profile: true,
    expect: { session: true, seq: true, generation: true, token: true, error: true },
  },
  wanted: (vector) => [vector.expect],
  async run(vector, backend) {
    try {
      return backend.parse(vector.token, vector.profile);
    } catch (thrown) {
      return error(thrown);
    }
  },
};
