import assert from "node:assert/strict";
import { before, test } from "node:test";
import {
  CodedError, describe, explain, facts, formatCursor, hintOf, init, normalize, parseCursor, ProviderError, resolve, TidemarkError, track, withHint,
} from "../dist/index.js";
import { decoder } from "../dist/sse.js";

before(() => init());

const throwing = new Proxy({}, { get: () => { throw new Error("trap"); }, ownKeys: () => { throw new Error("trap"); }, getPrototypeOf: () => { throw new Error("trap"); } });
const cyclic = { type: "m", seq: 1 };
cyclic.self = cyclic;
const fn = () => 1;

/** Values that are no seq, whatever JavaScript would make of them. */
const NO_SEQ = [NaN, Infinity, -Infinity, -1, 1.5, 2 ** 53, 2 ** 53 + 2, 1e21, "5", "", true, false, [5], [], {}, throwing, fn, Symbol("5"), 2n ** 53n, -1n, new Date(5), new Number(5)];
const label = (value) => (typeof value === "object" && value === throwing ? "a throwing proxy" : typeof value === "symbol" ? String(value) : `${typeof value} ${Array.isArray(value) ? JSON.stringify(value) : String(value)}`);

for (const value of [...NO_SEQ, null]) {
  test(`a cursor at ${label(value)} is invalid_cursor, a head invalid_head`, () => {
    const page = { session: "s1", head: { lastSeq: 3 }, events: [] };
    assert.throws(() => resolve({ ...page, cursor: { sinceSeq: value } }), { id: "stream.invalid_cursor" });
    assert.throws(() => resolve({ ...page, head: { lastSeq: value } }), { id: "stream.invalid_head" });
    assert.throws(() => formatCursor({ session: "s1", seq: value }), { id: "stream.invalid_cursor" });
  });
}

for (const value of [...NO_SEQ, 0, 0n]) {
  test(`an event at ${label(value)} is a bad event`, () => {
    const events = [{ type: "m", seq: 1 }, { type: "m", seq: value }, { type: "m", seq: 3 }];
    const { status, refusal } = resolve({ session: "s1", head: { lastSeq: 3 }, events });
    assert.deepEqual([status, refusal.reason, refusal.detail, refusal.evidence.index], ["unavailable", "gap", "bad_event", 1]);
    const tracker = track({ session: "s1" });
    assert.equal(tracker.observe({ type: "m", seq: value }).verdict, "invalid");
    assert.equal(tracker.state.seq, 0);
    tracker.close();
  });
}

for (const absent of [{ seq: undefined }, { seq: null }, {}]) {
  test(`an event whose seq is ${"seq" in absent ? absent.seq : "not there"} is not recorded`, () => {
    const tracker = track({ session: "s1" });
    assert.equal(tracker.observe({ type: "text_delta", ...absent }).verdict, "pass");
    tracker.close();
  });
}

for (const event of [throwing, fn, null, 7, "text", [], new Map(), undefined]) {
  test(`${event === throwing ? "a throwing proxy" : String(event) || "an empty list"} in a page is a bad event`, () => {
    const { refusal } = resolve({ session: "s1", head: { lastSeq: 1 }, events: [event] });
    assert.equal(refusal.detail, "bad_event");
  });
}

test("numbers that a number cannot hold pass as bigint or text", () => {
  assert.equal(formatCursor({ session: "s1", seq: 9007199254740991n, generation: 2n ** 70n }), "s1:9007199254740991@1180591620717411303424");
  assert.throws(() => formatCursor({ session: "s1", seq: 1, generation: 2 ** 60 }), { id: "stream.invalid_cursor" }, "it may have been rounded");
  const events = [{ type: "m", seq: 1n, generation: 2n ** 70n }];
  const answer = resolve({ session: "s1", head: { lastSeq: 1n, generation: 2n ** 70n }, events });
  assert.equal(answer.cursor.generation, String(2n ** 70n));
  assert.equal(answer.events[0], events[0]);
});

test("a payload may hold what it likes, as long as it can be read", () => {
  const events = [
    { type: "m", seq: 1, when: new Date(0), n: 1e300, big: 10n ** 30n, none: undefined, nested: { seq: NaN.toString() } },
    { type: "m", seq: 2, text: "\ud800 \u2028 \0", own: { toJSON: () => ({ a: 1 }) } },
  ];
  assert.equal(resolve({ session: "s1", head: { lastSeq: 2 }, events }).status, "replayed");
});

