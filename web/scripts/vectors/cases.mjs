// Cases from public bug reports: sse, json, tracker, resolver, pipeline.
import { createHash } from "node:crypto";
import { error } from "./spec.mjs";

export const about = {
  id: true, name: true, kind: true, source: true, fault: true, fault_text: true, correct_client: true, note: true,
};

/** A token with the generation that a case names beside it. */
function fenced(token, generation) {
  if (token === null || token === undefined || generation === null || generation === undefined) return token ?? undefined;
  const escaped = [...Buffer.from(String(generation))].map((byte) => {
    const char = String.fromCharCode(byte);
    return /[A-Za-z0-9\-._~]/.test(char) ? char : "%" + byte.toString(16).toUpperCase().padStart(2, "0");
  });
  return `${token}@${escaped.join("")}`;
}

/** What the resolver is asked about: a token, or parts when the generation is none that a token can hold. */
function askedCursor(cursor, generation) {
  const absent = generation === null || generation === undefined;
  const usable = typeof generation === "string" ? generation !== "" : Number.isInteger(generation) && generation >= 0;
  return absent || usable ? fenced(cursor, generation) : { sinceSeq: Number(tokenSeq(cursor) ?? 0), generation };
}

const tokenSeq = (cursor) => /:(\d+)(@|$)/.exec(cursor ?? "")?.[1];

/** What a store answers to "everything above n": entries without a seq are no records. */
function above(cursor, events, base = 1) {
  const from = Number(tokenSeq(cursor) ?? base - 1);
  return events.filter(({ seq }) => seq !== undefined && seq !== null && !(typeof seq === "number" && seq <= from));
}

/** Where a tracker stands, as cases write it: the token without its generation. */
function place({ session, seq, generation }) {
  return { cursor: seq === undefined ? null : `${session}:${seq}`, generation: generation ?? null };
}

export function chunksOf({ chunks, chunk_expand, encoding }) {
  if (chunk_expand) return chunk_expand.map(({ text, times }) => Buffer.from(text.repeat(times)));
  return chunks.map((chunk) => Buffer.from(chunk, encoding === "base64" ? "base64" : "utf8"));
}

const message = { event: true, id: true, data: true, data_length: true, data_sha256: true, last_event_id: true, retry: true };

/** The same bytes cut differently have to give the same. */
export function cuttings(chunks) {
  const whole = Buffer.concat(chunks);
  if (whole.length > 1 << 16) return [chunks, [whole]];
  return [chunks, [whole], [...whole].map((byte) => Buffer.from([byte]))];
}

function read({ event, id, data, lastEventId, retry }) {
  const data_sha256 = createHash("sha256").update(data).digest("hex");
  return { event, id: id ?? null, data, data_length: Buffer.byteLength(data), data_sha256, last_event_id: lastEventId, retry };
}

export const sse = {
  keys: {
    ...about,
    input: { encoding: true, chunks: true, chunk_expand: true, then_new_connection_chunks: true },
    expected: {
      expected_messages: message, expected_last_event_id: true, expected_retry: true, expected_incomplete_tail: true,
      expected_comment_count: true, then_expected_messages: message, check_before_eof: true,
    },
  },
  wanted: ({ expected }) => {
    const { check_before_eof, ...compared } = expected;
    return [compared];
  },
  async run({ input, expected }, backend) {
    const results = cuttings(chunksOf(input)).map((chunks) => {
      const { messages, end } = backend.decode(chunks, { end: !expected.check_before_eof });
      return {
        expected_messages: messages.map(read),
        expected_last_event_id: end?.lastEventId, expected_retry: end ? end.retry ?? null : undefined,
        expected_incomplete_tail: end?.incompleteTail, expected_comment_count: end?.comments,
      };
    });
    const [first, ...others] = results;
    const differs = others.find((other) => JSON.stringify(other) !== JSON.stringify(first));
    if (differs) return { differsWhenCutAnew: differs };
    if (!input.then_new_connection_chunks) return first;
    const { messages } = backend.decode(chunksOf({ ...input, chunks: input.then_new_connection_chunks }), { end: true });
    return { ...first, then_expected_messages: messages.map(read) };
  },
};

const stand = { verdicts: true, cursor: true, generation: true };

/** The outcome that is expected, and others that are as good. */
function alternatives({ expected: { also_ok: inside, ...expected }, also_ok: outside }) {
  return [expected, ...(inside ?? []), ...(outside ?? [])];
}

function track({ session, start_cursor, start_generation, profile }, observed, backend) {
  const tracker = backend.track({ session, cursor: fenced(start_cursor, start_generation), profile });
  try {
    return { verdicts: observed.map((event) => tracker.observe(event)), ...place(tracker.state()) };
  } finally {
    tracker.close();
  }
}

export const tracker = {
  keys: {
    ...about, also_ok: stand,
    input: { session: true, profile: true, start_cursor: true, start_generation: true, observations: { event: true, verdict: true } },
    expected: { ...stand, also_ok: stand },
  },
  wanted: (vector) => {
    const verdicts = vector.input.observations.map(({ verdict }) => verdict);
    return alternatives({ ...vector, expected: { verdicts, ...vector.expected } });
  },
  run: async ({ input }, backend) => track(input, input.observations.map(({ event }) => event), backend),
};

export const json = {
  keys: {
    ...about, also_ok: stand,
    input: { session: true, profile: true, start_cursor: true, start_generation: true, raw_events: true },
    expected: { ...stand, also_ok: stand },
  },
  wanted: alternatives,
  run: async ({ input }, backend) => track(input, input.raw_events, backend),
};

const answer = { verdict: true, reason: true, detail: true, deliver: true, error: true };

export const resolver = {
  keys: {
    ...about, also_ok: answer,
    input: { session: true, profile: true, cursor: true, cursor_generation: true, head: { seq: true, generation: true }, events: true, more: true },
    expected: { ...answer, also_ok: answer },
  },
  wanted: alternatives,
  async run({ input }, backend) {
    const { session, profile, cursor, cursor_generation, head, more } = input;
    const events = above(cursor, input.events, profile?.base);
    const said = head === null ? null : { lastSeq: head.seq, generation: head.generation };
    try {
      const question = { session, profile, cursor: askedCursor(cursor, cursor_generation), head: said, events, more };
      const { status, refusal } = backend.resolve(question);
      const deliver = status === "replayed" ? events.map(({ seq }) => seq) : [];
      return { verdict: status, reason: refusal?.reason, detail: refusal?.detail, deliver };
    } catch (thrown) {
      return error(thrown);
    }
  },
};

const passed = { verdicts: true, cursor: true, generation: true, retry: true, stream_end: true };

export const pipeline = {
  keys: {
    ...about, also_ok: passed,
    input: { start_cursor: true, start_generation: true, chunks: true, connections: true, encoding: true, profile: true, proof: true },
    expected: { ...passed, also_ok: passed },
  },
  wanted: alternatives,
  async run({ input }, backend) {
    const { start_cursor, start_generation, profile, proof, encoding } = input;
    const connections = (input.connections ?? [input.chunks]).map((chunks) => chunksOf({ chunks, encoding }));
    const { verdicts, cursor } = await backend.pipeline({ cursor: fenced(start_cursor, start_generation), profile, proof, connections });
    const { end } = backend.decode(connections.at(-1), { end: true });
    return {
      verdicts, ...place(backend.parse(cursor, profile)),
      retry: end.retry ?? null, stream_end: end.incompleteTail ? "incomplete_tail" : "clean",
    };
  },
};
