import { CursorObject, durableMemory, proxy } from "tidemark/edge";

export { CursorObject };

/** Streams that pass are whole, or end with the reason; everything else goes to the server as it came: docs/edge.md. */
export default {
  fetch(request, env, context) {
    const { pathname, search } = new URL(request.url);
    if (!pathname.endsWith("/events")) {
      const address = Object.assign(new URL(env.UPSTREAM), { pathname, search }); // read against it, a path could name another host
      return fetch(new Request(address, request));
    }
    return proxy(request, {
      upstream: env.UPSTREAM,
      history: { cache: caches.default }, // give a scope when credentials alone tell tenants apart
      memory: { store: durableMemory(env.CURSORS), key: consumer },
      waitUntil: (work) => context.waitUntil(work),
    });
  },
};

/**
 * A consumer that keeps no cursor names itself; the others send one, and are remembered by nobody. The name counts beside the
 * credentials that the server checks, so that whoever has heard of it cannot move another's cursor. A new token is a new consumer.
 */
async function consumer({ headers }) {
  const name = headers.get("x-consumer");
  const credentials = headers.get("authorization");
  if (!name || !credentials) return undefined;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify([credentials, name])));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}
