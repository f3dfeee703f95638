// A site over loopback for measurements in a browser: web/dist as something that may be cached for good, one stream under
// any address that ends in /events, and pages that run one function and report what it answered. It judges no stream.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };
const STREAM = { "content-type": "text/event-stream", "cache-control": "no-store" };

/** `stream(query, response)` answers the stream, `page(query)` is the script of a page, `report(value, go)` gets what it answered. */
export async function site({ stream, page, report }) {
  const asked = [];
  const routes = {
    "/report": async (request, response) => report(JSON.parse(await text(request)), (address) => response.end(address)),
    "/": (_, response, query) => response.writeHead(200, { "content-type": "text/html", "cache-control": "no-store" }).end(html(page(query))),
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    if (pathname.endsWith("/events")) return void stream(searchParams, response);
    if (routes[pathname]) return void routes[pathname](request, response, searchParams);
    if (pathname.startsWith("/dist/")) asked.push(pathname);
    void file(pathname.replace("/dist/", ""), response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections()));
  return { port: server.address().port, asked, stop };
}

const html = (script) => `<!doctype html><title>bench</title><script type="module">${script}</script>`;

async function text(request) {
  let all = "";
  for await (const piece of request.setEncoding("utf8")) all += piece;
  return all;
}

async function file(name, response) {
  const path = join(dist, normalize(name));
  try {
    if (!path.startsWith(dist)) throw new Error("outside of dist");
    const body = await readFile(path);
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream", "cache-control": "public, max-age=31536000, immutable" });
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
}

/** Writes a body no faster than it is taken, and leaves it open. */
export async function pour(response, chunks) {
  response.writeHead(200, STREAM);
  for (const chunk of chunks) if (!(await written(response, chunk))) return;
}

/** Whether more can be written: it waits until it can, and a connection that has gone takes nothing. */
export async function written(response, chunk) {
  if (response.destroyed) return false;
  if (response.write(chunk)) return true;
  return new Promise((resolve) => {
    const settle = () => (response.off("drain", settle).off("close", settle), resolve(!response.destroyed));
    response.on("drain", settle).on("close", settle);
  });
}
