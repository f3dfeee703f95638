// A fetch that answers from a list of connections, and the bodies it can answer with.

const bytes = (chunk) => (typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);

/** A body of these chunks; a function among them is awaited in its turn, an Error breaks the body. */
export function body(...chunks) {
  const left = [...chunks];
  return new ReadableStream({
    async pull(controller) {
      let chunk = left.shift();
      if (typeof chunk === "function") chunk = await chunk();
      if (chunk === undefined) return controller.close();
      if (chunk instanceof Error) return controller.error(chunk);
      controller.enqueue(bytes(chunk));
    },
  }, { highWaterMark: 0 });
}

export function stream(...chunks) {
  return new Response(body(...chunks), { headers: { "content-type": "text/event-stream; charset=utf-8" } });
}

/**
 * Answers each request with the next of `answers`: a Response, an Error to reject with, or a function of
 * the address that gives one. Past the end it is 204. `requests` are the addresses asked for.
 */
export function serving(...answers) {
  const requests = [];
  const fetch = async (address, init) => {
    requests.push(String(address));
    let answer = answers.shift();
    if (typeof answer === "function") answer = await answer(String(address), init);
    if (answer === undefined) return new Response(null, { status: 204 });
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { fetch, requests };
}

/** Takes the lot out of back-offs, so that a test waits no longer than the protocol makes it. */
export function withoutJitter(t) {
  t.mock.method(Math, "random", () => 0);
}

/** Time that only moves when the test says so, on both clocks. */
export function withTime(t, now = 1_000_000) {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now });
  t.mock.method(performance, "now", () => Date.now());
  return t.mock.timers;
}

/** Lets everything that waits only for other promises go on. */
export async function turns() {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
}

export async function collect(stream) {
  const items = [];
  for await (const item of stream) items.push(item);
  return items;
}

/** A promise with its handles outside. */
export function gate() {
  let open;
  const passed = new Promise((resolve) => (open = resolve));
  return { open, passed };
}
