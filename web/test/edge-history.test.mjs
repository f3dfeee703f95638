// History from pages that are kept, and the live stream behind them, joined by tidemark/edge.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { proxy } from "../dist/edge/index.js";
import { Relays } from "../dist/edge/relays.js";
import { counting, crash, fed, rest } from "./support/edge.mjs";
import { gate, stream, turns } from "./support/fetch.mjs";
import { above, Log } from "./support/log.mjs";

/** What a Cache is, for one isolate. */
class Pages extends Map {
  match = async (url) => this.get(url)?.clone();
  put = async (url, page) => void this.set(url, page);
  delete = async (url) => super.delete(url);
}

/** The two routes of a session log. `asked` are the requests, in short. */
class Server {
  asked = [];
  requests = [];

  constructor(log) {
    this.log = log;
  }

  fetch = async (address, init) => {
    const { pathname, searchParams } = new URL(address);
    const name = pathname.split("/").at(-1);
    this.asked.push(`${name} ${searchParams.get("cursor") ?? "-"}`);
    this.requests.push({ address, ...init });
    return name === "log" ? this.page(above(address), Number(searchParams.get("limit"))) : stream(this.log.answer(above(address)));
  };

  page(since, limit) {
    const { log } = this;
    const fence = log.generation === undefined ? {} : { generation: log.generation };
    return Response.json({ head: { lastSeq: log.last, oldestSeq: 1, ...fence }, events: log.events.slice(since, since + limit), more: since + limit < log.last });
  }
}

const request = (query = "", init) => new Request(`http://edge/v1/sessions/s1/events${query}`, init);
const ask = (server, cache, query, more) =>
  proxy(request(query, more?.init), { upstream: "http://up", fetch: server.fetch, history: { cache, pageSize: 4 }, ...more?.options });

/** A log whose events say of which log they are, in members that their proof covers. */
function logOf(text) {
  const log = new Log({ count: 10, text });
  for (const event of log.events) Object.assign(event, { messageId: `${text}-${event.seq}`, content: text });
  return log;
}

/** The recorded events of a stream, and how it ends. */
function told(text) {
  const seqs = [...text.matchAll(/^data: (.*"seq".*)$/gm)].map(([, data]) => JSON.parse(data)).filter(({ seq }) => seq).map(({ seq, text }) => `${seq} ${text}`);
  return [seqs, /event: tidemark\.(end|refused|fault)/.exec(text)?.[1]];
}

test("pages and stream are one, and pages are asked for once (R-426)", async () => {
  for (const generation of [undefined, 7]) {
    const log = new Log({ count: 10, generation, text: "x" });
    const all = log.events.map(({ seq }) => `${seq} x`);
    const cache = new Pages();
    const first = new Server(log);
    assert.deepEqual(told(await (await ask(first, cache)).text()), [all, "end"]);
    assert.deepEqual(first.asked.slice(0, 3).map((each) => each.replace(/@7/, "")), ["events -", "log -", "log s1:3"]);
    assert.equal(cache.size, 2);

    const second = new Server(log);
    assert.deepEqual(told(await (await ask(second, cache)).text()), [all, "end"]);
    assert.ok(second.asked.every((each) => each.startsWith("events ")), "no page of the server");

    const third = new Server(log);
    assert.deepEqual(told(await (await ask(third, cache, "?cursor=s1:6")).text()), [all.slice(6), "end"]);
    assert.ok(third.asked.every((each) => each.startsWith("events ")));
  }
});

test("a page of a log that was lost is refused, and used no more (R-426)", async () => {
  const cache = new Pages();
  await (await ask(new Server(logOf("of the old log")), cache)).text();
  assert.equal(cache.size, 2);

  const anew = new Server(logOf("of the new log"));
  const out = await (await ask(anew, cache)).text();
  const [, ending] = told(out);
  assert.equal(ending, "refused");
  const refusal = JSON.parse(/tidemark\.refused\ndata: (.*)\n/.exec(out)[1]);
  assert.deepEqual([refusal.reason, refusal.detail], ["generation_changed", "history_changed"]);
  assert.ok(!out.includes("of the new log"), "nothing of the other log follows");
  assert.equal(cache.size, 0);
  const [events] = told(await (await ask(anew, cache)).text());
  assert.deepEqual(events, anew.log.events.map(({ seq }) => `${seq} of the new log`));
});

test("what is done to the cache is done in the order in which it was said (R-426)", async () => {
  const cache = new Pages();
  const put = cache.put;
  cache.put = async (url, page) => (await turns(), put(url, page));
  const server = new Server(logOf("of the old log"));
  const page = server.page;
  server.page = (since, limit) => {
    const old = page.call(server, since, limit);
    if (since > 0) server.log = logOf("of the new log");
    return old;
  };
  assert.equal(told(await (await ask(server, cache)).text())[1], "refused");
  assert.equal(cache.size, 0, "a page that is given up is not kept late");
});

