import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { init, open, resolve } from "../dist/index.js";
import { requests } from "../dist/sources.js";
import { collect, serving, withoutJitter } from "./support/fetch.mjs";
import { Background, broken, ByIDs, sse } from "./support/plain.mjs";

const BASE = "http://plain.invalid";
const events = (items) => items.flatMap((item) => (item.kind === "event" ? item.event : []));
const ends = (items) => items.filter(({ kind }) => kind === "end").map(({ cause }) => cause);
const refusals = (items) => items.flatMap(({ refusal }) => (refusal ? [[refusal.reason, refusal.detail, refusal.strength]] : []));

/** The first connection is cut at `at` bytes; the others are whole. */
const firstCut = (at) => (connection) => (connection === 1 ? at : Infinity);

describe("positions in SSE ids", () => {
  const profile = { name: "ids", position: "id", members: { type: "kind", session: "" }, terminal: ["done"] };
  const opened = (server, options) =>
    open(requests({
      start: () => `${BASE}/stream`,
      resume: ({ seq }) => new Request(`${BASE}/stream`, { headers: { "last-event-id": String(seq) } }),
      fetch: server.fetch,
    }), { session: "mine", profile, ...options });
  const whole = [1, 2, 3, 4, 5].map((n) => ({ kind: n === 5 ? "done" : "step", n: `n${n}` }));

  test("cut at any byte, exactly the log comes", async (t) => {
    withoutJitter(t);
    const { length } = new ByIDs().text(0);
    for (let at = 0; at < length; at++) {
      const server = new ByIDs({ cut: firstCut(at) });
      const items = await collect(opened(server));
      assert.deepEqual([events(items), ends(items)], [whole, ["terminal"]], `cut at ${at}`);
      assert.deepEqual(items.filter(({ kind }) => kind === "event").map(({ seq }) => seq), [1, 2, 3, 4, 5]);
    }
  });

  test("what is missing is a gap, and refused when it is missing again", async (t) => {
    withoutJitter(t);
    const server = new ByIDs({ skip: 3 });
    const items = await collect(opened(server));
    assert.deepEqual([events(items), refusals(items)], [whole.slice(0, 2), [["gap", "hole", "contiguous"]]]);
    assert.deepEqual(server.asked, [0, 2]);
  });

  test("a saved cursor goes on behind its event", async () => {
    const server = new ByIDs();
    const items = await collect(opened(server, { cursor: "mine:3" }));
    assert.deepEqual([events(items), server.asked], [whole.slice(3), [3]]);
  });
});

describe("positions in a member of the event", () => {
  const profile = { name: "member", members: { type: "t", session: "", seq: "n" }, base: 0, terminal: ["end"] };
  const log = ["a", "b", "c", "end"].map((t, n) => ({ t, n }));
  const text = (from) => log.slice(from).map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

  test("numbers from 0 are what the app, its requests and its cursors see", async (t) => {
    withoutJitter(t);
    for (let at = 0; at < text(0).length; at++) {
      const asked = [];
      const ask = async (url) => {
        const after = new URL(url).searchParams.get("after");
        const bytes = new TextEncoder().encode(text(after === null ? 0 : Number(after) + 1));
        asked.push(after);
        return sse(broken(bytes, asked.length === 1 ? at : Infinity));
      };
      const items = await collect(open(requests({
        start: () => `${BASE}/m`, resume: ({ seq }) => `${BASE}/m?after=${seq}`, fetch: ask,
      }), { session: "x", profile }));
      assert.deepEqual([events(items), ends(items)], [log, ["terminal"]], `cut at ${at}`);
      assert.deepEqual(items.filter(({ kind }) => kind === "event").map(({ seq }) => seq), [0, 1, 2, 3]);
      const seen = text(0).slice(0, at).split("\n\n").length - 1;
      assert.deepEqual(asked, [null, seen === 0 ? null : String(seen - 1)], `cut at ${at}`);
    }
  });
});

describe("a stream without positions", () => {
  const profile = { name: "counted", position: "counted", members: { type: "t", session: "" }, continuity: "counted", terminal: ["end"] };
  const text = ["a", "b", "b", "c", "end"].map((t) => `id: 9\ndata: {"t":"${t}"}\n\n`).join("");

  test("is counted, hands over whatever comes, and claims to prove nothing", async (t) => {
    withoutJitter(t);
    const { fetch, requests: asked } = serving(sse(broken(new TextEncoder().encode(text), 50)), sse(text));
    const states = [];
    const items = await collect(open(`${BASE}/counted`, { session: "x", profile, fetch, onState: ({ connection }) => states.push(connection) }));
    const got = items.filter(({ kind }) => kind === "event");
    assert.deepEqual(got.map(({ seq, event }) => [seq, event.t]), [[1, "a"], [2, "b"], [3, "a"], [4, "b"], [5, "b"], [6, "c"], [7, "end"]]);
    assert.deepEqual([refusals(items), ends(items), asked.length], [[], ["terminal"], 2]);
    assert.equal(states.at(-1), "closed");
  });
});