test("what cannot be read is refused: cycles, depth, throwing members", () => {
  let deep = 1;
  for (let i = 0; i < 5000; i++) deep = [deep];
  const throwsInside = { type: "m", seq: 1, get secret() { throw new Error("x"); } };
  for (const event of [cyclic, { type: "m", seq: 1, deep }, throwsInside, { type: "m", seq: 1, throwing }, { type: "m", seq: 1, n: NaN }]) {
    const { refusal } = resolve({ session: "s1", head: { lastSeq: 1 }, events: [event] });
    assert.equal(refusal.detail, "bad_event");
  }
});

const WRONG = { undefined: undefined, null: null, number: 7, function: fn, symbol: Symbol("x"), "throwing proxy": throwing, object: { a: 1 }, list: [1], text: "x" };
const page = { head: { lastSeq: 0 }, events: [] };

/** Each call, with the kinds of argument that it takes after all. */
const CALLS = [
  ["parseCursor(…)", (wrong) => parseCursor(wrong), []],
  ["formatCursor, session", (wrong) => formatCursor({ session: wrong, seq: 1 }), ["text"]],
  ["parseCursor, options", (wrong) => parseCursor("s1:4", wrong), ["undefined", "object", "list", "throwing proxy"]],
  ["formatCursor", (wrong) => formatCursor(wrong), ["throwing proxy"]],
  ["formatCursor, options", (wrong) => formatCursor({ session: "s1", seq: 1 }, wrong), ["undefined", "object", "list", "throwing proxy"]],
  ["resolve", (wrong) => resolve(wrong), ["throwing proxy"]],
  ["track", (wrong) => track(wrong), ["undefined", "object", "list", "throwing proxy"]],
  ["decoder", (wrong) => decoder(wrong), ["undefined", "object", "list", "throwing proxy"]],
  ["resolve, cursor", (wrong) => resolve({ ...page, cursor: wrong }), ["undefined", "null"]],
  ["resolve, head", (wrong) => resolve({ ...page, head: wrong }), []],
  ["resolve, events", (wrong) => resolve({ ...page, events: wrong }), ["list"]],
  ["resolve, session", (wrong) => resolve({ ...page, session: wrong }), ["undefined", "text"]],
  ["resolve, more", (wrong) => resolve({ ...page, more: wrong }), ["undefined"]],
  ["resolve, profile", (wrong) => resolve({ ...page, profile: wrong }), ["undefined"]],
  ["track, session", (wrong) => track({ session: wrong }), ["undefined", "text"]],
  ["track, cursor", (wrong) => track({ session: "s1", cursor: wrong }), ["undefined"]],
  ["decoder, maxFrame", (wrong) => decoder({ maxFrame: wrong }), ["undefined", "number"]],
];

for (const [name, call, takes] of CALLS) {
  for (const kind of Object.keys(WRONG).filter((kind) => !takes.includes(kind))) {
    test(`${name} refuses ${kind} by name, and the module goes on`, () => {
      assert.throws(() => call(WRONG[kind]), (error) => error instanceof TidemarkError && error.id !== "stream.module_exited");
      assert.equal(parseCursor("s1:4").seq, 4);
    });
  }
}

test("a list without end is an error, not a hang", () => {
  assert.throws(() => resolve({ head: { lastSeq: 1 }, events: new Array(2 ** 32 - 1) }), { id: "stream.bad_input" });
});

test("an empty cursor is an invalid one, not none", () => {
  assert.throws(() => track({ session: "s1", cursor: "" }), { id: "stream.invalid_cursor" });
  assert.throws(() => resolve({ ...page, session: "s1", cursor: "" }), { id: "stream.invalid_cursor" });
});

test("tokens as text only", () => {
  assert.deepEqual(parseCursor("a:b:7@x%3Ay"), { session: "a:b", seq: 7, generation: "x:y", token: "a:b:7@x%3Ay" });
  for (const token of ["", "s1", "s1:", ":4", "s1:04", "s1:-1", "s1:4@", "s1:4@%4", "s1:9007199254740992", "s1: 4", "s1:4 ", "s\n:4", "s1:4@\ud800"]) {
    assert.throws(() => parseCursor(token), { id: "stream.invalid_cursor" }, JSON.stringify(token));
  }
});

