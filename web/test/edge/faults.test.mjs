// Everything that can go wrong behind a worker, in a real workerd, with each of the workers there are.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { refusals, streams } from "./cases.mjs";
import { ask, breakOff } from "./support/consumer.mjs";
import { event, frames, head } from "./support/frames.mjs";
import { LEFT, Upstream, held, plain, stream } from "./support/upstream.mjs";
import { serveWorker } from "./support/workerd.mjs";
import { workers } from "./support/workers.mjs";

/** Nothing here takes long; what hangs is not to hang the others. */
const bound = { timeout: 30_000 };

/** What the worker wrote itself begins here, and is compared by what it says. */
const OURS = { refused: "tidemark.refused", fault: "tidemark.fault" };

/** Compares an answer part by part: bytes to the byte, frames of the worker by name, reason and detail. */
function assertParts(bytes, parts) {
  let at = 0;
  for (const part of parts) {
    const rest = bytes.subarray(at);
    if (typeof part === "string" || part instanceof Uint8Array) {
      const want = Buffer.from(part);
      assert.equal(String(rest.subarray(0, want.length)), String(want));
      assert.ok(rest.subarray(0, want.length).equals(want));
      at += want.length;
    } else {
      at += assertOurs(String(rest), part);
    }
  }
  assert.equal(String(bytes.subarray(at)), "", "and nothing more");
}

/** Answers how long the frame is. */
function assertOurs(text, want) {
  const [{ name, data } = {}] = frames(text);
  const kind = Object.keys(want)[0];
  assert.equal(name, OURS[kind], text);
  if (kind === "fault") assert.equal(data.code, want.fault);
  else assert.deepEqual({ reason: data.reason, detail: data.detail }, { reason: want.refused, detail: want.detail });
  return Buffer.byteLength(text.slice(0, text.indexOf("\n\n") + 2));
}

for (const [name, workerFor] of Object.entries(workers)) {
  describe(name, () => {
    let upstream, worker, number = 0;
    const session = () => `${name.replace("/", "-")}-${++number}`;
    const address = (s, query = "") => `${worker.url}/v1/sessions/${s}/events${query}`;
    before(async () => {
      upstream = await Upstream.start();
      worker = await serveWorker(await workerFor(upstream.url));
    });
    after(async () => {
      await worker?.stop();
      await upstream?.stop();
    });

    for (const { title, query = () => "", headers = () => ({}), upstream: answer, gets, whole, closed } of streams) {
      test(title, bound, async () => {
        const s = session();
        const connections = upstream.serve(s, answer(s));
        const got = await ask(address(s, query(s)), { headers: headers(s) });
        assert.equal(got.status, 200, got.text);
        assert.match(got.headers["content-type"], /^text\/event-stream/);
        assert.equal(await got.whole, whole);
        assertParts(got.bytes, gets(s));
        assert.equal(connections.length, 1);
        assert.equal(await connections[0].ended, closed, "the connection to the upstream");
      });
    }

    for (const { title, method, query = () => "", upstream: answer, status, code, body, headers = {}, closed } of refusals) {
      test(title, bound, async () => {
        const s = session();
        const connections = upstream.serve(s, answer);
        const got = await ask(address(s, query(s)), { method });
        assert.equal(await got.whole, true);
        assert.equal(got.status, status, got.text);
        if (code) assert.deepEqual(problem(got), { type: "application/problem+json", status, code });
        else assert.equal(got.text, body);
        for (const [header, value] of Object.entries(headers)) assert.equal(got.headers[header], value);
        for (const { ended } of connections) assert.equal(await ended, closed, "the connection to the upstream");
      });
    }

    test("R-420: what has come whole has passed while the server is silent; a consumer that is gone takes the connection with it", bound, async () => {
      const s = session();
      const first = [head(s, 9), event(s, 1)].join("");
      const connections = upstream.serve(s, held(first, event(s, 2).slice(0, 20)));
      const got = await ask(address(s));
      await got.reached(Buffer.byteLength(first));
      assert.equal(got.text, first);
      got.leave();
      assert.equal(await connections[0].ended, LEFT);
    });

    test("a consumer that has closed is noticed with the next bytes", bound, async () => {
      const s = session();
      const connections = upstream.serve(s, held(head(s, 0)));
      const got = await ask(address(s));
      await got.reached(1);
      got.close();
      while (await connections[0].send(": alive\n\n")) await new Promise(setImmediate);
      assert.equal(await connections[0].ended, LEFT);
    });

    test("a consumer that is gone before the server has answered", bound, async () => {
      const s = session();
      let asking;
      const connections = upstream.serve(s, () => breakOff(asking));
      await assert.rejects(ask(address(s), { asking: (request) => (asking = request) }), { code: "ECONNRESET" });
      assert.equal(await connections[0].ended, LEFT);
    });

    test("the server is asked what the worker was asked, with the consumer's credentials and without compression", bound, async () => {
      const s = session();
      const connections = upstream.serve(s, plain(204, {}));
      const query = `?cursor=${s}%3A3@7&x=%2F+`;
      const headers = { authorization: "Bearer 1", cookie: "a=b; c=d", "last-event-id": `${s}:4@7` };
      await (await ask(address(s, query), { headers })).whole;
      const { request, headers: came } = connections[0];
      assert.equal(`${request.method} ${request.url}`, `GET /v1/sessions/${s}/events${query}`);
      for (const [name, value] of Object.entries({ ...headers, accept: "text/event-stream" })) assert.equal(came[name], value);
      assert.equal(came["accept-encoding"] ?? "identity", "identity");
    });

    test("cookies pass one by one, commas and all", bound, async () => {
      const s = session();
      const cookies = ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2"];
      for (const answer of [200, 401]) {
        upstream.serve(s, ({ response }) => response.writeHead(answer, { "content-type": "text/event-stream", "set-cookie": cookies }).end(head(s, 0)));
        const got = await ask(address(s));
        assert.equal(await got.whole, true);
        assert.deepEqual([got.status, got.headers["set-cookie"]], [answer, cookies]);
      }
    });

    test("a body that comes with GET means nothing", bound, async () => {
      const s = session();
      const connections = upstream.serve(s, stream(head(s, 0)));
      const got = await ask(address(s), { headers: { "content-length": 5 }, body: "hello" });
      assert.equal(await got.whole, true);
      assert.equal(got.text, head(s, 0));
      assert.equal(connections[0].headers["content-length"] ?? "0", "0");
    });

    test("an address that is broken is no trouble of the worker's", bound, async () => {
      upstream.serve("broken", plain(204, {}));
      for (const path of ["/%", "/v1/sessions/%zz/events", "/v1/sessions/broken/events?x=%zz", "/v1/sessions/%ff/events"]) {
        const got = await ask(worker.url, { path });
        assert.equal(await got.whole, true);
        assert.ok(got.status < 500, `${path} ${got.status}`);
      }
    });

    test("R-424: a server that is down", bound, async () => {
      await upstream.stop();
      const got = await ask(address(session()));
      await got.whole;
      assert.deepEqual(problem(got), { type: "application/problem+json", status: 502, code: "stream.upstream_down" });
    });
  });
}

function problem({ headers, status, text }) {
  const document = JSON.parse(text);
  assert.equal(document.status, status);
  return { type: headers["content-type"], status, code: document.code };
}
