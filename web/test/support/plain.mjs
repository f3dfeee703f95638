// Servers that know nothing of this protocol, as fetch functions: streams whose promise a profile has to say.

import { body } from "./fetch.mjs";

const frame = (data, id, name) => [name && `event: ${name}`, id !== undefined && `id: ${id}`, `data: ${JSON.stringify(data)}`].filter(Boolean).join("\n") + "\n\n";

/** A body of bytes that breaks off behind `length` of them, unless that is all. */
export function broken(bytes, length) {
  const rest = length < bytes.length ? [new Error("cut")] : [];
  return body(bytes.slice(0, length), ...rest);
}

export const sse = (body) => new Response(body, { headers: { "content-type": "text/event-stream" } });

/**
 * A stream of five events with the position in the SSE id, as any server writes it for a browser: it goes on behind
 * Last-Event-ID. `cut` gives for each connection the length after which it breaks.
 */
export class ByIDs {
  asked = [];
  #cut;
  #skip;

  constructor({ cut = () => Infinity, skip } = {}) {
    this.#cut = cut;
    this.#skip = skip;
  }

  text(after) {
    const all = [1, 2, 3, 4, 5].map((n) => frame({ kind: n === 5 ? "done" : "step", n: `n${n}` }, n));
    return ": hello\n\n" + all.filter((_, i) => i >= after && i + 1 !== this.#skip).join(": \n\n");
  }

  fetch = async (request) => {
    const after = Number(new Request(request).headers.get("last-event-id") ?? 0);
    this.asked.push(after);
    const bytes = new TextEncoder().encode(this.text(after));
    return sse(broken(bytes, this.#cut(this.asked.length, bytes)));
  };
}

const ID = "resp_1";
const DELTAS = ["A ", "tide ", "mark ", "shows ", "🌊", "."];

/**
 * A response that is made in the background, in the manner of OpenAI's Responses: a POST begins it and streams it, and a
 * GET goes on behind a number. Numbers are from 0; each sending of a delta has an `obfuscation` of its own; what has no
 * number may stand anywhere; what is older than the window is refused with a 400.
 */
export class Background {
  asked = [];
  made = new Map();
  #cut;
  #window;

  constructor({ cut = () => Infinity, window = () => 0 } = {}) {
    this.#cut = cut;
    this.#window = window;
  }

  /** What was recorded, without what is random. */
  static recorded() {
    const item = { item_id: "msg_1", output_index: 0, content_index: 0 };
    const text = DELTAS.join("");
    const events = [
      { type: "response.created", response: { id: ID, status: "queued", output: [] } },
      { type: "response.in_progress", response: { id: ID, status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item: { id: "msg_1", type: "message" } },
      { type: "response.content_part.added", ...item, part: { type: "output_text", text: "" } },
      ...DELTAS.map((delta) => ({ type: "response.output_text.delta", ...item, delta })),
      { type: "response.output_text.done", ...item, text },
      { type: "response.output_item.done", output_index: 0, item: { id: "msg_1", type: "message" } },
      { type: "response.completed", response: { id: ID, status: "completed", output: [{ id: "msg_1", text }] } },
    ];
    return events.map((event, sequence_number) => ({ ...event, sequence_number }));
  }

  /** The frames behind a number, as they are sent this time. */
  frames(after) {
    return Background.recorded().slice(after + 1).flatMap((event) => {
      const sent = event.delta === undefined ? event : { ...event, obfuscation: Math.random().toString(36).slice(2) };
      const heartbeat = event.sequence_number % 4 === 2 ? [frame({ type: "response.heartbeat", at: Math.random() }, undefined, "response.heartbeat")] : [];
      return [frame(sent, undefined, event.type), ...heartbeat];
    });
  }

  fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, searchParams } = new URL(request.url);
    const after = searchParams.get("starting_after");
    this.asked.push(`${request.method} ${pathname}${after === null ? "" : ` ${after}`}`);
    if (request.method === "POST") this.made.set(request.headers.get("idempotency-key"), ID);
    else if (pathname !== `/v1/responses/${ID}`) return refusal(404, "not_found");
    if (after !== null && Number(after) + 1 < this.#window(this.asked.length)) return refusal(400, "starting_after_expired");
    const bytes = new TextEncoder().encode(this.frames(after === null ? -1 : Number(after)).join(""));
    return sse(broken(bytes, this.#cut(this.asked.length, bytes)));
  };
}

/** An error as such interfaces write it. */
function refusal(status, code) {
  return Response.json({ error: { message: "The stream cannot be resumed.", type: "invalid_request_error", param: "starting_after", code } }, { status });
}