test("any value can be explained and normalised", () => {
  const noText = Object.create(null);
  const odd = { toString() { throw new Error("no"); } };
  const badMessage = Object.defineProperty(new Error("x"), "message", { get() { throw new Error("no"); } });
  for (const thrown of [undefined, null, 0, "", NaN, 5n, Symbol("s"), fn, noText, odd, throwing, badMessage, cyclic, new Date(NaN), [], new Proxy(fn, { get: () => { throw 1; } })]) {
    const { code, message, retryable } = normalize(thrown);
    assert.deepEqual([code, typeof message, retryable], ["unknown", "string", false]);
    assert.equal(explain(thrown), null);
    assert.equal(typeof facts(thrown).message, "string");
  }
  assert.equal(normalize("\ud800").code, "unknown");
});

test("details that cannot be written down do not hide the failure", () => {
  let deep = {};
  for (let i = 0; i < 5000; i++) deep = { deep };
  for (const details of [cyclic, { n: 5n }, { throwing }, deep, { fn }, [1]]) {
    const { code, message } = normalize(new CodedError({ code: "tool_error", message: "m", details }));
    assert.deepEqual([code, message], ["tool_error", "m"]);
  }
  assert.deepEqual(normalize(new CodedError({ code: "tool_error", message: "m", details: { n: 5n } })).details, { n: "5" });
});

test("failures are known by class, and by shape across copies of the package", () => {
  const provider = new ProviderError({ code: "rate_limit", message: "slow", retryable: true, status: 429, retryAfterMs: 0, providerId: "" });
  assert.equal(explain(provider).id, "provider.rate_limit");
  assert.deepEqual(normalize(provider).details, { providerCode: "rate_limit", providerId: "", status: 429, retryAfterMs: 0 });
  const shaped = Object.assign(new Error("slow"), { name: "ProviderError", code: "rate_limit", retryable: true });
  assert.equal(explain(shaped).id, "provider.rate_limit");
  const coded = Object.assign(new Error("disk"), { code: "storage_error", retryable: true });
  assert.deepEqual(normalize(coded), { code: "storage_error", message: "disk", retryable: true });
  assert.equal(normalize(Object.assign(new Error("x"), { code: "ENOENT" })).code, "unknown");
  const wrong = Object.assign(new Error("x"), { name: "ProviderError", code: 7, retryable: "yes", status: "429" });
  assert.equal(normalize(wrong).code, "provider_error");
});

test("our own errors explain themselves, and an attached hint comes first", () => {
  let error;
  try { parseCursor("x"); } catch (thrown) { error = thrown; }
  assert.equal(explain(error).id, "stream.invalid_cursor");
  assert.equal(explain(error).hint, error.hint);
  assert.equal(normalize(error).code, "invalid_config");
  assert.equal(normalize(error).details.rule, "stream.invalid_cursor");
  assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(error))).sort(), ["code", "expected", "found", "hint", "href", "id", "message", "name", "retryable"].filter((k) => k in error).sort());
  withHint(error, "ask Ann");
  assert.equal(explain(error).hint, "ask Ann");
});

test("hints stay with their value, frozen or not, and never on primitives", () => {
  const frozen = Object.freeze(new Error("x"));
  assert.equal(hintOf(withHint(frozen, "a")), "a");
  assert.equal(hintOf(withHint(frozen, "b")), "b");
  assert.equal(hintOf(withHint(frozen, "")), undefined);
  assert.equal(hintOf(withHint(frozen, 7)), undefined);
  assert.deepEqual(Object.keys(frozen), []);
  assert.equal(withHint("text", "a"), "text");
  assert.equal(hintOf("text"), undefined);
});

test("types are described, known or not", () => {
  assert.deepEqual(describe("turn_completed"), { type: "turn_completed", known: true, class: "log", turn: "required", terminal: true });
  assert.deepEqual(describe("__proto__"), { type: "__proto__", known: false });
  assert.equal(describe("").known, false);
});
