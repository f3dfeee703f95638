import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { test } from "node:test";
import { Answers, Calls } from "../dist/ask.js";
import { load } from "../dist/load.js";

const wasm = new URL("../dist/calls.wasm", import.meta.url);
const bytes = await readFile(wasm);

/** A loader of its own: what one test loads, another has not. */
const fresh = () => new Answers(Calls, () => wasm);

async function serve(t, handle) {
  const server = createServer(handle).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}/calls.wasm`;
}

const answer = (type, body = bytes) => (_, response) => response.writeHead(200, { "content-type": type }).end(body);
const works = (loader) => assert.equal(loader.now().call(2, 0, '{"token":"s1:4"}').seq, 4);

const sources = {
  "a file URL": () => wasm,
  "text of a URL": () => wasm.href,
  "bytes": () => bytes,
  "an ArrayBuffer": () => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
  "a Response": () => new Response(bytes, { headers: { "content-type": "application/wasm" } }),
  "a Response of a server that does not know .wasm": () => new Response(bytes, { headers: { "content-type": "application/octet-stream" } }),
  "a Response without a type": () => new Response(bytes),
  "a compiled module": () => WebAssembly.compile(bytes),
  "a promise of a Response": () => Promise.resolve(new Response(bytes)),
};

for (const [name, source] of Object.entries(sources)) {
  test(`loads from ${name}`, async () => {
    const loader = fresh();
    await load(loader, source());
    works(loader);
  });
}

test("loads from the file of the package when nobody names another", async () => {
  const loader = fresh();
  await loader.ready();
  works(loader);
});

for (const type of ["application/wasm", "application/wasm; charset=binary", "text/plain"]) {
  test(`loads over HTTP as ${type}`, async (t) => {
    const loader = fresh();
    await load(loader, await serve(t, answer(type)));
    works(loader);
  });
}

const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
/** (module (func (result i32) i32.const 2) (export "abi" (func 0))) */
const otherAbi = Uint8Array.of(
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7f, 3, 2, 1, 0, 7, 7, 1, 3, 0x61, 0x62, 0x69, 0, 0, 10, 6, 1, 4, 0, 0x41, 2, 0x0b,
);

const failures = {
  "a missing file": [() => new URL("nothing.wasm", wasm), "stream.module_load"],
  "text that is no URL": [() => "tidemark.wasm", "stream.module_load"],
  "a page in place of the module": [() => new Response("<!doctype html>", { headers: { "content-type": "text/html" } }), "stream.module_load"],
  "a page that says it is the module": [() => new Response("<!doctype html>", { headers: { "content-type": "application/wasm" } }), "stream.module_load"],
  "status 404": [() => new Response("no", { status: 404 }), "stream.module_load"],
  "bytes cut short": [() => bytes.subarray(0, 1000), "stream.module_load"],
  "a number": [() => 7, "stream.module_load"],
  "null": [() => null, "stream.module_load"],
  "a promise that rejects": [() => Promise.reject(new Error("offline")), "stream.module_load"],
  "another WebAssembly module": [() => empty, "stream.module_load"],
  "a module of another version": [() => otherAbi, "stream.abi_mismatch"],
};

for (const [name, [source, id]] of Object.entries(failures)) {
  test(`${name} is ${id}, and another source can be tried`, async () => {
    const loader = fresh();
    await assert.rejects(load(loader, source()), { name: "TidemarkError", id });
    await load(loader, bytes);
    works(loader);
  });
}

//
test("a module of another version is refused with both numbers", async () => {
  const loader = fresh();
  await assert.rejects(load(loader, otherAbi), { expected: "ABI 1", found: "ABI 2" });
});

test("the same source again is fine, another one is a named error", async () => {
  const loader = fresh();
  await Promise.all([load(loader, wasm), load(loader, wasm.href), loader.ready(), load(loader, new URL(wasm))]);
  await assert.rejects(load(loader, bytes), { id: "stream.invalid_options", found: "Uint8Array" });
  works(loader);
});

test("the default source and its address are the same", async () => {
  const loader = fresh();
  await loader.ready();
  await load(loader, wasm);
});

test("a module is asked for once", async (t) => {
  let requests = 0;
  const url = await serve(t, (request, response) => (requests++, answer("application/wasm")(request, response)));
  const loader = fresh();
  await Promise.all([load(loader, url), loader.ready(), load(loader, new URL(url))]);
  await loader.ready();
  assert.equal(requests, 1);
});

test("a call before the module is there says so", async () => {
  assert.throws(() => fresh().now(), { id: "stream.not_ready", code: "invalid_config" });
});

test("a stopped instance is replaced without loading again", async (t) => {
  let requests = 0;
  const url = await serve(t, (request, response) => (requests++, answer("application/wasm")(request, response)));
  t.mock.method(console, "error", () => {});
  const loader = fresh();
  await load(loader, url);
  const first = loader.now();
  assert.throws(() => first.crash(), { id: "stream.module_exited", retryable: true });
  assert.throws(() => first.call(1), { id: "stream.module_exited" });
  assert.notEqual(loader.now(), first);
  works(loader);
  assert.throws(() => loader.now().crash(), { id: "stream.module_exited" });
  assert.equal((await loader.ready()).dead, false);
  assert.equal(requests, 1);
});
