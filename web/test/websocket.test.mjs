import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../dist/index.js";
import { webSocket } from "../dist/sources.js";
import { collect, turns, withoutJitter } from "./support/fetch.mjs";
import { above, Log } from "./support/log.mjs";

const log = new Log({ count: 6, generation: 7 });
const seqs = (items) => items.flatMap(({ kind, seq }) => (kind === "event" ? seq : []));
const upTo = (n) => Array.from({ length: n }, (_, i) => i + 1);

/** Sockets that do what `act` says once they are open; all that were made. */
function sockets(act) {
  const made = [];
  class Socket extends EventTarget {
    sent = [];
    closed;
    constructor(url, protocols) {
      super();
      Object.assign(this, { url: String(url), protocols });
      made.push(this);
      setImmediate(() => this.closed ?? act(this, made.length));
    }
    is(type, more = {}) {
      this.dispatchEvent(Object.assign(new Event(type), more));
    }
    opens() {
      this.is("open");
    }
    says(...messages) {
      for (const data of messages) this.is("message", { data: typeof data === "object" && !(data instanceof ArrayBuffer) ? JSON.stringify(data) : data });
    }
    ends(code) {
      this.closed ??= code;
      this.is("close", { code });
    }
    send(data) {
      this.sent.push(data);
    }
    close() {
      if (this.closed === undefined) this.ends(1005);
    }
  }
  return { WebSocket: Socket, made };
}

test("each message is an event; a close is a break, and the next socket goes on from the cursor", async (t) => {
  withoutJitter(t);
  const { WebSocket, made } = sockets(async (socket, n) => {
    socket.opens();
    await turns();
    const rest = log.events.slice(above(socket.url));
    if (n === 1) socket.says(...rest.slice(0, 2)), socket.ends(1006);
    else if (n === 2) socket.says(new TextEncoder().encode(JSON.stringify(rest[0])).buffer), socket.ends(1012);
    else socket.says(...rest);
  });
  const items = [];
  for await (const item of open(webSocket("https://x.invalid/socket?a=1", { WebSocket, protocols: ["p"] }), { session: "s1" })) {
    items.push(item);
    if (item.seq === 6) break;
  }
  assert.deepEqual(items.map(({ event }) => event), log.events);
  assert.deepEqual(made.map(({ url }) => url), [
    "wss://x.invalid/socket?a=1&session=s1", "wss://x.invalid/socket?a=1&session=s1&cursor=s1%3A2%407", "wss://x.invalid/socket?a=1&session=s1&cursor=s1%3A3%407",
  ]);
  assert.deepEqual(made.map(({ protocols, binaryType }) => [protocols, binaryType]), Array(3).fill([["p"], "arraybuffer"]));
  await turns();
  assert.equal(made[2].closed, 1005, "leaving the loop closes the socket");
});

test("the address may be made for each socket, and the place be said in a first message", async () => {
  const { WebSocket, made } = sockets((socket) => (socket.opens(), setImmediate(() => socket.says(...log.events.slice(4)))));
  const source = webSocket(async ({ attempt }) => `ws://x.invalid/${attempt}`, { WebSocket, hello: ({ starts: [{ seq, generation }] }) => JSON.stringify({ seq, generation }) });
  for await (const { seq } of open(source, { cursor: "s1:4@7" })) if (seq === 6) break;
  assert.deepEqual(made.map(({ url, sent }) => [url, sent]), [["ws://x.invalid/1", ['{"seq":4,"generation":"7"}']]]);
});

test("a clean close with nothing new, twice, is the end, incomplete", async (t) => {
  withoutJitter(t);
  const { WebSocket, made } = sockets((socket) => (socket.opens(), socket.ends(1000)));
  const items = await collect(open(webSocket("ws://x.invalid/", { WebSocket }), { session: "s1" }));
  assert.deepEqual([items.at(-1).cause, made.length], ["incomplete", 2]);
});

test("a socket that does not open is a break", async (t) => {
  withoutJitter(t);
  const rules = [];
  const { WebSocket, made } = sockets((socket, n) => (n < 3 ? socket.ends(1006) : (socket.opens(), setImmediate(() => socket.says(...log.events)))));
  const options = { session: "s1", onDecision: ({ rule, verdict }) => verdict === "broken" && rules.push(rule) };
  for await (const { seq } of open(webSocket("ws://x.invalid/", { WebSocket }), options)) if (seq === 6) break;
  assert.deepEqual([rules, made.length], [["stream.connection_lost", "stream.connection_lost"], 3]);
});

test("what comes faster than it is taken costs the socket, never an event, and no memory without end", async (t) => {
  withoutJitter(t);
  const many = new Log({ count: 6000, generation: 7, text: "x".repeat(1000) });
  let said = 0;
  const { WebSocket, made } = sockets(async (socket) => {
    socket.opens();
    await turns();
    for (const event of many.events.slice(above(socket.url))) {
      if (socket.closed !== undefined) break;
      said++;
      socket.says(event);
    }
  });
  let last = 0;
  for await (const { seq } of open(webSocket("ws://x.invalid/", { WebSocket }), { session: "s1" })) {
    assert.equal(seq, ++last);
    if (seq === 6000) break;
  }
  assert.ok(made.length > 2, `${made.length} sockets`);
  assert.ok(said < 6000 + made.length, `${said} messages were said: none twice but where a socket was given up`);
});

test("closing while the socket opens closes it", async () => {
  const { WebSocket, made } = sockets(() => {});
  const stream = open(webSocket("ws://x.invalid/", { WebSocket }), { session: "s1" });
  const ended = collect(stream);
  while (made.length === 0) await turns();
  stream.close();
  assert.deepEqual((await ended).map(({ cause }) => cause), ["closed"]);
  await turns();
  assert.equal(made[0].closed, 1005);
});

test("what cannot become a socket is refused at once", () => {
  const { WebSocket } = sockets(() => {});
  for (const address of ["/relative", "", 7, undefined, null]) {
    assert.throws(() => webSocket(address, { WebSocket }), ({ id, expected }) => id === "stream.invalid_options" && expected.startsWith("webSocket: an absolute URL"));
  }
  const global = globalThis.WebSocket;
  delete globalThis.WebSocket;
  try {
    assert.throws(() => webSocket("ws://x.invalid/"), ({ id, expected }) => id === "stream.invalid_options" && /option WebSocket/.test(expected));
  } finally {
    if (global) globalThis.WebSocket = global;
  }
});
