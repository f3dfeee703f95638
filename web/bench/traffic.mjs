// Seeded chat traffic as text/event-stream bytes: 8 interleaved sessions, about four deltas to one recorded
// event, 537 bytes an event in the mean, some text beyond ASCII, now and then a recorded event twice.

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
const FOREIGN = ["für", "日本語", "naïve", "—", "😀"];

/** Recorded types: share, and the text that brings them to their size. */
const RECORDED = [
  [0.23, "iteration_started", () => 20],
  [0.20, "tool_executing", () => 85],
  [0.23, "token_usage_updated", () => 85],
  [0.15, "message_completed", () => 2100],
  [0.19, "tool_completed", (lot) => 350 + Math.floor(lot() ** 1.55 * 14_300)],
];

/** `bytes` is how much to make, in all. */
export function traffic({ seed = 1, bytes = 10 << 20 } = {}) {
  const lot = lots(seed);
  const sessions = Array.from({ length: 8 }, (_, i) => ({ id: `ses_${(i + 1).toString(16).repeat(12)}`, seq: 0, last: "" }));
  const parts = [];
  const counts = { events: 0, accept: 0, pass: 0, duplicate: 0 };
  let size = 0;
  const text = (length) => {
    const foreign = lot() < 0.048 ? FOREIGN[Math.floor(lot() * FOREIGN.length)] + " " : "";
    let words = foreign;
    while (words.length < length) words += WORDS[Math.floor(lot() * WORDS.length)] + " ";
    return words.slice(0, Math.max(length, foreign.length));
  };
  const put = (block, verdict) => {
    parts.push(block);
    size += Buffer.byteLength(block);
    counts.events++;
    counts[verdict]++;
  };
  while (size < bytes) {
    const session = sessions[Math.floor(lot() * 8)];
    if (lot() < 0.006 && session.last) put(session.last, "duplicate");
    else if (lot() < 0.793) put(delta(session, text(95 + Math.floor(lot() * 34))), "pass");
    else put((session.last = recorded(session, lot, text)), "accept");
  }
  const heads = sessions.map(({ id, seq }) => `event: tidemark.head\ndata: ${JSON.stringify({ sessionId: id, lastSeq: seq, generation: 7, oldestSeq: 1, verdict: "replayed", from: 1 })}\n\n`);
  return { bytes: Buffer.from(heads.join("") + parts.join("")), sessions: sessions.map(({ id }) => id), counts };
}

function delta({ id }, text) {
  return `data: ${JSON.stringify({ type: "text_delta", sessionId: id, turnId: "turn_01hq2k7v9m", timestamp: 1767225600000, messageId: "msg_01hq2k7v9m", text })}\n\n`;
}

function recorded(session, lot, text) {
  let at = lot();
  const [, type, length] = RECORDED.find(([share]) => (at -= share) < 0) ?? RECORDED[0];
  const seq = ++session.seq;
  const event = { type, sessionId: session.id, turnId: "turn_01hq2k7v9m", seq, generation: 7, timestamp: 1767225600000, id: "x_01hq2k7v9m", text: text(length(lot)) };
  return `id: ${session.id}:${seq}@7\ndata: ${JSON.stringify(event)}\n\n`;
}

export function* chunks(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
