// What stands behind the Cache API of a workerd: it is asked with GET and only-if-cached, told with PUT, whose body is the answer
// that is to be kept as it would be sent, and with PURGE. Like the platform's, it keeps nothing that does not say for how long.
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";

export class CacheBehind {
  #server;
  /** Kept answers by their address: { head, body }. */
  kept = new Map();
  /** What was asked of it, in order: "hit KEY", "miss KEY", "put KEY", "purge KEY", "no KEY" (refused). */
  said = [];

  static async start() {
    const cache = new CacheBehind();
    // Its requests name the host in the address alone.
    cache.#server = createServer({ requireHostHeader: false }, (request, response) => cache.#serve(request, response)).listen(0, "127.0.0.1");
    await new Promise((resolve) => cache.#server.once("listening", resolve));
    cache.address = `127.0.0.1:${cache.#server.address().port}`;
    return cache;
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request, response) {
    const serve = { GET: () => this.#match(request, response), PUT: () => this.#put(request, response), PURGE: () => this.#purge(request, response) };
    await serve[request.method]();
  }

  #match({ url }, response) {
    const kept = this.kept.get(url);
    this.said.push(`${kept ? "hit" : "miss"} ${url}`);
    if (!kept) return void response.writeHead(504, { "cf-cache-status": "MISS" }).end();
    response.writeHead(200, { ...kept.headers, "cf-cache-status": "HIT" }).end(kept.body);
  }

  async #put(request, response) {
    const message = await buffer(request);
    const split = message.indexOf("\r\n\r\n");
    const [first, ...lines] = message.subarray(0, split).toString("latin1").split("\r\n");
    const headers = Object.fromEntries(lines.map((line) => line.split(/:\s*/, 2)).map(([name, value]) => [name.toLowerCase(), value]));
    const keeps = / 200 /.test(`${first} `) && /max-age=[1-9]/.test(headers["cache-control"] ?? "") && !("set-cookie" in headers);
    this.said.push(`${keeps ? "put" : "no"} ${request.url}`);
    for (const name of ["transfer-encoding", "content-length"]) delete headers[name];
    if (keeps) this.kept.set(request.url, { headers, body: message.subarray(split + 4) });
    response.writeHead(keeps ? 204 : 413).end();
  }

  #purge({ url }, response) {
    this.said.push(`purge ${url}`);
    response.writeHead(this.kept.delete(url) ? 200 : 404).end();
  }
}
