// Two ways to the same core: the module's calls, and the functions that users import.
import * as op from "../../dist/gen/ops.gen.js";
import { bare, exact, native } from "./files.mjs";

const dist = new URL("../../dist/", import.meta.url);
const load = (name) => import(new URL(name, dist));
const EVENT_VERDICTS = new Set(["accept", "pass", "duplicate", "gap", "generation_changed", "invalid"]);
const DELIVERED = new Set(["accept", "pass"]);

/** Decisions and items tell the same story; a restart belongs before the next delivery. */
function merge(decisions, items) {
  const rest = items.filter(({ kind }) => kind === "event" || kind === "draft" || kind === "restart");
  const verdicts = [];
  for (const { verdict } of decisions) {
    if (!EVENT_VERDICTS.has(verdict)) continue;
    if (DELIVERED.has(verdict)) {
      while (rest[0]?.kind === "restart") verdicts.push("RESET"), rest.shift();
      rest.shift();
    }
    verdicts.push(verdict);
  }
  return verdicts;
}

/** What was decided of a session; the rest is of the connection, or of frames that were meant for nobody. */
const ofSessions = (decisions) => decisions.filter(({ session }) => session !== "");

/** Runs with a back-off that draws no lot: what waits, waits no longer than it has to. */
function atOnce(run) {
  return async (input) => {
    const { random } = Math;
    Math.random = () => 0;
    try {
      return await run(input);
    } finally {
      Math.random = random;
      delete performance.now;
    }
  };
}

/** Longer than any wait a case can ask for, and long enough open to count as progress. */
const connectionSpan = 60_000;

function decodeWith(decoder, chunks, { end }) {
  const messages = chunks.flatMap((chunk) => decoder.feed(chunk));
  const result = { messages, end: end ? decoder.end() : undefined };
  decoder.close();
  return result;
}

/** The built modules: calls.wasm through its one call, tidemark.wasm through a link. */
export async function wasmBackend() {
  const { calls } = await load("ask.js");
  const { links } = await load("links.js");
  const { Link } = await load("link.js");
  const INPUT = await load("gen/inputs.gen.js");
  const [questions, streams] = await Promise.all([calls.ready(), links.ready()]);
  const call = (operation, argument, handle = 0) => questions.call(operation, handle, argument);

  const track = (options) => {
    const { handle } = call(op.trackerOpen, bare(options));
    return {
      observe: (event) => call(op.trackerObserve, typeof event === "string" ? event : bare(event), handle).verdict,
      state: () => call(op.trackerState, "", handle),
      close: () => call(op.trackerClose, "", handle),
    };
  };
  const decode = (chunks, options) => {
    const { handle } = call(op.decoderOpen, "{}");
    const decoder = {
      feed: (chunk) => call(op.decoderFeed, chunk, handle),
      end: () => call(op.decoderEnd, "", handle),
      close: () => call(op.decoderClose, "", handle),
    };
    return decodeWith(decoder, chunks, options);
  };
  const pipeline = atOnce(async ({ cursor, profile, proof, connections }) => {
    const link = new Link(streams, JSON.stringify({ profile, proof, cursors: cursor === undefined ? [] : [cursor], decisions: true }));
    const seen = { decisions: [], items: [] };
    let asked = false;
    let clock = performance.now();
    performance.now = () => clock;
    const note = ({ decisions, items, orders }) => {
      seen.decisions.push(...decisions);
      seen.items.push(...items);
      asked = orders.some(({ kind }) => kind === "connect");
      return orders.some(({ kind }) => kind === "close" || kind === "connect" || kind === "fail");
    };
    note(link.input(INPUT.start));
    for (const chunks of connections) {
      if (!asked) note(link.input(INPUT.tick, {}));
      const cut = note(link.input(INPUT.opened, { status: 200, contentType: "text/event-stream" })) ||
        chunks.some((chunk) => note(link.feed(chunk)));
      clock += connectionSpan;
      if (!cut) note(link.input(INPUT.closed, {}));
      clock += connectionSpan;
    }
    link.close();
    const decisions = ofSessions(seen.decisions);
    return { verdicts: merge(decisions, seen.items), cursor: decisions.at(-1)?.cursor ?? cursor };
  });
  return {
    name: "wasm",
    resolve: (question) => call(op.resolve, bare(question)),
    explain: (thrown) => call(op.explain, bare(thrown)),
    normalize: (thrown) => call(op.normalize, bare(thrown)),
    facts: (thrown) => call(op.facts, bare(thrown)),
    describe: (type) => call(op.describe, type),
    parse: (token, profile) => call(op.parseCursor, bare({ token, profile })),
    track, decode, pipeline, ...(await wasmDurable()), relay: await wasmRelay(),
  };
}

/** Every byte counts, a byte order mark too. */
const exactly = (parts) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.concat(parts));

/** relay.wasm through its exports. */
async function wasmRelay() {
  const { init } = await load("edge/core.js");
  const { Passage, Unopened } = await load("edge/passage.js");
  await init();
  return async ({ from, ...options }, chunks) => {
    let passage;
    try {
      passage = new Passage({ ...options, ...(from && { from: [from] }) });
    } catch (unopened) {
      if (!(unopened instanceof Unopened)) throw unopened;
      const { status, problem } = unopened.reply;
      return { status, code: problem.code };
    }
    const out = [];
    let ends = "server";
    for (const chunk of chunks) {
      if (ends === "server") ends = take(passage.feed(chunk)) ? "relay" : "server";
    }
    if (ends === "server") take(passage.closed(false));
    passage.close();
    return { status: 200, ends, out: exactly(out) };

    function take(taken) {
      out.push(...taken.out.map((bytes) => bytes.slice()));
      return taken.ends;
    }
  };
}

