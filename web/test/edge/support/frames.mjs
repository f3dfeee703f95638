// Frames as a server of the protocol writes them, and what a worker writes in their place.
import { frame } from "../../support/log.mjs";

/** The fence is the generation, and absent where there is none. */
const fence = (generation) => (generation === undefined ? {} : { generation });

export const head = (sessionId, lastSeq, { oldestSeq = 1, verdict = "replayed", generation } = {}) =>
  frame("tidemark.head", { sessionId, lastSeq, oldestSeq, verdict, ...fence(generation) });

export const live = (sessionId, lastSeq) => frame("tidemark.live", { sessionId, lastSeq });

export const end = (sessionId) => frame("tidemark.end", { sessionId, reason: "finished" });

export const refused = (sessionId, reason) => frame("tidemark.refused", { sessionId, reason, evidence: {}, server: true });

export const draft = (sessionId, text = "…") => `data: ${JSON.stringify({ type: "text_delta", sessionId, turnId: "t1", text })}\n\n`;

/** The text of one recorded event. */
export const record = (sessionId, seq, { generation, text = "é" } = {}) =>
  JSON.stringify({ type: "message_completed", sessionId, turnId: "t1", seq, ...fence(generation), text });

export const event = (sessionId, seq, options = {}) => {
  const { generation } = options;
  return `id: ${sessionId}:${seq}${generation === undefined ? "" : `@${generation}`}\ndata: ${record(sessionId, seq, options)}\n\n`;
};

export const events = (sessionId, from, to, options) =>
  Array.from({ length: to - from + 1 }, (_, i) => event(sessionId, from + i, options));

/** The frames of an answer, as far as they are whole: their names and data. */
export function frames(text) {
  return text.split("\n\n").slice(0, -1).map((lines) => {
    const name = /^event: ?(.*)$/m.exec(lines)?.[1];
    const data = /^data: ?(.*)$/m.exec(lines)?.[1];
    return { name, data: data && JSON.parse(data) };
  });
}
