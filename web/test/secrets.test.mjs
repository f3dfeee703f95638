// What a stream says about itself is positions. Secrets stand in every place that is not one: each member of each payload,
// names of events, bodies of answers, headers and what goes wrong with them. None may come out again but in the payload itself.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "../dist/index.js";
import { serving, stream, withoutJitter } from "./support/fetch.mjs";
import { frame, Log } from "./support/log.mjs";

const MARK = "TOP5ECRET";
const ADDRESS = `http://tidemark.invalid/v1/sessions/s1/events?access_token=${MARK}`;

/** A payload whose every member but the positions is marked, name and value. */
const marked = (members = {}) => ({ ...members, text: MARK, content: [{ [MARK]: MARK }], usage: { [MARK]: 1 }, toolName: MARK, [`x${MARK}`]: MARK, turnId: MARK });
const event = (seq, members) => `data: ${JSON.stringify(marked({ type: `type${MARK}`, sessionId: "s1", ...(seq && { seq }), ...members }))}\n\n`;
const head = (lastSeq, members) => frame("tidemark.head", marked({ sessionId: "s1", lastSeq, oldestSeq: 1, ...members }));
const live = (lastSeq) => frame("tidemark.live", marked({ sessionId: "s1", lastSeq }));
const body = (status, headers) => () => new Response(`{"code":"${MARK}","message":"${MARK}"}${MARK}`, { status, headers });
const page = (type) => () => new Response(`<p>${MARK}</p>`, { headers: { "content-type": type } });
const again = (text) => [() => stream(text), () => stream(text), () => stream(text)];

/** What happens, and what has to be seen of it: the reason of a refusal, the id of a fault, a verdict, or the cause of an end. */
const STORIES = {
  "a whole stream": [again(head(2) + event(1) + event() + event(2) + live(2) + frame("tidemark.end", marked({ sessionId: "s1", reason: MARK }))), "server"],
  "a hole": [again(head(3) + event(1) + event(3)), "gap"],
  "a hole at the end": [again(head(5) + event(1) + live(5)), "gap"],
  "an event twice": [[() => stream(head(2) + event(1) + event(1) + event(2) + live(2))], "duplicate"],
  "a takeover": [again(head(3, { generation: 9 }) + event(1, { generation: 9 })), "generation_changed", { cursor: "s1:1@8" }],
  "a takeover in the middle": [again(head(3) + event(1, { generation: 1 }) + event(2, { generation: 2 }) + event(3, { generation: 1 })), "generation_changed"],
  "a log that lost its tail": [again(head(1)), "cursor_ahead", { cursor: "s1:4" }],
  "a log that was pruned": [again(head(9, { oldestSeq: 5 })), "gap", { cursor: "s1:1" }],
  "a refusal of the server": [again(head(1) + frame("tidemark.refused", marked({ sessionId: "s1", reason: "gap", detail: MARK, evidence: { [MARK]: MARK, expectedSeq: 2 } }))), "gap"],
  "an event that is no JSON": [again(head(2) + event(1) + `data: {"seq":2,"${MARK}":"${MARK}\n\n`), "gap"],
  "an event with a seq that is none": [again(head(2) + event(1) + `data: {"sessionId":"s1","seq":"${MARK}"}\n\n`), "gap"],
  "an id that contradicts": [again(head(2) + event(1) + `id: s1:7@${MARK}\n${event(2)}`), "gap"],
  "an id that is none": [[() => stream(head(1) + `id: ${MARK}\n${event(1)}` + live(1))], "accept"],
  "an event of nobody": [again(head(1) + event(1, { sessionId: "s2" })), "stream.unattributed", { sessions: ["s1", "s3"] }],
  "a head that is none": [again(frame("tidemark.head", marked({ sessionId: "s1", lastSeq: MARK }))), "stream.invalid_head"],
  "a control frame that is none": [again(head(1) + `event: tidemark.live\ndata: ${MARK}\n\n`), "stream.bad_control"],
  "a frame of another name": [[() => stream(`event: ${MARK}\ndata: ${MARK}\n\n` + head(1) + event(1) + live(1))], "accept"],
  "a frame too large": [again(head(1) + `data: ${MARK.repeat(1000)}`), "stream.frame_too_large", { maxFrame: 4096 }],
  "an event too deep": [again(head(1) + event(1, { deep: JSON.parse("[".repeat(20) + `"${MARK}"` + "]".repeat(20)) })), "gap", { maxDepth: 10 }],
  "a cut inside a frame": [[() => stream(head(1) + `data: {"text":"${MARK}`, new Error(MARK))], "broken"],
  "a network that fails": [[new TypeError(MARK)], "broken"],
  "a page in place of a stream": [[page("text/html")], "stream.content_type"],
  "an answer that it is gone": [[body(410)], "gap"],
  "an answer that it is wrong": [[body(400)], "stream.http_status"],
  "an answer to come later": [[body(503, { "retry-after": "0", [`x-${MARK}`]: MARK })], "broken"],
  "credentials that are refused": [[body(401)], "stream.unauthorized"],
  "credentials that are refused twice": [[body(401), body(403)], "stream.unauthorized", { headers: () => ({ authorization: MARK }) }],
  "headers that cannot be made": [[], "stream.unauthorized", { headers: () => Promise.reject(new Error(MARK)) }],
  "headers that cannot be sent": [[], "stream.invalid_options", { headers: () => ({ authorization: `${MARK}\n.` }) }],
  "a cursor that is none": [[], "stream.invalid_cursor", { cursor: "s1:x" }],
  "a state that does not connect": [again(head(1)), "cursor_ahead", { load: () => ({ state: MARK, cursor: "s1:4" }) }],
};

