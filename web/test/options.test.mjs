import assert from "node:assert/strict";
import { test } from "node:test";
import { open, TidemarkError } from "../dist/index.js";
import { collect, serving } from "./support/fetch.mjs";

const ADDRESS = "http://tidemark.invalid/v1/sessions/s1/events";
const SECRET = "Bearer SECRET";

/** What is wrong, and the option that the error has to name. Each throws at open(), before any request. */
const WRONG = [
  [{ session: "" }, /^session: /], [{ session: 7 }, /^session: /],
  [{ sessions: [] }, /^sessions: /], [{ sessions: "s1" }, /^sessions: /], [{ sessions: ["a", ""] }, /^sessions: /],
  [{ session: "s\n1" }, /^session: /], [{ session: "s\ud800" }, /^session: /], [{ sessions: ["a", "\u0085"] }, /^session: /],
  [{ session: "a", sessions: ["b"] }, /^sessions: either/],
  [{ cursor: "" }, /^cursor: /], [{ cursor: 4 }, /^cursor: /], [{ cursor: ["s1:4", null] }, /^cursor: /],
  [{ from: "start" }, /^from: "beginning" or "now" or a token$/], [{ from: null }, /^from: /], [{ from: "" }, /^from: /],
  [{ from: "s1:4", cursor: "s1:4" }, /^from: a cursor in either cursor or from$/],
  [{ initial: {} }, /^initial: \{ state, cursor \}/], [{ initial: { state: 1 } }, /^initial: /], [{ initial: { cursor: "s1:4" } }, /^initial: /],
  [{ initial: { state: 1, cursor: "" } }, /^initial: /], [{ initial: [{ state: 1, cursor: "s1:4" }, null] }, /^initial: /], [{ initial: null }, /^initial: /],
  [{ initial: { state: SECRET, cursor: "s1:4" }, cursor: "s1:4" }, /^initial: a cursor in either cursor or initial$/],
  [{ initial: { state: SECRET, cursor: "s1:4" }, from: "s1:4" }, /^initial: a cursor in either from or initial$/],
  [{ onState: {} }, /^onState: /], [{ debug: "yes" }, /^debug: true or a function/], [{ debug: 1 }, /^debug: /],
  [{ proof: true }, /^proof: "prefer" or "require" or "off"$/],
  [{ signal: {} }, /^signal: /], [{ mode: "enforced" }, /^mode: /],
  [{ load: {} }, /^load: /], [{ onDecision: "log" }, /^onDecision: /], [{ fetch: {} }, /^fetch: /],
  [{ headers: SECRET }, /^headers: .*function/], [{ headers: { "x y": SECRET } }, /^headers: /], [{ headers: { x: `${SECRET}\n.` } }, /^headers: /],
  [{ credentials: "yes" }, /^credentials: /], [{ profile: 7 }, /^profile: /],
  [{ maxFrame: 0 }, /^maxFrame: /], [{ maxFrame: 1.5 }, /^maxFrame: /], [{ maxFrame: NaN }, /^maxFrame: /],
  [{ maxDepth: 0 }, /^maxDepth: /], [{ maxDepth: 10_001 }, /^maxDepth: levels from 1 to 10000$/],
  [{ cursorr: "s1:4" }, /options of session, /], [{ constructor: 1 }, /options of/],
];

for (const [options, expected] of WRONG) {
  test(`open() refuses ${JSON.stringify(options).replace(SECRET, "…")}`, () => {
    const { fetch, requests } = serving();
    assert.throws(() => open(ADDRESS, { fetch, ...options }), (error) => {
      assert.ok(error instanceof TidemarkError);
      assert.equal(error.id, "stream.invalid_options");
      assert.match(error.expected, expected);
      assert.ok(error.found.length > 0);
      assert.ok(!JSON.stringify(error).includes(SECRET) && !`${error.stack}${error.cause ?? ""}`.includes(SECRET), "no values");
      return true;
    });
    assert.deepEqual(requests, []);
  });
}

