// A log with questions to humans, and a server of it as the protocol has it: live streams that can be cut, and answers of
// which the first one counts.
import { frame, Log } from "./log.mjs";

export const START = Date.parse("2026-01-01T00:00:00Z");
const time = (second) => new Date(START + second * 1000).toISOString();

/** A log whose records can be questions. Times are in seconds since START. */
export class Parks extends Log {
  constructor({ session = "s1", generation = 7 } = {}) {
    super({ session, count: 0, generation });
  }

  #record(type, second, members) {
    const { session: sessionId, generation } = this;
    const event = { type, sessionId, turnId: "t1", seq: this.last + 1, ...(generation !== undefined && { generation }), ts: time(second), ...members };
    this.events.push(event);
    return event;
  }

  ask(decisionId, second = 1, deadline) {
    const request = { type: "plan_approval", text: `of ${decisionId}` };
    return this.#record("decision_requested", second, { decisionId, checkpointId: `c${decisionId}`, request, ...(deadline !== undefined && { deadlineAt: time(deadline) }) });
  }

  settle(decisionId, decision = { action: "approve_plan" }, second = 2, resolvedBy = { kind: "user" }) {
    return this.#record("decision_resolved", second, { decisionId, decision, resolvedBy });
  }

  expire(decisionId, second = 11) {
    return this.#record("decision_expired", second, { decisionId });
  }
}

/** A server of such logs. Streams stay open, and get what is recorded. */
export class Server {
  #open = new Set();
  requests = [];
  posts = [];
  /** What the next requests meet in the place of an answer, by method. */
  next = { GET: [], POST: [] };

  constructor(...logs) {
    this.logs = new Map(logs.map((log) => [log.session, log]));
  }

  /** One or more tabs: each is a fetch of its own. */
  get fetch() {
    return async (address, init = {}) => {
      const { method = "GET" } = init;
      const meets = this.next[method].shift();
      const before = await meets?.(address, init);
      if (before instanceof Error) throw before;
      if (before) return before;
      return method === "GET" ? this.#stream(new URL(address), init.signal) : this.#answer(new URL(address), init);
    };
  }

  /** Records something, and sends it to whoever is there. */
  record(log, event) {
    this.#send(log.recorded(event));
    return event;
  }

  cut() {
    for (const controller of this.#open) controller.error(new Error("cut"));
    this.#open.clear();
  }

  end() {
    for (const log of this.logs.values()) this.#send(log.end());
    for (const controller of this.#open) controller.close();
    this.#open.clear();
  }

  #send(text) {
    for (const controller of this.#open) controller.enqueue(new TextEncoder().encode(text));
  }

  #stream(url, signal) {
    this.requests.push(url.href);
    const cursors = new Map(url.searchParams.getAll("cursor").map((token) => [token.slice(0, token.lastIndexOf(":")), Number(/:(\d+)(@.*)?$/.exec(token)[1])]));
    const text = [...this.logs.values()].map((log) => {
      const from = cursors.get(log.session) ?? (url.searchParams.get("from") === "now" ? log.last : 0);
      return [log.head(), ...log.events.slice(from).map((event) => log.recorded(event)), log.live()].join("");
    });
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode(text.join("")));
        this.#open.add(controller);
        signal?.addEventListener("abort", () => this.#open.delete(controller) && controller.error(signal.reason));
      },
      cancel: () => {},
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  #answer(url, { body, headers }) {
    const [, session, id] = /\/sessions\/([^/]+)\/decisions\/([^/]+)$/.exec(url.pathname).map(decodeURIComponent);
    const { decision, seq, generation } = JSON.parse(body);
    this.posts.push({ url: url.href, seq, generation, decision, headers: new Headers(headers) });
    const log = this.logs.get(session);
    const asked = log?.events.findLast((event) => event.type === "decision_requested" && event.decisionId === id);
    if (!asked) return problem(404, "durable.unknown_decision");
    if (asked.seq !== seq || String(log.generation) !== generation) return problem(409, "durable.stale_decision");
    const first = log.events.find((event) => event.decisionId === id && event.seq > asked.seq && event !== asked);
    if (first?.type === "decision_expired") return problem(410, "durable.decision_expired", settled({ ...first, decision: { action: "pause" } }));
    if (first) return problem(409, "durable.decision_answered", settled(first));
    const record = this.record(log, log.settle(id, decision, 3));
    return Response.json({ sessionId: session, decisionId: id, seq: record.seq, decision, resolvedBy: record.resolvedBy });
  }
}

const settled = ({ decision, resolvedBy, seq, ts }) => ({ first: { decision, ...(resolvedBy && { resolvedBy }), seq, resolvedAt: Date.parse(ts) } });

export function problem(status, rule, more) {
  return new Response(JSON.stringify({ type: "x", title: "said so", status, code: "storage_error", rule, hint: "", ...more }), { status, headers: { "content-type": "application/problem+json" } });
}

export { frame };
