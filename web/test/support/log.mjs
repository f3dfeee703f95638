// A session log and the server side of the protocol, as far as tests need a server that they can make lie.

/** A log of `count` recorded events, with text deltas between them that are not recorded. */
export class Log {
  constructor({ session = "s1", count = 5, generation, text = "é" } = {}) {
    this.session = session;
    this.generation = generation;
    this.events = [];
    for (let i = 0; i < count; i++) this.append(text);
  }

  get last() {
    return this.events.length;
  }

  append(text = "") {
    const seq = this.events.length + 1;
    this.events.push({ type: "message_completed", sessionId: this.session, turnId: "t1", seq, ...this.#fence(), text });
  }

  #fence() {
    return this.generation === undefined ? {} : { generation: this.generation };
  }

  head() {
    const { session: sessionId, last: lastSeq } = this;
    return frame("tidemark.head", { sessionId, lastSeq, oldestSeq: 1, verdict: "replayed", from: 1, ...this.#fence() });
  }

  live() {
    return frame("tidemark.live", { sessionId: this.session, lastSeq: this.last });
  }

  end() {
    return frame("tidemark.end", { sessionId: this.session, reason: "finished" });
  }

  recorded(event) {
    const fence = event.generation === undefined ? "" : `@${event.generation}`;
    return `id: ${event.sessionId}:${event.seq}${fence}\ndata: ${JSON.stringify(event)}\n\n`;
  }

  delta(text) {
    return `data: ${JSON.stringify({ type: "text_delta", sessionId: this.session, turnId: "t1", text })}\n\n`;
  }

  /** Everything above a seq: head, events each with a delta before it, live, end. */
  answer(above = 0) {
    const events = this.events.slice(above).map((event) => this.delta("…") + this.recorded(event));
    return [this.head(), ...events, this.live(), this.end()].join("");
  }
}

/** The seq that a request asks to go on from. */
export function above(address) {
  const token = new URL(address, "http://x").searchParams.get("cursor") ?? ":0";
  return Number(/:(\d+)(@.*)?$/.exec(token)[1]);
}

export function frame(event, data) {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