/** full.wasm through its exports and its one question. */
async function wasmDurable() {
  const { full } = await load("inspector/module.js");
  const { ASK, TEXT } = await load("gen/seam.gen.js");
  const { plainFolder, plainOptions, plainRuns } = await load("inspector/plain.js");
  const module = await full.ready();
  const parks = async (log, { now, turnId }) => {
    const handle = module.open(JSON.stringify({ turnId }));
    module.write(handle, 0, new TextEncoder().encode(log));
    module.end(handle);
    const { pending, expired } = module.ask(ASK.report, { handle, now });
    const found = module.list(handle, TEXT.parks, now);
    module.close(handle);
    return { parks: found, pending, expired };
  };
  const opened = (source) => {
    if (typeof source === "function") return opened(source());
    if (Array.isArray(source)) return module.ask(ASK.openRuns, { argument: { runs: plainRuns(source) } });
    return module.ask(ASK.openFolder, { argument: { of: source.of, runs: plainFolder(source.runs) } });
  };
  async function* list(source, scope, options) {
    let page;
    do {
      const handle = opened(source);
      const answer = module.ask(ASK.page, { handle, argument: { scope, options: plainOptions({ ...options, page }) } });
      module.closeRuns(handle);
      yield answer;
      page = answer.page;
    } while (page !== undefined);
  }
  return { parks, list };
}

/** What users import. */
export async function apiBackend() {
  const api = await load("index.js");
  await api.init();
  const { decoder } = await load("sse.js");
  const { inspect, listDurable } = await load("inspector/index.js");
  const value = thrownBy(api);
  return {
    name: "api",
    resolve: (question) => api.resolve(native(question)),
    explain: (thrown) => api.explain(value(thrown)),
    normalize: (thrown) => api.normalize(value(thrown)),
    facts: (thrown) => api.facts(value(thrown)),
    describe: (type) => api.describe(type),
    parse: (token, profile) => api.parseCursor(token, { profile }),
    track: (options) => {
      const tracker = api.track(options);
      return {
        observe: (event) => tracker.observe(typeof event === "string" ? event : exact(event)).verdict,
        state: () => tracker.state,
        close: () => tracker.close(),
      };
    },
    decode: (chunks, options) => decodeWith(decoder(), chunks, options),
    pipeline: atOnce((input) => openPipeline(api.open, input)),
    parks: async (log, options) => {
      const { parks, pending, expired } = await inspect(log, options);
      return { parks, pending: pending?.decisionId, expired: expired.map(({ decisionId }) => decisionId) };
    },
    list: listDurable,
    relay: await apiRelay(),
  };
}

/** `validate()` over an answer that its server ends, unless it is cancelled before. */
async function apiRelay() {
  const { validate } = await load("edge/index.js");
  return async (options, chunks) => {
    const left = [...chunks];
    let ends = "server";
    const body = new ReadableStream({
      pull: (controller) => (left.length > 0 ? controller.enqueue(new Uint8Array(left.shift())) : controller.close()),
      cancel: () => void (ends = "relay"),
    }, { highWaterMark: 0 });
    const answer = await validate(new Response(body, { headers: { "content-type": "text/event-stream" } }), options);
    if (answer.status !== 200) return { status: answer.status, code: (await answer.json()).code };
    const out = exactly([Buffer.from(await answer.arrayBuffer())]);
    return { status: 200, ends, out };
  };
}

/**
 * `open()` over a fetch that serves one connection after the other, then 204. Each breaks off at its end: two that end
 * in peace with nothing new would end the stream.
 */
async function openPipeline(open, { cursor, profile, proof, connections }) {
  const left = connections.map((chunks) => [...chunks]);
  const serve = async () => {
    const chunks = left.shift();
    if (!chunks) return new Response(null, { status: 204 });
    const body = new ReadableStream({
      pull: (controller) => (chunks.length > 0 ? controller.enqueue(new Uint8Array(chunks.shift())) : controller.error(new Error("cut"))),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  const seen = [];
  const items = [];
  const options = { cursor, profile, proof, fetch: serve, onDecision: (decision) => seen.push(decision) };
  for await (const item of open("http://pipeline.invalid/", options)) items.push(item);
  const decisions = ofSessions(seen);
  return { verdicts: merge(decisions, items), cursor: decisions.at(-1)?.cursor ?? cursor };
}

const PRIMITIVES = { undefined: undefined, null: null, NaN: NaN, true: true, false: false };

/** The JavaScript value that a vector describes. */
function thrownBy({ CodedError, ProviderError, withHint }) {
  const primitive = (text) => {
    if (Object.hasOwn(PRIMITIVES, text)) return PRIMITIVES[text];
    if (!/^\d+$/.test(text)) return text;
    return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
  };
  const make = {
    coded: ({ code, message, details, retryable }) => new CodedError({ code, message, details, retryable }),
    provider: ({ hint, kind, ...members }) => new ProviderError(members),
    error: ({ message }) => new Error(message),
    value: ({ text, object }) => (object ? { toString: () => text } : primitive(text)),
  };
  return (thrown) => {
    const made = make[thrown.kind](thrown);
    return Object.hasOwn(thrown, "hint") ? withHint(made, thrown.hint) : made;
  };
}
