// Seeded chat traffic as text/event-stream bytes: 8 interleaved sessions, about four deltas to one recorded
// event, about 550 bytes an event in the mean, members as in the event table, prose and code with the escapes
// that those have, some text beyond ASCII, now and then a recorded event twice.

/** mulberry32: small, seeded, good enough to mix traffic. */
function lots(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const WORDS = "the stream goes on from where it was and nothing is lost on the way to whoever reads it".split(" ");
const LINES = [
  "func (t *Tracker) Observe(e *Envelope) Decision {\n", "\tif e.Seq == 0 {\n", '\t\treturn t.pass(e, "ephemeral")\n', "\t}\n", "}\n", "\n",
  "// The reader keeps its place.\n", "\tfor i := range lanes {\n", "ok  \tpkg/cursor\t0.213s\n", "PASS\n",
];
const FOREIGN = ["für", "日本語", "naïve", "—", "😀"];

/** Text as events hold it: prose with a paragraph now and then, and the code and output of tools. */
function texts(lot) {
  const pick = (list) => list[Math.floor(lot() * list.length)];
  const foreign = () => (lot() < 0.048 ? `${pick(FOREIGN)} ` : "");
  const grown = (length, next) => {
    let text = foreign();
    for (let n = 1; text.length < length; n++) text += next(n);
    return text.slice(0, length);
  };
  return {
    prose: (length) => grown(length, (n) => pick(WORDS) + (n % 24 === 0 ? ".\n\n" : " ")),
    code: (length) => grown(length, () => pick(LINES)),
  };
}

const turnId = "turn_01hq2k7v9m";
const messageId = "msg_01hq2k7v9m";
const toolUseId = "toolu_01hq2k7v9m";
const timestamp = 1767225600000;

/** Recorded types: share, and their members. Sizes go from 130 bytes to 14 KB. */
const recorded = ({ prose, code }, lot) => [
  [0.23, "iteration_started", () => ({ iteration: 3 })],
  [0.20, "tool_executing", () => ({ toolUseId, toolName: "read_file", input: { path: "pkg/cursor/tracker.go", from: 1, to: 240 } })],
  [0.23, "token_usage_updated", () => ({ usage: { inputTokens: 18234, outputTokens: 512, cacheReadTokens: 16384 }, cost: { usd: 0.0182 }, contextTokens: 18746 })],
  [0.15, "message_completed", () => ({ iteration: 3, messageId, stopReason: "end_turn", content: prose(2000) })],
  [0.19, "tool_completed", () => ({ toolUseId, isError: false, content: code(350 + Math.floor(lot() ** 1.55 * 13_000)) })],
];

/** Deltas: three of text to one of a tool's arguments. */
function delta({ prose, code }, lot) {
  const size = Math.floor(lot() * 34);
  return lot() < 0.75
    ? ["text_delta", { iteration: 3, messageId, text: prose(70 + size) }]
    : ["tool_input_delta", { toolUseId, partialJson: JSON.stringify({ path: "pkg/cursor", text: code(40 + size) }) }];
}

/** As much as `bytes` or as many as `events`, whatever comes first. */
export function traffic({ seed = 1, bytes = 10 << 20, events = Infinity } = {}) {
  const lot = lots(seed);
  const text = texts(lot);
  const types = recorded(text, lot);
  const sessions = Array.from({ length: 8 }, (_, i) => ({ id: `ses_${(i + 1).toString(16).repeat(12)}`, seq: 0, last: "" }));
  const parts = [];
  const counts = { events: 0, accept: 0, pass: 0, duplicate: 0 };
  let size = 0;
  const put = (block, verdict) => {
    parts.push(Buffer.from(block));
    size += parts.at(-1).length;
    counts.events++;
    counts[verdict]++;
  };
  while (size < bytes && counts.events < events) {
    const session = sessions[Math.floor(lot() * 8)];
    const { id: sessionId } = session;
    if (lot() < 0.006 && session.last) put(session.last, "duplicate");
    else if (lot() < 0.793) {
      const [type, members] = delta(text, lot);
      put(frame({ type, sessionId, turnId, timestamp, ...members }), "pass");
    } else {
      let at = lot();
      const [, type, members] = types.find(([share]) => (at -= share) < 0) ?? types[0];
      const seq = ++session.seq;
      session.last = `id: ${sessionId}:${seq}@7\n${frame({ type, sessionId, turnId, seq, generation: 7, timestamp, ...members() })}`;
      put(session.last, "accept");
    }
  }
  const heads = sessions.map(({ id, seq }) => "event: tidemark.head\n" + frame({ sessionId: id, lastSeq: seq, generation: 7, oldestSeq: 1, verdict: "replayed", from: 1 }));
  return { bytes: Buffer.concat([Buffer.from(heads.join("")), ...parts]), sessions: sessions.map(({ id }) => id), counts };
}

const frame = (data) => `data: ${JSON.stringify(data)}\n\n`;

export function* chunks(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