/** Everything that a stream says, but for payload and state. */
async function listen(address, options) {
  const said = [];
  const seen = new Set();
  const say = (value) => said.push(typeof value === "string" ? value : JSON.stringify(value));
  const onDecision = (decision) => (say(decision), seen.add(decision.verdict), seen.add(decision.reason));
  const opened = open(address, { headers: { authorization: MARK }, ...options, onDecision, onState: say, debug: say });
  try {
    for await (const item of opened) {
      if (item.kind === "end") seen.add(item.cause);
      if (item.kind === "refused") seen.add(item.refusal.reason);
      if (item.kind === "event" || item.kind === "draft") continue;
      say({ ...item, state: undefined });
    }
  } catch (error) {
    seen.add(error.id);
    say(error);
    say(`${error.stack}\n${error}`);
  }
  say(opened.stats());
  say(opened.state());
  return { said, seen };
}

for (const [name, [answers, expected, options]] of Object.entries(STORIES)) {
  test(`${name}: ${expected}, and no secret`, async (t) => {
    withoutJitter(t);
    const { fetch } = serving(...answers);
    const { said, seen } = await listen(ADDRESS, { ...options, fetch });
    assert.ok(seen.has(expected), `${[...seen].join(", ")}\n${said.join("\n")}`);
    assert.deepEqual(said.filter((text) => text.includes(MARK)), []);
  });
}

test("what is wrong with an option is said without its value", () => {
  const fetch = async () => new Response();
  const wrong = [
    { headers: MARK }, { headers: { a: `${MARK}\n.` } }, { headers: [[MARK]] }, { cursor: [MARK, 1] }, { from: MARK }, { profile: 7, headers: { a: MARK } },
    { initial: { state: MARK } }, { initial: MARK }, { session: `${MARK}\n` }, { debug: MARK }, { mode: MARK }, { signal: MARK }, { credentials: MARK },
  ];
  for (const options of wrong) {
    assert.throws(() => open(ADDRESS, { fetch, ...options }), (error) => !`${error.stack}${JSON.stringify(error)}${error.cause ?? ""}`.includes(MARK), JSON.stringify(options));
  }
  assert.throws(() => open(`http://${MARK}:x`, { fetch }), (error) => !`${error.stack}${JSON.stringify(error)}${error.cause ?? ""}`.includes(MARK));
});
