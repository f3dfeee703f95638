// A server with the package, an empty page, and streams: for tests of the package itself in a browser.
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../../../dist/", import.meta.url));
const TYPES = { js: "text/javascript", wasm: "application/wasm", html: "text/html", json: "application/json" };
const PAGE = '<!doctype html><meta charset="utf-8"><title>tidemark</title><link rel="icon" href="data:,">';

/** `streams` answer what is asked for under their path: functions of request and response. */
export async function servePages(streams = {}) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://x");
    const stream = streams[pathname];
    if (stream) return void stream(request, response);
    if (pathname === "/") return void response.writeHead(200, { "content-type": TYPES.html }).end(PAGE);
    return sendFile(response, pathname);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const stop = () => (server.closeAllConnections(), server.close());
  return { url: `http://127.0.0.1:${server.address().port}/`, stop };
}

function sendFile(response, pathname) {
  const path = join(dist, normalize(pathname.replace(/^\/dist\//, "")));
  if (!pathname.startsWith("/dist/") || !path.startsWith(dist) || !existsSync(path)) return void response.writeHead(404).end();
  response.writeHead(200, { "content-type": TYPES[path.split(".").pop()] ?? "text/plain" });
  createReadStream(path).pipe(response);
}

/** Sends chunks as a stream, as fast as they are read; a function among them is awaited in its turn. */
export async function sendStream(response, chunks) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  for await (let chunk of chunks) {
    if (typeof chunk === "function") chunk = await chunk();
    if (response.destroyed) return;
    if (chunk && !response.write(chunk)) await drained(response);
  }
  response.end();
}

/** Resolves when more can be written, or nobody reads any more. */
function drained(response) {
  return new Promise((resolve) => {
    const done = () => resolve(void response.off("drain", done).off("close", done));
    response.on("drain", done).on("close", done);
  });
}
