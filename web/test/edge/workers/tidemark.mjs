// A worker as tidemark/edge is used, which a test can tell what to do: options in a header, bytes that trap, what is still open.
import { CursorObject, durableMemory, proxy } from "tidemark/edge";
import { Relays } from "../../../dist/edge/relays.js";

export { CursorObject };

/** Where these bytes come in, the module stops, as it would over a mistake of its own. */
const TRAP = "trap here";
const decoder = new TextDecoder();
const { feed, open, close } = Relays.prototype;

/** Streams that the instance that runs keeps something of. */
let instance;
let handles = new Set();

Object.assign(Relays.prototype, {
  feed(handle, bytes) {
    if (bytes.length < 4096 && decoder.decode(bytes).includes(TRAP)) this.crash();
    return feed.call(this, handle, bytes);
  },
  open(options) {
    if (instance !== this) [instance, handles] = [this, new Set()];
    const handle = open.call(this, options);
    if (typeof handle === "number") handles.add(handle);
    return handle;
  },
  close(handle) {
    close.call(this, handle);
    if (instance === this) handles.delete(handle);
  },
});

const verdicts = [];

const routes = {
  "/hello": () => new Response("hello"),
  "/verdicts": () => Response.json(verdicts.splice(0)),
  "/handles": () => Response.json(handles.size),
};

export default {
  fetch(request, env, context) {
    const route = routes[new URL(request.url).pathname];
    if (route) return route();
    const { history, memory, tells, late, ...options } = JSON.parse(request.headers.get("x-options") ?? "{}");
    return proxy(request, {
      upstream: env.UPSTREAM,
      ...options,
      ...(tells && { onVerdict: (verdict) => verdicts.push(verdict) }),
      ...(history && { history: { cache: caches.default, ...history } }),
      ...(memory && { memory: { store: durableMemory(env.CURSORS), key: () => memory } }),
      ...(late && { waitUntil: (done) => context.waitUntil(done) }), // else what is kept is kept before an answer ends
    });
  },
};
