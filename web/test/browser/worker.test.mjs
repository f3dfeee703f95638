// Streams in a worker and saved snapshots, in a real browser.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { launch } from "../../scripts/chromium.mjs";
import { above, Log } from "../support/log.mjs";
import { contract, recordOf } from "../support/stores.mjs";
import { servePages, sendStream } from "./support/pages.mjs";

const browser = await launch();
after(() => browser.close());

const upTo = (n) => Array.from({ length: n }, (_, i) => i + 1);
const never = new Promise(() => {});
const STREAM = "/v1/sessions/s1/events";

/** A page with the package in it; `stream` answers its requests. */
async function page(t, stream = () => {}, context = browser) {
  const asked = [];
  const server = await servePages({ [STREAM]: (request, response) => (asked.push(request.url), stream(request, response)) });
  t.after(server.stop);
  const opened = await (await context.newContext()).newPage();
  t.after(() => opened.context().close());
  const errors = [];
  opened.on("pageerror", (error) => errors.push(error));
  await opened.goto(server.url);
  return { page: opened, asked, errors, url: server.url };
}

const answer = (log) => (request, response) => sendStream(response, [log.answer(above(request.url))]);

test("a stream in a worker is read there, and arrives whole", async (t) => {
  const log = new Log({ count: 2000, generation: 3, text: 'é "quoted" 日本語 😀' });
  const { page: opened, asked, errors } = await page(t, answer(log));
  const found = await opened.evaluate(async (stream) => {
    const { open } = await import("/dist/index.js");
    const seqs = [];
    let texts = 0;
    for await (const item of open(stream, { worker: true })) {
      if (item.kind !== "event") continue;
      seqs.push(item.seq);
      if (item.event.text === 'é "quoted" 日本語 😀') texts++;
    }
    const here = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
    return { seqs, texts, here };
  }, STREAM);
  assert.deepEqual(found.seqs, upTo(2000));
  assert.equal(found.texts, 2000);
  assert.equal(asked.length, 1);
  assert.ok(found.here.includes("/dist/worker/remote.js"));
  for (const name of [STREAM, "/dist/tidemark.wasm"]) assert.ok(!found.here.includes(name), `${name} was fetched by the page`);
  assert.deepEqual(errors, []);
});

test("functions of the page are called, and a state of it comes back as it is", async (t) => {
  const log = new Log({ count: 5, generation: 3 });
  const { page: opened } = await page(t, (request, response) => {
    if (request.headers.authorization !== "Bearer 2") return void response.writeHead(401).end();
    return answer(log)(request, response);
  });
  const found = await opened.evaluate(async (stream) => {
    const { open } = await import("/dist/index.js");
    let asked = 0;
    const state = { element: document.body };
    const kinds = [];
    const states = new Set();
    const options = {
      worker: true,
      headers: async () => ({ authorization: `Bearer ${++asked}` }),
      load: () => ({ state, cursor: "s1:3@3" }),
      onState: ({ connection }) => states.add(connection),
    };
    for await (const item of open(stream, options)) kinds.push(item.kind === "state" ? item.state === state : item.seq ?? item.kind);
    return { kinds, states: [...states] };
  }, STREAM);
  assert.deepEqual(found.kinds, [true, "draft", 4, "draft", 5, 5, "end"]);
  for (const state of ["connecting", "unauthorized", "open", "closed"]) assert.ok(found.states.includes(state), state);
});

for (const kill of ["terminate", "throw", "terminate, where ports do not tell"]) {
  test(`a worker that is lost by ${kill} is replaced, and nothing is lost or doubled`, async (t) => {
    const log = new Log({ count: 60, generation: 3 });
    let answers = 0;
    const { page: opened, asked } = await page(t, (request, response) => {
      const [from, last] = [above(request.url), answers++ === 0 ? 30 : 60];
      const events = log.events.slice(from, last).map((event) => log.recorded(event));
      return sendStream(response, [log.head(), ...events, ...(last === 60 ? [log.live(), log.end()] : [() => never])]);
    });
    const seqs = await opened.evaluate(async ([stream, kill]) => {
      if (kill.includes("ports")) {
        // As in engines without the event "close" of ports: then a lock has to tell.
        delete MessagePort.prototype.onclose;
        const { addEventListener } = MessagePort.prototype;
        MessagePort.prototype.addEventListener = function (type, ...of) {
          if (type !== "close") addEventListener.call(this, type, ...of);
        };
      }
      // Whoever makes workers can lose them: the page's own class is watched.
      const made = [];
      const Watched = Worker;
      globalThis.Worker = function (...of) {
        made.push(new Watched(...of));
        return made.at(-1);
      };
      const { open } = await import("/dist/index.js");
      const found = [];
      for await (const item of open(stream, { worker: true })) {
        if (item.kind !== "event") continue;
        found.push(item.seq);
        if (item.seq !== 20) continue;
        if (kill.startsWith("terminate")) made[0].terminate();
        else made[0].postMessage({ port: null, settings: null });
      }
      return [found, made.length];
    }, [STREAM, kill]);
    assert.deepEqual(seqs, [upTo(60), 2]);
    assert.equal(asked.length, 2);
    assert.match(asked[1], /cursor=s1%3A(2\d|30)%403$/);
  });
}

