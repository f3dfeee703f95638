// Serves the package and the checks to browsers, and takes what they found out.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { upgrade } from "./sockets.mjs";

const web = fileURLToPath(new URL("../../../", import.meta.url));
const TYPES = { ".html": "text/html; charset=utf-8", ".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm" };
const SERVED = /^\/(dist|test\/engines\/checks)\/[\w./-]+$/;

/** Starts the server. `reported(context)` waits for what a page sends about one of its contexts. */
export async function servePages() {
  const waiting = new Map();
  const due = (context) => {
    if (!waiting.has(context)) waiting.set(context, deferred());
    return waiting.get(context);
  };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://x");
    if (request.method === "POST") {
      due(searchParams.get("context")).resolve(JSON.parse(await text(request)));
      response.writeHead(204).end();
    } else if (pathname === "/frames") {
      frames(searchParams.get("run"), response);
    } else if (SERVED.test(pathname) && !pathname.includes("..")) {
      await file(join(web, normalize(pathname)), response);
    } else {
      response.writeHead(404).end();
    }
  });
  server.on("upgrade", upgrade);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    reported: (context) => due(context).promise,
    stop: () => (server.closeAllConnections(), new Promise((resolve) => server.close(resolve))),
  };
}

const FRAMES = [
  "retry: 100", ": hello", 'id: 1\nevent: named\ndata: {"type":"x"}', 'data: {"type":"y"}', "event: ping\ndata: not json", 'id\ndata: {"type":"z"}',
  'id: é 5\ndata: {\ndata:  "type": "w"\ndata: }', "event: message\ndata:{}", "event: ping\ndata", ": \n\nevent: never", "event: done\ndata: bye\n: \nunknown: x",
].join("\n\n") + "\n\n";
const served = new Set();

/** Frames of all kinds, to each run once. */
function frames(run, response) {
  response.setHeader("access-control-allow-origin", "*");
  if (served.has(run)) return void response.writeHead(204).end();
  served.add(run);
  response.writeHead(200, { "content-type": "text/event-stream" }).end(FRAMES);
}

async function file(path, response) {
  const type = TYPES[extname(path)];
  try {
    const bytes = await readFile(path);
    response.writeHead(200, { "content-type": type ?? "application/octet-stream", "cache-control": "no-store" }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
}

async function text(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function deferred() {
  let resolve;
  return { promise: new Promise((done) => (resolve = done)), resolve };
}
