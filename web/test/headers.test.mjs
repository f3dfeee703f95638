// Headers as a value and as a function, and what happens when the server wants others.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init, open, TidemarkError } from "../dist/index.js";
import { collect, gate, serving, stream, turns, withoutJitter, withTime } from "./support/fetch.mjs";
import { above, Log } from "./support/log.mjs";

const ADDRESS = "http://tidemark.invalid/v1/sessions/s1/events";

const denied = (status = 401) => new Response("no", { status });

/** Answers like `serving`, and keeps what each request carried. */
function watching(...answers) {
  const sent = [];
  const keep = (answer) => (address, init) => (sent.push(init.headers.get("authorization")), typeof answer === "function" ? answer(address, init) : answer);
  return { ...serving(...answers.map(keep)), sent };
}

test("a function gives the headers of each request, and is told which", async (t) => {
  withoutJitter(t);
  const log = new Log({ count: 3 });
  const cut = stream(log.head(), log.recorded(log.events[0]), new Error("reset"));
  const { fetch, requests, sent } = watching(cut, new TypeError("network"), stream(log.answer(1)));
  const asked = [];
  const headers = (request) => (asked.push(request), { authorization: `Bearer ${asked.length}` });
  const items = await collect(open(ADDRESS, { fetch, headers }));
  assert.deepEqual(items.filter(({ kind }) => kind === "event").map(({ seq }) => seq), [1, 2, 3]);
  assert.deepEqual(asked, requests.map((url, i) => ({ url, attempt: [1, 1, 2][i] })));
  assert.deepEqual(sent, ["Bearer 1", "Bearer 2", "Bearer 3"]);
});

for (const [name, give] of Object.entries({
  "an object": () => ({ authorization: "Bearer x" }),
  "a promise of pairs": async () => [["authorization", "Bearer x"]],
  "Headers": () => new Headers({ authorization: "Bearer x" }),
})) {
  test(`a function may answer ${name}, and what it leaves open is filled in`, async () => {
    let init;
    const { fetch } = serving((_, given) => ((init = given), undefined));
    await collect(open(ADDRESS, { fetch, headers: give }));
    assert.equal(init.headers.get("authorization"), "Bearer x");
    assert.equal(init.headers.get("accept"), "text/event-stream");
  });
}

test("headers that are fixed go with the call that opens the stream", () => {
  const { fetch, requests } = serving();
  const opened = open(ADDRESS, { fetch, headers: { a: "b" } });
  assert.equal(requests.length, 1);
  opened.close();
});

for (const status of [401, 403]) {
  test(`after ${status} the function is asked again with it, once, and the stream goes on from its cursor`, async () => {
    const log = new Log({ count: 4 });
    const { fetch, requests, sent } = watching(denied(status), (address) => stream(log.answer(above(address))));
    const asked = [];
    const headers = async (request) => (asked.push(request), { authorization: request.status ? "new" : "old" });
    const items = await collect(open(ADDRESS, { fetch, headers, cursor: "s1:2" }));
    assert.deepEqual(items.filter(({ kind }) => kind === "event").map(({ seq }) => seq), [3, 4]);
    assert.deepEqual(sent, ["old", "new"]);
    const url = `${ADDRESS}?cursor=s1%3A2`;
    assert.deepEqual(requests, [url, url]);
    assert.deepEqual(asked, [{ url, attempt: 1 }, { url, attempt: 2, status }]);
  });
}

test("twice in a row is the end, and so is once when there is nobody to ask", async () => {
  for (const [headers, requests] of [[() => ({}), 2], [{}, 1], [undefined, 1]]) {
    const served = serving(denied(), denied(), denied());
    await assert.rejects(collect(open(ADDRESS, { fetch: served.fetch, headers })), { id: "stream.unauthorized" });
    assert.equal(served.requests.length, requests);
  }
});

test("a recorded event in between allows another question", async (t) => {
  withoutJitter(t);
  const log = new Log({ count: 3 });
  const one = (n) => stream(log.head(), log.recorded(log.events[n]), new Error("reset"));
  const { fetch } = serving(denied(), one(0), denied(), one(1), denied(403), () => stream(log.answer(2)));
  const asked = [];
  await collect(open(ADDRESS, { fetch, headers: ({ status }) => (asked.push(status), {}) }));
  assert.deepEqual(asked.filter((status) => status), [401, 401, 403]);
});

test("no watchdog hurries somebody who logs in", async (t) => {
  await init();
  withTime(t);
  const log = new Log({ count: 1 });
  const login = gate();
  const { fetch, requests } = serving(denied(), stream(log.answer()));
  const states = [];
  const run = collect(open(ADDRESS, {
    fetch, headers: async ({ status }) => (status && (await login.passed), {}), onState: ({ connection }) => states.push(connection),
  }));
  for (let minute = 0; minute < 10; minute++) {
    await turns();
    t.mock.timers.tick(60_000);
  }
  assert.equal(requests.length, 1);
  assert.equal(states.at(-1), "unauthorized");
  login.open();
  assert.equal((await run).at(-1).cause, "server");
});

test("a function that throws ends the stream; its error is the cause and part of no text", async (t) => {
  withoutJitter(t);
  const log = new Log({ count: 2 });
  const first = [[], [denied()], [stream(log.head(), log.recorded(log.events[0]), new Error("reset"))]];
  for (const answers of first) {
    const mine = new Error("Bearer SECRET");
    let calls = 0;
    const headers = async () => {
      if (calls++ === answers.length) throw mine;
      return {};
    };
    const { fetch, requests } = serving(...answers);
    await assert.rejects(collect(open(ADDRESS, { fetch, headers })), (error) => {
      assert.ok(error instanceof TidemarkError);
      assert.equal(error.id, "stream.unauthorized");
      assert.equal(error.cause, mine);
      assert.ok(!`${error.message}${JSON.stringify(error)}`.includes("SECRET"));
      return true;
    });
    assert.equal(requests.length, answers.length);
  }
});

for (const [name, given] of Object.entries({ null: null, text: "Bearer SECRET", "a line break": { a: "SECRET\nx" }, "a name with a space": { "SECRET x": "" } })) {
  test(`a function that answers ${name} is the option's fault, without what it answered`, async () => {
    const { fetch, requests } = serving();
    await assert.rejects(collect(open(ADDRESS, { fetch, headers: () => given })), (error) => {
      assert.equal(error.id, "stream.invalid_options");
      assert.match(error.expected, /^headers: /);
      assert.ok(!`${error.stack}${JSON.stringify(error)}${error.cause ?? ""}`.includes("SECRET"));
      return true;
    });
    assert.deepEqual(requests, []);
  });
}

test("a stream that is closed while its headers are made sends no request", async () => {
  const { fetch, requests } = serving();
  const made = gate();
  const opened = open(ADDRESS, { fetch, headers: () => made.passed.then(() => ({})) });
  opened.close();
  made.open();
  await turns();
  assert.equal((await collect(opened)).at(-1).cause, "closed");
  assert.deepEqual(requests, []);
});

test("closing or resetting from inside the function is possible", async () => {
  const log = new Log({ count: 4 });
  const served = serving(stream(log.answer()), (address) => stream(log.answer(above(address))));
  let opened;
  const headers = () => (opened?.close(), {});
  opened = open(ADDRESS, { fetch: served.fetch, headers });
  assert.equal((await collect(opened)).at(-1).cause, "server", "the first request came before there was a stream to close");
  const late = serving(new Error("reset"), stream(log.answer()));
  opened = open(ADDRESS, { fetch: late.fetch, headers });
  assert.equal((await collect(opened)).at(-1).cause, "closed");
});
