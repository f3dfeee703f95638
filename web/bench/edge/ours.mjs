// What is measured: the worker as docs/edge.md begins with it.
import { proxy } from "tidemark/edge";

export default {
  fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === "/hello") return new Response("hello");
    if (pathname === "/collect") return new Response(globalThis.gc());
    return proxy(request, { upstream: env.UPSTREAM });
  },
};
