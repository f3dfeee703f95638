import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { init, open, parseCursor } from "../dist/index.js";
import { links } from "../dist/links.js";
import { serving } from "./support/fetch.mjs";

const file = (name) => new URL(`../dist/${name}.wasm`, import.meta.url);

// One process has one of each module, so these tests are one story and run in order.

test("functions that answer at once say that they are not ready", () => {
  assert.throws(() => parseCursor("s1:4"), { id: "stream.not_ready", message: /before the WebAssembly module was ready/ });
});

test("what cannot be loaded is a named error and can be tried again", async () => {
  await assert.rejects(init(new URL("nothing.wasm", import.meta.url)), { id: "stream.module_load" });
  await assert.rejects(init(new Response("<!doctype html>")), { id: "stream.module_load" });
});

test("a source goes where it belongs, and open() waits to see where that is", async () => {
  const bytes = await readFile(file("tidemark"));
  const placed = init(Promise.resolve(bytes));
  const { fetch } = serving();
  for await (const item of open("http://x.invalid/v1/sessions/s1/events", { fetch })) assert.equal(item.kind, "end");
  await placed;
  assert.throws(() => parseCursor("s1:4"), { id: "stream.not_ready" }, "the other module was not asked for");
  await assert.rejects(init(file("tidemark")), { id: "stream.invalid_options" });
});

test("without a source everything is made ready, and what is there stays", async () => {
  const before = await links.ready();
  await init();
  assert.equal(parseCursor("s1:4").seq, 4);
  await init();
  await init(file("calls"));
  assert.equal(await links.ready(), before);
});
