// What is measured against: reads the stream in JavaScript, and passes it on.
async function pump(from, to) {
  const reader = from.getReader();
  const writer = to.getWriter();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return await writer.close();
      await writer.write(value);
    }
  } catch (error) {
    await Promise.allSettled([reader.cancel(error), writer.abort(error)]);
  }
}

export default {
  async fetch(request, env) {
    const { pathname, search } = new URL(request.url);
    if (pathname === "/hello") return new Response("hello");
    if (pathname === "/collect") return new Response(globalThis.gc());
    const answer = await fetch(env.UPSTREAM + pathname + search, { headers: { accept: "text/event-stream" }, redirect: "manual" });
    const { readable, writable } = new IdentityTransformStream();
    void pump(answer.body, writable);
    return new Response(readable, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
  },
};
