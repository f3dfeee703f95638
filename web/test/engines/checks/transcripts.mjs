// The same bytes in the same pieces everywhere: items and decisions have to be the same to the last member (case API-37).
import { follow } from "./follow.mjs";

const event = (seq, more = {}) => ({ type: "message_completed", sessionId: "s1", turnId: "t1", seq, generation: 7, text: "é 🚣", ...more });
const recorded = (seq, more) => `id: s1:${seq}@7\ndata: ${JSON.stringify(event(seq, more))}\n\n`;
const draft = (text) => `data: ${JSON.stringify({ type: "text_delta", sessionId: "s1", turnId: "t1", text })}\n\n`;
const control = (name, data) => `event: tidemark.${name}\ndata: ${JSON.stringify({ sessionId: "s1", ...data })}\n\n`;
const head = (lastSeq, more) => control("head", { lastSeq, generation: 7, oldestSeq: 1, verdict: "replayed", from: 1, ...more });

/** What each connection of a transcript sends; where one has no more, it ends. */
const TRANSCRIPTS = {
  "a break inside a frame": [
    [head(3), recorded(1), draft("…"), recorded(2).slice(0, 30)],
    [head(3), recorded(2), recorded(3), control("live", { lastSeq: 3 }), control("end", { reason: "done" })],
  ],
  "doubles, a hole, and drafts that come again": [
    [head(5), recorded(1), recorded(1), draft("a"), recorded(2), draft("b"), recorded(4)],
    [head(5), draft("b"), recorded(3), recorded(4), recorded(5), control("live", { lastSeq: 5 }), control("end", { reason: "done" })],
  ],
  "a takeover in the middle": [[head(3), recorded(1), recorded(2, { generation: 8 }).replace("@7", "@8"), recorded(3)]],
  "an event that is none, twice": [[head(2), recorded(1), "data: {\"seq\":\n\n"], [head(2), "data: {\"seq\":\n\n"]],
  "a large number that no double holds": [[head(2, { generation: "99999999999999999999" }), recorded(1).replaceAll("7}", "7,\"n\":12345678901234567890}")]],
  "names of others between": [[head(1), "event: ping\ndata: hello\n\n", ": \n\n", "id: 9\n\n", recorded(1), "event: tidemark.later\ndata: {}\n\n", control("end", {})]],
};

/** Bytes one by one, so that no engine is left to decide where pieces end. */
function bytes(frames) {
  const all = new TextEncoder().encode(frames.join(""));
  let at = 0;
  return new ReadableStream({
    pull: (controller) => (at < all.length ? controller.enqueue(all.slice(at, (at += 7))) : controller.close()),
  }, { highWaterMark: 0 });
}

function replayed(connections) {
  const left = [...connections];
  const fetch = async () => {
    const frames = left.shift();
    if (!frames) return new Response(null, { status: 204 });
    return new Response(bytes(frames), { headers: { "content-type": "text/event-stream" } });
  };
  return follow("http://tidemark.invalid/v1/sessions/s1/events", { fetch });
}

export const transcripts = Object.fromEntries(
  Object.entries(TRANSCRIPTS).map(([name, connections]) => [`transcript: ${name}`, () => replayed(connections)]),
);
