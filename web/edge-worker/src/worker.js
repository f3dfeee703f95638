import { CursorObject, durableMemory, proxy } from "tidemark/edge";

export { CursorObject };

/** Streams that pass are whole, or end with the reason: docs/edge.md. */
export default {
  fetch(request, env) {
    return proxy(request, {
      upstream: env.UPSTREAM,
      history: { cache: caches.default },
      memory: durableMemory(env.CURSORS),
    });
  },
};