test("what cannot be read or said is no value of an option, and is named too", () => {
  const circle = { name: "circle" };
  const unreadable = { get store() { throw new Error(SECRET); }, get cursor() { throw new Error(SECRET); }, state: 1 };
  const wrong = { profile: { ...circle, circle }, snapshots: unreadable, initial: unreadable };
  circle.circle = circle;
  for (const [name, value] of [...Object.entries(wrong), ["snapshots", { store: null }]]) {
    assert.throws(() => open(ADDRESS, { [name]: value }), ({ id, expected, stack }) => id === "stream.invalid_options" && expected.startsWith(`${name}: `) && !stack.includes(SECRET));
  }
});

test("open() refuses a session in the address that is no id", () => {
  assert.throws(() => open("http://x.invalid/sessions/s%001/events"), { id: "stream.invalid_options", expected: /^session: / });
});

for (const url of [undefined, null, 7, "", "/relative", "http://", {}, "ftp://x/s", "http://user:word@x/s", "https://user@x/s", "data:text/event-stream,x"]) {
  test(`open() refuses the address ${JSON.stringify(url)}`, () => {
    assert.throws(() => open(url), { id: "stream.invalid_options", expected: /^url: / });
  });
}

test("open() takes an address with an @ elsewhere, and hosts of every form", () => {
  for (const url of ["http://x/@me?a=b@c", "https://[::1]:8080/s", "HTTP://X"]) open(url, { fetch: serving().fetch }).close();
});

for (const name of ["session", "cursor", "from"]) {
  test(`open() refuses ${name}= in the address, and names the option`, () => {
    const { fetch, requests } = serving();
    const expected = `url: no "${name}" in its query; there is an option ${name}`;
    assert.throws(() => open(`${ADDRESS}?x=1&${name}=now`, { fetch }), { id: "stream.invalid_options", expected });
    assert.deepEqual(requests, []);
  });
}

for (const options of [null, 7, "s1:4"]) {
  test(`open() refuses options that are ${JSON.stringify(options)}`, () => {
    assert.throws(() => open(ADDRESS, options), { id: "stream.invalid_options", expected: "options: an object" });
  });
}

test("options that throw when they are read, and those that are inherited", async () => {
  const throwing = { get cursor() { throw new Error(SECRET); } };
  assert.throws(() => open(ADDRESS, throwing), { id: "stream.invalid_options", expected: "options: an object whose members can be read" });
  const { fetch, requests } = serving();
  await collect(open(ADDRESS, Object.create({ fetch, cursor: "s1:4" })));
  assert.deepEqual(requests, [`${ADDRESS}?cursor=s1%3A4`]);
});

test("options that are undefined are absent", async () => {
  const names = ["session", "sessions", "cursor", "from", "signal", "mode", "load", "onDecision", "headers", "credentials", "profile", "maxFrame",
    "initial", "onState", "debug", "proof"];
  const { fetch } = serving();
  const items = await collect(open(ADDRESS, { ...Object.fromEntries(names.map((name) => [name, undefined])), fetch }));
  assert.deepEqual(items, [{ kind: "end", session: "s1", cause: "server" }]);
});

/** What only the core can judge ends the iteration with its fault. */
const JUDGED = [
  [{ cursor: "s1:x" }, "stream.invalid_cursor"],
  [{ cursor: "s2:4" }, "stream.foreign_session"],
  [{ cursor: "s1:s2:4" }, "stream.foreign_session"],
  [{ cursor: "s1:04" }, "stream.invalid_cursor"],
  [{ cursor: "s1:4@%00" }, "stream.invalid_cursor"],
  [{ session: "s1", cursor: ["s1:4", "s1:5"] }, "stream.invalid_options"],
  [{ sessions: ["s1", "s1"] }, "stream.invalid_options"],
  [{ profile: "nonsense" }, "stream.invalid_profile"],
  [{ profile: { base: 2 } }, "stream.invalid_profile"],
];

for (const [options, id] of JUDGED) {
  test(`${JSON.stringify(options)} is ${id}, and nothing was asked for`, async () => {
    const { fetch, requests } = serving();
    await assert.rejects(collect(open(ADDRESS, { fetch, ...options })), { id });
    assert.deepEqual(requests, []);
  });
}
