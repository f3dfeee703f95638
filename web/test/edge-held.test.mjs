// Bytes that tidemark/edge holds back until their frame is whole.
import assert from "node:assert/strict";
import { test } from "node:test";
import { validate } from "../dist/edge/index.js";
import { Held } from "../dist/edge/held.js";
import { pieces } from "./support/edge.mjs";
import { stream } from "./support/fetch.mjs";
import { Log } from "./support/log.mjs";

const bytes = Uint8Array.from({ length: 5000 }, (_, i) => i % 251);

/** Held bytes in chunks of one size, and all that came before a place let go of. */
function heldIn(size, before = 0) {
  const held = new Held();
  for (let at = 0; at < bytes.length; at += size) held.add(bytes.subarray(at, at + size));
  held.drop(before);
  return held;
}

const taken = (held, from, to) => {
  const into = [];
  held.pieces(from, to, into);
  return into;
};

test("any range of what is held is the bytes that came", () => {
  for (const size of [1, 3, 700, 5000]) {
    for (const before of [0, 699, 700, 1401]) {
      const held = heldIn(size, before);
      assert.equal(held.to, bytes.length);
      for (const [from, to] of [[before, 5000], [before, before + 1], [2000, 2000], [2001, 3003], [4999, 5000]]) {
        assert.deepEqual(Buffer.concat(taken(held, from, to)), Buffer.from(bytes.subarray(from, to)), `${size}: [${from}, ${to}) behind ${before}`);
      }
    }
  }
});

test("chunks are handed on as they came, and what was let go of is gone", () => {
  const [chunk, other] = [bytes.subarray(0, 10), bytes.subarray(10, 20)];
  const held = new Held();
  held.add(chunk);
  held.add(other);
  assert.deepEqual(taken(held, 0, 20).map((piece) => piece === chunk || piece === other), [true, true]);
  held.drop(10);
  assert.deepEqual(taken(held, 0, 10), []);
  held.clear();
  assert.deepEqual([held.to, taken(held, 0, 20)], [0, []]);
});

test("a frame that drips in is not held as so many chunks", async () => {
  assert.ok(taken(heldIn(1), 0, bytes.length).length <= 1024);
  const log = new Log({ count: 1, text: "x".repeat(3000) });
  const text = log.head() + log.recorded(log.events[0]);
  const chunks = [...pieces(text, 1)];
  const response = await validate(stream(...chunks), { sessions: ["s1"] });
  assert.equal(await response.text(), text);
});