test("a page that is hidden and shown goes on with what it has", async (t) => {
  const log = new Log({ count: 3, generation: 3 });
  const { page: opened, asked } = await page(t, (_, response) => sendStream(response, [log.head(), log.recorded(log.events[0]), () => never]));
  const seqs = await opened.evaluate(async (stream) => {
    const { open } = await import("/dist/index.js");
    const found = [];
    for await (const item of open(stream, { worker: true })) {
      if (item.kind !== "event") continue;
      found.push(item.seq);
      for (const state of ["hidden", "visible"]) {
        Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
      break;
    }
    return found;
  }, STREAM);
  assert.deepEqual([seqs, asked.length], [[1], 1]);
});

for (const make of ["localStorageStore()", "localStorageStore(sessionStorage)", 'indexedDBStore("contract")', "memoryStore()"]) {
  test(`${make} keeps records whole and compares before it writes`, async (t) => {
    const { page: opened } = await page(t);
    const found = await opened.evaluate(async ([make, recordOf, contract]) => {
      const stores = await import("/dist/storage/index.js");
      const store = new Function(...Object.keys(stores), `return ${make}`)(...Object.values(stores));
      return new Function(`const recordOf = ${recordOf}; return ${contract}`)()(store);
    }, [make, recordOf.toString(), contract.toString()]);
    assert.ok(found.length > 10);
    for (const [name, got, want] of found) assert.equal(got, want, name);
  });
}

/** Opens a stream in a page and follows it to a seq; `window.save` saves what is there then. Answers what it holds. */
const follow = ([stream, make, at]) => (async () => {
  const [{ open }, stores] = await Promise.all([import("/dist/index.js"), import("/dist/storage/index.js")]);
  const snapshots = new Function(...Object.keys(stores), `return ${make}`)(...Object.values(stores));
  const opened = open(stream, { snapshots, from: "beginning" });
  const iterator = opened[Symbol.asyncIterator]();
  const seqs = [];
  for (let next; seqs.at(-1) !== at && !(next = await iterator.next()).done; ) {
    if (next.value.kind === "state") seqs.push(...next.value.state);
    if (next.value.kind === "event") seqs.push(next.value.seq);
  }
  window.save = () => opened.save(seqs);
  return seqs;
})();
const save = (tab) => tab.evaluate(() => window.save());

// Between processes of a browser only IndexedDB is exact, so only there both save at once.
for (const [make, atOnce] of [["localStorageStore()", false], ["indexedDBStore()", true]]) {
  // API-19, between two real tabs.
  test(`two tabs with ${make} never move each other back, and a reload goes on from the furthest`, async (t) => {
    const { page: one, url } = await page(t, answer(new Log({ count: 9, generation: 3 })));
    const two = await one.context().newPage();
    await two.goto(url);
    assert.deepEqual(await one.evaluate(follow, [STREAM, make, 9]), upTo(9));
    assert.deepEqual(await two.evaluate(follow, [STREAM, make, 6]), upTo(6));
    const saved = atOnce ? await Promise.all([save(one), save(two)]) : [await save(one), await save(two)];
    assert.deepEqual(saved[0], { saved: true, cursor: "s1:9@3" });
    if (!atOnce) assert.deepEqual(saved[1], { saved: false, cursor: "s1:6@3" });
    await two.reload();
    assert.deepEqual(await two.evaluate(follow, [STREAM, make, 9]), upTo(9), "from one record, without an event again");
  });
}
