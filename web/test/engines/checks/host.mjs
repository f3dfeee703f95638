// What an engine has to serve a stream with: a server of its own, or a page's service worker.

/** Starts to serve requests for streams of `upstream`. undefined: nothing serves here, as in the workers of a page. */
export async function host(handle, upstream) {
  const start = Object.entries(HOSTS).find(([name]) => name in globalThis)?.[1];
  return start?.(handle, upstream);
}

const HOSTS = {
  Deno: (handle) => {
    const server = globalThis.Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handle);
    return { origin: `http://127.0.0.1:${server.addr.port}`, stop: () => server.shutdown() };
  },
  Bun: (handle) => {
    const server = globalThis.Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: handle });
    return { origin: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
  },
  document: async (_, upstream) => {
    await (controlled ??= serviceWorker(upstream));
    return { origin: location.origin, stop() {} };
  },
  process: (handle) => nodeServer(handle),
};

let controlled;

/** Gives this page a service worker, for good. */
async function serviceWorker(upstream) {
  const taken = new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
  const script = new URL(`service.mjs?${new URLSearchParams({ upstream })}`, import.meta.url);
  await navigator.serviceWorker.register(script, { type: "module" });
  await taken;
}

/** Requests and answers of node:http as those of fetch. */
async function nodeServer(handle) {
  const [http, { Readable }, { pipeline }] = await Promise.all(["http", "stream", "stream/promises"].map((name) => import(`node:${name}`)));
  const server = http.createServer(async ({ url, method, headers }, response) => {
    const left = new AbortController();
    response.once("close", () => left.abort());
    const answer = await handle(new Request(`http://${headers.host}${url}`, { method, headers, signal: left.signal }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    await pipeline(answer.body ? Readable.fromWeb(answer.body) : [], response).catch(() => {}); // the response broke off, or was left
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, stop: () => (server.close(), server.closeAllConnections()) };
}
