import assert from "node:assert/strict";
import { test } from "node:test";
import { init, open } from "../dist/index.js";
import { collect, serving, stream, turns, withoutJitter, withTime } from "./support/fetch.mjs";

const ADDRESS = "http://tidemark.invalid/v1/sessions/s1/events";

// nothing is left to wait for, so the loop must not wait for the watchdog either.
test("a stream that is incomplete ends at once", async (t) => {
  await init();
  withoutJitter(t);
  const time = withTime(t);
  const { fetch, requests } = serving(stream(), stream());
  let items;
  collect(open(ADDRESS, { fetch })).then((all) => (items = all));
  for (let i = 0; i < 4 && !items; i++) {
    await turns();
    time.tick(1);
  }
  await turns();
  assert.deepEqual(items, [{ kind: "end", session: "s1", cause: "incomplete" }]);
  assert.equal(requests.length, 2);
});