describe("a response that is made in the background", () => {
  const profile = {
    name: "responses", members: { session: "", seq: "sequence_number", generation: "" }, base: 0,
    terminal: ["response.completed", "response.failed", "response.incomplete", "response.cancelled"],
    expired: [{ status: 400, code: "starting_after_expired" }],
  };
  const recorded = Background.recorded();
  const opened = (server, options) =>
    open(requests({
      start: () => new Request(`${BASE}/v1/responses`, { method: "POST", body: "{}", headers: { "idempotency-key": "k1" } }),
      resume: ({ id, seq }) => `${BASE}/v1/responses/${id}?stream=true${seq === undefined ? "" : `&starting_after=${seq}`}`,
      identify: ({ response }) => response?.id,
      fetch: server.fetch,
    }), { session: "answer", profile, ...options });
  const known = ({ obfuscation, ...event }) => (assert.equal(typeof (obfuscation ?? ""), "string"), event);

  test("comes whole; what has no number is a draft", async () => {
    const server = new Background();
    const items = await collect(opened(server));
    assert.deepEqual(events(items).map(known), recorded);
    assert.ok(events(items).some(({ obfuscation }) => obfuscation));
    assert.deepEqual([...new Set(items.filter(({ kind }) => kind === "draft").map(({ type }) => type))], ["response.heartbeat"]);
    assert.deepEqual([ends(items), server.asked], [["terminal"], ["POST /v1/responses"]]);
  });

  test("cut behind every frame, it goes on exactly there, by the other request", async (t) => {
    withoutJitter(t);
    const frames = new Background().frames(-1);
    for (let n = 1; n < frames.length; n++) {
      const server = new Background({ cut: (connection, bytes) => (connection === 1 ? behind(bytes, n) : Infinity) });
      const items = await collect(opened(server));
      assert.deepEqual(events(items).map(known), recorded, `cut behind frame ${n}`);
      assert.deepEqual(ends(items), ["terminal"]);
      const seen = frames.slice(0, n).filter((frame) => frame.includes("sequence_number")).length - 1;
      assert.deepEqual(server.asked, ["POST /v1/responses", `GET /v1/responses/resp_1 ${seen}`]);
    }
  });

  test("cut at any byte, and again and again, it is the same; and it is made once", async (t) => {
    withoutJitter(t);
    for (let at = 0; at < 2200; at += 31) {
      const server = new Background({ cut: (connection) => (connection === 1 ? at : connection < 30 ? 700 : Infinity) });
      const items = await collect(opened(server));
      assert.deepEqual([events(items).map(known), ends(items)], [recorded, ["terminal"]], `cut at ${at}`);
      assert.equal(server.made.size, 1, "one idempotency key");
      assert.equal(server.asked.filter((asked) => asked.startsWith("POST")).length, at <= new Background().frames(-1)[0].length - 1 ? 2 : 1, `cut at ${at}`);
    }
  });

  test("when the window has passed it is a refusal, and a load may mend it", async (t) => {
    withoutJitter(t);
    const late = () => new Background({ cut: (connection, bytes) => (connection === 1 ? behind(bytes, 3) : Infinity), window: (connection) => (connection === 2 ? 9 : 0) });
    const items = await collect(opened(late()));
    assert.deepEqual(events(items).map(known), recorded.slice(0, 3));
    assert.deepEqual(refusals(items), [["gap", "window_expired", "contiguous"]]);
    assert.deepEqual(items.at(-1).refusal.evidence, { savedSeq: 2, status: 400 });

    const server = late();
    const mended = await collect(opened(server, { from: "beginning", load: ({ why }) => ({ state: why, cursor: "answer:8" }) }));
    assert.deepEqual(mended.flatMap(({ kind, state, cursor }) => (kind === "state" ? [[state, cursor]] : [])), [["rebuilt", "answer:8"]]);
    assert.deepEqual(events(mended).map(known), [...recorded.slice(0, 3), ...recorded.slice(9)]);
    assert.deepEqual(server.asked.at(-1), "GET /v1/responses/resp_1 8");
  });

  test("another 400 is no expired window", async () => {
    await assert.rejects(collect(opened({ fetch: async () => Response.json({ error: { code: "other" } }, { status: 400 }) })), { id: "stream.http_status" });
  });

  test("a page that was loaded anew goes on by the name in its cursor", async () => {
    const server = new Background();
    const items = await collect(opened(server, { session: "resp_1", cursor: "resp_1:4" }));
    assert.deepEqual(events(items).map(known), recorded.slice(5));
    assert.deepEqual(server.asked, ["GET /v1/responses/resp_1 4"]);
  });

  test("what identify throws ends the stream: asking again would make another response", async () => {
    const cause = new Error("no id");
    const server = new Background();
    const stream = open(requests({ start: () => new Request(BASE, { method: "POST" }), resume: () => BASE, identify: () => { throw cause; }, fetch: server.fetch }), { session: "x", profile });
    await assert.rejects(collect(stream), (error) => error.id === "stream.source_failed" && error.cause === cause);
    assert.equal(server.asked.length, 1);
  });

  test("of several sessions there is no such request", async () => {
    const stream = open(requests({ start: () => BASE, resume: () => BASE }), { sessions: ["a", "b"], profile });
    await assert.rejects(collect(stream), ({ id, expected }) => id === "stream.invalid_options" && expected === "requests: one session");
  });

  test("without a name for it the stream is not opened", async () => {
    await assert.rejects(collect(opened(new Background(), { session: undefined })), ({ id, expected }) => id === "stream.invalid_options" && /a session, of any name/.test(expected));
  });
});

test("a page has no SSE ids, so the resolver is not asked about a stream whose position stands there (R-210)", async () => {
  await init();
  const page = { cursor: "s1:3", head: { lastSeq: 9 }, events: [{ type: "m", seq: 7 }] };
  assert.throws(() => resolve({ ...page, profile: { position: "id" } }), { name: "TidemarkError", id: "stream.invalid_options", found: "position: id" });
  assert.equal(resolve({ ...page, profile: { continuity: "monotonic" } }).from, 7);
  assert.equal(resolve(page).refusal.detail, "pruned");
});

/** The length of the first n frames. */
function behind(bytes, n) {
  const text = new TextDecoder().decode(bytes);
  return new TextEncoder().encode(text.split("\n\n").slice(0, n).join("\n\n") + "\n\n").length;
}
