import { CursorObject, durableMemory, proxy } from "tidemark/edge";

export { CursorObject };

/** Streams that pass are whole, or end with the reason; everything else goes to the server as it came: docs/edge.md. */
export default {
  fetch(request, env, context) {
    const { pathname, search } = new URL(request.url);
    if (!pathname.endsWith("/events")) return fetch(new Request(new URL(pathname + search, env.UPSTREAM), request));
    return proxy(request, {
      upstream: env.UPSTREAM,
      history: { cache: caches.default },
      memory: { store: durableMemory(env.CURSORS), key: consumer },
      waitUntil: (work) => context.waitUntil(work),
    });
  },
};

/** A consumer that keeps no cursor names itself; the others send one, and are remembered by nobody. */
function consumer(request) {
  return request.headers.get("x-consumer") ?? undefined;
}