test("a page is used for nobody whom the server turns down (R-426)", async () => {
  const log = new Log({ count: 10 });
  const cache = new Pages();
  await (await ask(new Server(log), cache)).text();
  const asked = [];
  const match = cache.match;
  cache.match = (url) => (asked.push(url), match(url));
  const fetch = async () => new Response(null, { status: 403 });
  assert.equal((await ask({ fetch }, cache)).status, 403);
  assert.deepEqual(asked, []);
});

test("pages of two scopes are two, and no request from outside reaches them", async () => {
  const cache = new Pages();
  for (const scope of ["a", "b"]) {
    const server = new Server(new Log({ count: 10, text: scope }));
    const [events, ending] = told(await (await ask(server, cache, "", { options: { history: { cache, pageSize: 4, scope } } })).text());
    assert.deepEqual([events[0], ending], [`1 ${scope}`, "end"]);
  }
  assert.equal(cache.size, 4);
  for (const url of cache.keys()) assert.match(new URL(url).host, /\.invalid$/);
});

test("pages of logs under two addresses are two, whoever their sessions are named like", async () => {
  const cache = new Pages();
  const tenants = ["/a/v1/sessions/s1/events", "/b/v1/sessions/s1/events", "/v1/sessions/s1/events?tenant=a", "/v1/sessions/s1/events?tenant=b"];
  for (const [i, path] of tenants.entries()) {
    const server = new Server(new Log({ count: 10, text: path }));
    const ask = (more) => proxy(new Request(`http://edge${path}${more}`), { upstream: "http://up", fetch: server.fetch, history: { cache, pageSize: 4 } });
    const [start, end] = path.includes("?") ? ["&cursor=s1:0", "&from=beginning"] : ["?cursor=s1:0", "?from=beginning"];
    for (const more of ["", start, end]) {
      const [events] = told(await (await ask(more)).text());
      assert.ok(events.length === 10 && events.every((each) => each.endsWith(` ${path}`)), path + more);
    }
    assert.equal(cache.size, 2 * (i + 1), "another start is no other log");
  }
});

test("what is asked for otherwise than by GET comes from no page", async () => {
  const server = new Server(new Log({ count: 10 }));
  const cache = new Pages();
  await (await ask(server, cache, "", { init: { method: "POST", body: "{}" } })).text();
  assert.deepEqual([server.asked, cache.size], [["events -"], 0]);
});

test("a cache or a log route that fails costs the pages, not the stream", async () => {
  const log = new Log({ count: 10, text: "x" });
  const all = log.events.map(({ seq }) => `${seq} x`);
  const broken = { match: async () => { throw new Error("mine"); }, put: () => { throw new Error("mine"); }, delete: () => Promise.reject(new Error("mine")) };
  assert.deepEqual(told(await (await ask(new Server(log), broken)).text()), [all, "end"]);
  for (const page of [() => { throw new Error("down"); }, () => new Response(null, { status: 404 }), () => new Response("<p>"), () => Response.json({ head: {}, events: [] })]) {
    const server = new Server(log);
    server.page = page;
    const cache = new Pages();
    assert.deepEqual(told(await (await ask(server, cache)).text()), [all, "end"], String(page));
    assert.equal(cache.size, 0);
  }
});

test("a broken page in the cache is asked for anew", async () => {
  const log = new Log({ count: 10, text: "x" });
  const cache = new Pages();
  await (await ask(new Server(log), cache)).text();
  for (const url of [...cache.keys()]) cache.set(url, new Response("<p>"));
  const server = new Server(log);
  assert.equal(told(await (await ask(server, cache)).text())[0].length, 10);
  assert.equal(server.asked.filter((each) => each.startsWith("log ")).length, 2);
  assert.ok((await cache.values().next().value.clone().text()).startsWith("{"));
});

test("what stands behind the pages is asked for with the consumer's credentials, and may be turned down", async (t) => {
  const open = counting(t);
  const server = new Server(new Log({ count: 10, generation: 7 }));
  const init = { headers: { authorization: "Bearer t", "last-event-id": "s1:1@7" } };
  assert.equal(told(await (await ask(server, new Pages(), "?x=1", { init })).text())[1], "end");
  for (const { address, headers } of server.requests) {
    assert.equal(headers.get("authorization"), "Bearer t");
    assert.equal(new URL(address).searchParams.get("x"), "1");
  }
  assert.deepEqual(server.requests.map(({ headers }) => headers.has("last-event-id")), [true, false, false, false]);

  let streams = 0;
  const once = async (address, init) => (address.includes("/events") && ++streams > 1 ? new Response(null, { status: 401 }) : server.fetch(address, init));
  await assert.rejects((await ask({ fetch: once }, new Pages())).text(), /status 401/);
  assert.equal(open.size, 0);
});

