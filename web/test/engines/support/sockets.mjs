// A WebSocket server of the smallest kind: text out, and an end to each connection.
import { createHash } from "node:crypto";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** A log of six events. The first connection of a run breaks off behind the third, the others come to an end. */
const EVENTS = [1, 2, 3, 4, 5, 6].map((seq) => ({ type: "message_completed", sessionId: "s1", turnId: "t1", seq, generation: 7, text: `é ${"x".repeat(60)}` }));
const met = new Set();

/** Takes over connections that a server upgrades. */
export function upgrade(request, socket) {
  const accept = createHash("sha1").update(request.headers["sec-websocket-key"] + GUID).digest("base64");
  socket.write(["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade", `Sec-WebSocket-Accept: ${accept}`, "", ""].join("\r\n"));
  socket.on("error", () => {});
  const { searchParams } = new URL(request.url, "http://x");
  const run = searchParams.get("run");
  const rest = EVENTS.slice(Number(/:(\d+)@/.exec(searchParams.get("cursor"))?.[1] ?? 0));
  const first = !met.has(run);
  met.add(run);
  for (const event of first ? rest.slice(0, 3) : rest) socket.write(frame(0x81, Buffer.from(JSON.stringify(event))));
  if (first) socket.end();
  else socket.end(frame(0x88, Buffer.of(0x03, 0xe8)));
}

function frame(head, payload) {
  const length = payload.length < 126 ? Buffer.of(payload.length) : Buffer.of(126, payload.length >> 8, payload.length & 0xff);
  return Buffer.concat([Buffer.of(head), length, payload]);
}
