// What is measured: the worker as docs/edge.md begins with it.
import { proxy } from "tidemark/edge";

export default {
  fetch(request, env) {
    if (new URL(request.url).pathname === "/hello") return new Response("hello");
    return proxy(request, { upstream: env.UPSTREAM });
  },
};