test("pages are read as the consumer reads, and no more once it leaves", async (t) => {
  const open = counting(t);
  const server = new Server(new Log({ count: 40 }));
  const reader = (await ask(server, new Pages())).body.getReader();
  await reader.read(); // the head
  await turns();
  const before = server.asked.length;
  await reader.read();
  await turns();
  assert.equal(server.asked.length, before + 1);
  await reader.cancel();
  const [, ...behind] = server.requests;
  assert.equal(behind.length, before);
  assert.ok(behind.every(({ signal }) => signal.aborted));
  assert.equal(open.size, 0);
});

test("nothing is asked for a consumer that left while the cache was asked", async () => {
  const server = new Server(new Log({ count: 10 }));
  const cache = new Pages();
  const asked = gate();
  const answered = gate();
  cache.match = () => (asked.open(), answered.passed);
  const reader = (await ask(server, cache)).body.getReader();
  await reader.read(); // the head
  reader.read().catch(() => {});
  await asked.passed;
  await reader.cancel();
  answered.open();
  await turns();
  const [, ...behind] = server.requests;
  assert.ok(behind.every(({ signal }) => signal.aborted));
});

test("the module stops between pages, and the rest of the log follows (R-428)", async (t) => {
  t.mock.method(console, "error", () => {});
  const log = new Log({ count: 20, text: "x" });
  const all = log.events.map(({ seq }) => `${seq} x`);
  for (let stop = 1; stop <= 6; stop++) {
    const reader = (await ask(new Server(log), new Pages())).body.getReader();
    const decoder = new TextDecoder();
    let out = "";
    for (let i = 0; i < stop; i++) out += decoder.decode((await reader.read()).value);
    crash();
    assert.deepEqual(told(out + (await rest(reader))), [all, "end"], `behind ${stop} chunks`);
  }
});

test("no page is kept of a stream that stays open behind it", async (t) => {
  const collect = (setFlagsFromString("--expose-gc"), runInNewContext("gc"));
  const { page } = Relays.prototype;
  const pages = [];
  const taken = t.mock.method(Relays.prototype, "page", function (handle, body, kind) {
    pages.push(new WeakRef(body));
    return page.call(this, handle, body, kind);
  });
  const server = new Server(logOf("one"));
  const tail = fed();
  let streams = 0;
  const fetch = (address, init) => (address.includes("/events") && ++streams > 1 ? Promise.resolve(tail.response) : server.fetch(address, init));
  const forgetful = { match: async () => undefined, put: async () => {}, delete: async () => false }; // else it is the cache that keeps them
  const reader = (await ask({ fetch }, forgetful)).body.getReader();
  tail.give(server.log.head() + server.log.recorded(server.log.events[7]) + server.log.recorded(server.log.events[8]));
  for (let text = ""; !text.includes("s1:9"); ) text += new TextDecoder().decode((await reader.read()).value);
  taken.mock.resetCalls(); // it keeps what it was called with
  for (let i = 0; i < 20 && pages.some((each) => each.deref()); i++) await turns(), collect();
  assert.deepEqual(pages.map((each) => each.deref()), [undefined, undefined]);
  await reader.cancel();
});

test("a page without an end is left, and the stream is read instead", async () => {
  const server = new Server(logOf("one"));
  const mebibyte = new Uint8Array(1 << 20).fill(32);
  let given = 0;
  let left = false;
  server.page = () => new Response(new ReadableStream({ pull: (c) => (given++ < 64 ? c.enqueue(mebibyte) : c.close()), cancel: () => void (left = true) }));
  const text = await (await ask(server, new Pages())).text();
  assert.deepEqual(told(text), told(server.log.answer()));
  assert.ok(left && given < 20, `${given}`);
});

test("what else a query says is asked as it was written", async () => {
  const server = new Server(logOf("one"));
  const rest = "sig=%20%ff~+&a=b?c&limit=1&&cursors=x&%63ursor=s1:0";
  await (await ask(server, new Pages(), `?${rest}`)).text();
  const queries = server.requests.map(({ address }) => new URL(address).search);
  assert.equal(queries[0], `?${rest}`);
  assert.equal(queries[1], "?sig=%20%ff~+&a=b?c&cursors=x&limit=4");
  assert.equal(queries.at(-1), "?sig=%20%ff~+&a=b?c&limit=1&cursors=x&cursor=s1%3A7");
});
