// The other side of bench/memory.mjs, in a process of its own: an endless session that goes on when it is told to.
import { createServer } from "node:http";
import { setting } from "./paired.mjs";
import { written } from "./site.mjs";

const DRAFTS = setting("DRAFTS", 0);
const session = "ses_live";
const text = "and goes on from where it was, ".repeat(5);
const frame = (event) => `data: ${JSON.stringify({ sessionId: session, turnId: "turn_1", generation: 1, timestamp: 1767225600000 + event.seq, ...event })}\n\n`;
const head = `event: tidemark.head\ndata: ${JSON.stringify({ sessionId: session, lastSeq: 0, generation: 1, verdict: "replayed", from: 1 })}\n\n`;

/** A recorded event and the drafts after it. */
function block(seq) {
  const drafts = Array.from({ length: DRAFTS }, (_, i) => frame({ type: "text_delta", iteration: seq, messageId: `msg_${seq}`, text: `${i} ${text}`, seq: undefined }));
  return `id: ${session}:${seq}@1\n${frame({ type: "iteration_started", seq, iteration: seq, note: text })}${drafts.join("")}`;
}

let sent = 0;

async function send(response, to) {
  for (let piece = ""; sent < to; piece = "") {
    while (sent < to && piece.length < 1 << 14) piece += block(++sent);
    if (!(await written(response, piece))) return;
  }
}

const server = createServer((_, response) => {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" }).write(head);
  process.on("message", (to) => void send(response, to));
  process.send("open");
});
server.listen(0, "127.0.0.1", () => process.send(`http://127.0.0.1:${server.address().port}/sessions/${session}/events`));
