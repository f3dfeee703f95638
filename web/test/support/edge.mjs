// What tests of tidemark/edge need beside the package: the instance behind it, upstreams that can be watched, and text in pieces.
import { running } from "../../dist/edge/core.js";
import { Relays } from "../../dist/edge/relays.js";
import { stream } from "./fetch.mjs";

const encoder = new TextEncoder();

/** Text in pieces of so many bytes. */
export function* pieces(text, size) {
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** An upstream that gives chunks as it is told to, and says when it is left. */
export function fed() {
  let controller;
  let leave;
  const left = new Promise((resolve) => (leave = resolve));
  let open = true;
  const source = { start: (c) => (controller = c), cancel: (reason) => ((open = false), leave(reason)) };
  return {
    response: new Response(new ReadableStream(source), stream()),
    give: (chunk) => controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk),
    end: () => controller.close(),
    /** The rest, unless the relay has left. */
    more: (bytes) => open && (bytes.length > 0 && controller.enqueue(bytes), controller.close()),
    cut: (reason) => controller.error(reason),
    left,
  };
}

/** The module stops, as after a panic. */
export function crash() {
  try {
    running().crash();
  } catch {}
}

/** Counts the relays that the module holds. */
export function counting(t) {
  const open = new Set();
  const { open: opens, close: closes } = Relays.prototype;
  t.mock.method(Relays.prototype, "open", function (options) {
    const handle = opens.call(this, options);
    if (typeof handle === "number") open.add(handle);
    return handle;
  });
  t.mock.method(Relays.prototype, "close", function (handle) {
    open.delete(handle);
    return closes.call(this, handle);
  });
  return open;
}

/** All that a body still gives, as text. */
export async function rest(reader) {
  const decoder = new TextDecoder();
  let text = "";
  for (let next; !(next = await reader.read()).done; ) text += decoder.decode(next.value, { stream: true });
  return text;
}
