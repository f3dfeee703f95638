// What tidemark/inspector says of whole logs. The log here is made by hand, with its checkpoint.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { foldContext, grantKeys, init, inspect, listDurable, parseDecision, TidemarkError, verifyCheckpoint } from "../dist/inspector/index.js";
import { full } from "../dist/inspector/module.js";

const encoder = new TextEncoder();
const line = (seq, rest) => `{"v":1,"type":"${rest},"seq":${seq},"gen":1,"ts":"2026-01-01T00:00:0${seq}.000Z"}`;
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const chain = (lines) => lines.reduce((former, record) => sha256(former, record), Buffer.alloc(32)).toString("hex");

const prefix = [
  line(1, `session_started","sessionId":"s1"`),
  line(2, `message","messageId":"m1","content":{"role":"user","content":"grüß dich"}`),
  line(3, `decision_requested","turnId":"t1","decisionId":"c1","checkpointId":"c1","request":{"type":"tool_review"},"deadlineAt":"2026-01-01T00:01:00.000Z"`),
];
const document = JSON.stringify({
  v: 1, kind: "checkpoint", checkpointId: "c1", sessionId: "s1", turnId: "t1", iteration: 2, throughSeq: 3, throughSha256: chain(prefix),
  tokenUsage: {}, costInfo: {}, guards: { iteration: 2, elapsedMs: 0 }, review: { structuredAttempts: 0, answerAttempts: 0, nativeStructuredAttempts: 0 },
  latestUserMessageId: "m1", turnCreatedAt: "2026-01-01T00:00:01.000Z", createdAt: "2026-01-01T00:00:03.000Z",
});
const written = line(4, `checkpoint_written","turnId":"t1","checkpointId":"c1","sha256":"${sha256(document).toString("hex")}","throughSeq":3,"throughSha256":"${chain(prefix)}"`);
const lines = [...prefix, written];
const log = lines.join("\n") + "\n";
const bytes = encoder.encode(log);
const start = Date.parse("2026-01-01T00:00:00.000Z");

async function* pieces(size, text = bytes) {
  for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size);
}

test("a log says what it holds, whatever it comes as", async () => {
  const options = { digest: true, now: start };
  const whole = await inspect(log, options);
  assert.equal(whole.session, "s1");
  assert.equal(whole.generation, "1");
  assert.deepEqual(whole.digest, { seq: 4, sha256: chain(lines) });
  assert.deepEqual(whole.findings, []);
  assert.equal(whole.pending.decisionId, "c1");
  assert.deepEqual(whole.pending.request, { type: "tool_review" });
  assert.equal(whole.checkpoints.length, 1);
  assert.equal(whole.checkpoints[0].sha256, sha256(document).toString("hex"));
  const sources = {
    bytes, buffer: bytes.buffer, "pieces of a byte": pieces(1), "pieces of 100": pieces(100),
    stream: new Blob([bytes]).stream(), response: new Response(bytes), "CR LF": log.replaceAll("\n", "\r\n"), "no last end": log.trimEnd(),
  };
  for (const [name, source] of Object.entries(sources)) {
    const { state, bytes: length, ...rest } = await inspect(source, options);
    const { state: _, bytes: __, ...expected } = whole;
    assert.deepEqual(rest, expected, name);
  }
});

test("parks stand as they do at the time that is asked for", async () => {
  const { pending, expired, parks } = await inspect(log, { now: start + 60_000 });
  assert.equal(pending, undefined);
  assert.deepEqual(expired, parks);
  assert.equal(parks[0].state, "expired");
  const answered = log + line(5, `decision_resolved","decisionId":"c1","decision":{"action":"approve_tools","remember":["bash"]},"resolvedBy":{"kind":"user"}`);
  const { parks: [park], grants } = await inspect(answered, { now: start });
  assert.deepEqual([park.state, park.expired, park.decision.action, park.resolvedSeq], ["resolved", false, "approve_tools", 5]);
  assert.deepEqual(grants, { t1: ["bash"] });
});

test("damage is found with its line and byte, and ends nothing", async () => {
  const damaged = [lines[0], "{broken", lines[2], lines[2], line(1, `turn_started","sessionId":"s2"`)].join("\n");
  const { findings, findingsTotal, parks } = await inspect(damaged);
  assert.deepEqual(findings.map(({ rule, line, seq }) => [rule, line, seq]), [
    ["durable.bad_record", 2, undefined], ["stream.gap.hole", 3, 3], ["stream.gap.duplicate", 4, 3], ["stream.gap.foreign_session", 5, 1],
  ]);
  assert.equal(findingsTotal, 4);
  assert.equal(findings[0].offset, lines[0].length + 2);
  assert.match(findings[0].href, /^https:.*#durable-bad-record$/);
  assert.equal(parks.length, 1);
});

test("an inspection goes on where a former one stopped", async () => {
  const cut = encoder.encode(lines.slice(0, 2).join("\n") + "\n").length;
  const options = { digest: true, now: start };
  const first = await inspect(bytes.subarray(0, cut + 20), options);
  assert.equal(first.bytes, cut, "in front of the line that is cut");
  const { state, ...second } = await inspect(bytes.subarray(first.bytes), { ...options, state: first.state });
  const { state: _, ...whole } = await inspect(bytes, options);
  assert.deepEqual(second, whole);
  await assert.rejects(inspect(bytes, { ...options, digest: false, state: first.state }), { id: "stream.bad_input" });
  await assert.rejects(inspect(bytes, { state: "{" }), { id: "durable.bad_record" });
});

test("a checkpoint that holds", async () => {
  const proven = { checkpointId: "c1", sessionId: "s1", turnId: "t1", iteration: 2, throughSeq: 3, throughSha256: chain(prefix), createdAt: start + 3000, turnCreatedAt: start + 1000, latestUserMessageId: "m1" };
  for (const options of [{}, { checkpointId: "c1" }]) assert.deepEqual(await verifyCheckpoint(document, log, options), { ok: true, checkpoint: proven });
  assert.deepEqual(await verifyCheckpoint(document, prefix.join("\n"), { written }), { ok: true, checkpoint: proven });
});

test("what does not hold is a result that names the rule", async () => {
  const rule = async (...args) => (await verifyCheckpoint(...args)).refused.rule;
  assert.equal(await rule(document + " ", log), "durable.document_altered");
  assert.equal(await rule("{}", log), "durable.bad_document");
  assert.equal(await rule(document, log.replace("dich", "doch")), "durable.prefix_altered");
  assert.equal(await rule(document, log.replace('"throughSeq":3', '"throughSeq":2')), "durable.receipt_altered");
  assert.equal(await rule(document, prefix.join("\n")), "durable.unknown_checkpoint");
  assert.equal(await rule(document, log + line(5, `checkpoint_pruned","turnId":"t1","checkpointIds":["c1"]`)), "durable.unknown_checkpoint");
  const { refused } = await verifyCheckpoint(document + " ", log);
  assert.deepEqual(Object.keys(refused).sort(), ["code", "expected", "found", "hint", "href", "message", "retryable", "rule"]);
  assert.equal(refused.code, "storage_error");
  assert.equal(refused.retryable, false);
});

/** Changes of one byte. That to CR is one, since a CR before the end of a line belongs to that end. */
const changed = function* (text, at) {
  for (const value of new Set([text[at] ^ 0x01, text[at] ^ 0x20, text[at] ^ 0x80, 0x0d, 0x0a])) {
    if (value === text[at]) continue;
    const copy = text.slice();
    copy[at] = value;
    yield copy;
  }
};

test("no byte of a document can change", async () => {
  const text = encoder.encode(document);
  for (let at = 0; at < text.length; at++) {
    for (const altered of changed(text, at)) {
      const { ok, refused } = await verifyCheckpoint(altered, bytes, { checkpointId: "c1" });
      assert.equal(ok, false, new TextDecoder().decode(altered));
      assert.equal(refused.rule, "durable.document_altered");
      assert.equal((await verifyCheckpoint(altered, bytes)).ok, false, "also when nobody says which it should be");
    }
  }
});

test("no byte of the covered part of a log can change, line ends included", async () => {
  const covered = encoder.encode(prefix.join("\n")).length;
  for (let at = 0; at < covered; at++) {
    for (const altered of changed(bytes, at)) {
      const { ok, refused } = await verifyCheckpoint(document, altered, { checkpointId: "c1" });
      assert.equal(ok, false, `byte ${at}: ${altered[at]}`);
      assert.equal(refused.rule, "durable.prefix_altered", `byte ${at}: ${altered[at]}`);
    }
  }
});

// The record says when it was written, which nothing else says too: another time is another true record. Behind
// the last record of a log there is none whose generation could contradict its own.
test("no byte of the record that commits can change, but for the digits of its time and a newer generation", async () => {
  const from = encoder.encode(prefix.join("\n") + "\n").length;
  const record = encoder.encode(written);
  for (let at = 0; at < record.length; at++) {
    for (const altered of changed(record, at)) {
      const whole = new Uint8Array([...bytes.subarray(0, from), ...altered, 0x0a]);
      const { ok, refused } = await verifyCheckpoint(document, whole, { checkpointId: "c1" });
      const text = new TextDecoder().decode(altered);
      if (ok) assert.ok(text.replace(/"ts":"\d{4}-\d\d-\d\dT[\d:.]+Z"/, "") === written.replace(/"ts":"[^"]*"/, "") || /"gen":[2-9],/.test(text) || text.trimEnd() === written, text);
      else assert.equal(refused.rule, "durable.receipt_altered", text);
    }
  }
});

test("a context is folded up to a seq, with bodies that lie apart", async () => {
  assert.deepEqual(await foldContext(log, 2, { watch: "m1" }), {
    ok: true, messages: [{ id: "m1", summary: false, content: { role: "user", content: "grüß dich" } }], intent: { role: "user", content: "grüß dich" },
  });
  const spilled = [lines[0], line(2, `message","messageId":"m1","spill":{ "path" : 1.0 }`), line(3, `message","messageId":"m2","spill":{ "path" : 1.0 }`)].join("\n");
  const asked = [];
  const spill = async (reference) => (asked.push(reference), '{"n":1}');
  const { ok, messages } = await foldContext(spilled, 3, { spill });
  assert.ok(ok);
  assert.deepEqual(messages.map(({ content }) => content), [{ n: 1 }, { n: 1 }]);
  assert.deepEqual(asked, [{ path: 1 }], "each once");
  const rule = async (...args) => (await foldContext(...args)).refused.rule;
  assert.equal(await rule(spilled, 3), "durable.spill_missing");
  assert.equal(await rule(spilled, 3, { spill: () => Promise.reject(new Error("gone")) }), "durable.spill_missing");
  assert.equal(await rule(spilled, 3, { spill: () => "no JSON" }), "durable.spill_missing");
  await assert.rejects(foldContext(spilled, 3, { spill: () => 7 }), { id: "stream.invalid_options" });
  const { refused } = await foldContext(log, 9);
  assert.deepEqual([refused.rule, refused.expected, refused.found], ["durable.log_too_short", "seq 9", "the log's end at 4"]);
  assert.equal(await rule([lines[0], lines[2]].join("\n"), 3), "stream.gap.hole");
  assert.equal(await rule(log, 2, { watch: "m9" }), "durable.intent_missing");
  const { context } = await inspect(log, { contextThrough: 2 });
  assert.equal(context.messages.length, 1);
});

test("decisions and the keys of grants", async () => {
  assert.deepEqual(await parseDecision({ action: "modify_tools", modifications: [{ a: 1 }] }), {
    ok: true, decision: { action: "modify_tools", known: true, approves: true, modifications: [{ a: 1 }] },
  });
  const { decision } = await parseDecision('{"action":"dance","approves":true}');
  assert.deepEqual([decision.known, decision.approves], [false, false]);
  for (const answer of ["{}", {}, 7, null, "", '{"action":"pause","action":"abort"}', { action: "reject_plan" }]) {
    assert.equal((await parseDecision(answer)).refused?.rule, "durable.bad_decision", JSON.stringify(answer));
  }
  assert.deepEqual(await grantKeys("bash", { b: 1, a: [2] }), ["bash", 'bash:{"a":[2],"b":1}']);
  await assert.rejects(grantKeys("", {}), { id: "stream.bad_input" });
  await assert.rejects(grantKeys("bash", undefined && 0 || NaN), { id: "stream.bad_input" });
});

const run = (runId, more = {}) => ({ tenantId: "t", projectId: "p", sessionId: "s", runId, checkpoints: [{ id: "c", createdAt: 1 }], ...more });
const walk = async (...args) => {
  const pages = [];
  for await (const { entries } of listDurable(...args)) pages.push(entries.map(({ runId }) => runId));
  return pages;
};

test("runs come page by page", async () => {
  assert.deepEqual(await walk([run("b"), run("a"), run("c")], { tenantId: "t" }, { limit: 2 }), [["a", "b"], ["c"]]);
  assert.deepEqual(await walk([run("a"), run("b", { tenantId: "other" })], { tenantId: "t" }), [["a"]]);
  assert.deepEqual(await walk([run("a")], { tenantId: "t" }, { park: [] }), [[]]);
  assert.deepEqual(await walk({ of: { tenantId: "t", projectId: "p", sessionId: "s" }, runs: [run("a")] }, { tenantId: "t" }), [["a"]]);
  const first = (await listDurable([run("a"), run("b")], { tenantId: "t" }, { limit: 1 }).next()).value;
  assert.deepEqual(await walk([run("a"), run("b")], { tenantId: "t" }, { page: first.page }), [["b"]]);
  const refusals = [
    [[[], { tenantId: "t", sessionId: "s" }], "durable.scope_hole"],
    [[{ runs: [] }, { tenantId: "t" }], "durable.no_attribution"],
    [[[run("a"), run("b")], { tenantId: "other" }, { page: first.page }], "durable.bad_page_token"],
    [[[run("a", { tenantId: undefined })], { tenantId: "t" }], "durable.scope_hole"],
    [[[run(5)], { tenantId: "t" }], "stream.bad_input"],
    [[[run("a", { checkpoints: [{ id: "c", createdAt: 1.5 }] })], { tenantId: "t" }], "stream.bad_input"],
    [[[run("a", { checkpoints: [{ id: "c" }] })], { tenantId: "t" }], "stream.bad_input"],
    [[[], { tenantId: 5 }], "stream.bad_input"],
    [[[], { tenantId: "t" }, { park: ["open"] }], "stream.bad_input"],
    [[[], { tenantId: "t" }, { now: 2 ** 53 }], "stream.bad_input"],
    [[[Object.defineProperty({}, "runId", { get: () => { throw new Error("trap"); } })], { tenantId: "t" }], "stream.bad_input"],
    [[{}, { tenantId: "t" }], "stream.invalid_options"],
    [[[], null], "stream.bad_input"],
  ];
  for (const [args, id] of refusals) await assert.rejects(walk(...args), { id }, JSON.stringify(args.slice(0, 3)));
});

test("the same id in two tenants is two runs", async () => {
  const runs = [run("a"), run("a", { tenantId: "other", checkpoints: [{ id: "d", createdAt: 2 }, { id: "e", createdAt: 3 }] })];
  for (const [tenantId, count, latest] of [["t", 1, "c"], ["other", 2, "e"]]) {
    const { value } = await listDurable(runs, { tenantId }).next();
    assert.deepEqual(value.entries.map((row) => [row.tenantId, row.runId, row.checkpointCount, row.latestCheckpointId]), [[tenantId, "a", count, latest]]);
  }
});

test("runs of a server", async () => {
  const seen = [];
  const answers = [{ entries: [{ runId: "a" }], page: "next" }, { entries: [{ runId: "b" }] }];
  const serve = async (address) => (seen.push(new URL(address).search), Response.json(answers.shift()));
  const source = { url: "https://a.invalid/v1/runs", fetch: serve };
  assert.deepEqual(await walk(source, { tenantId: "t", projectId: "p" }, { limit: 1, park: ["expired", "resolved"] }), [["a"], ["b"]]);
  assert.deepEqual(seen, ["?tenant=t&project=p&park=expired%2Cresolved&limit=1", "?tenant=t&project=p&park=expired%2Cresolved&limit=1&page=next"]);
  const refuse = (body, status) => ({ url: "https://a.invalid/v1/runs", fetch: async () => new Response(body, { status }) });
  const problem = JSON.stringify({ type: "https://x", title: "No.", status: 501, code: "capability_unavailable", rule: "durable.cannot_list", hint: "h" });
  await assert.rejects(walk(refuse(problem, 501), { tenantId: "t" }), { id: "durable.cannot_list", code: "capability_unavailable", hint: "h", retryable: false });
  const told = JSON.stringify({ title: "No.", status: 503, code: "durable.cannot_list", rule: "durable.cannot_list", class: "capability_unavailable", retryable: false });
  await assert.rejects(walk(refuse(told, 503), { tenantId: "t" }), { name: "TidemarkError", code: "capability_unavailable", retryable: false });
  await assert.rejects(walk(refuse("<html>", 404), { tenantId: "t" }), { id: "stream.http_status" });
  await assert.rejects(walk(refuse("<html>", 200), { tenantId: "t" }), { id: "stream.source_failed" });
  await assert.rejects(walk(refuse("[]", 200), { tenantId: "t" }), { id: "stream.bad_input" });
  for (const tokens of [["a", "a"], ["a", "b", "a"]]) {
    const rounds = { url: "https://a.invalid/v1/runs", fetch: async () => Response.json({ entries: [], page: tokens.shift() ?? assert.fail("walked on") }) };
    await assert.rejects(walk(rounds, { tenantId: "t" }), { id: "stream.bad_input", expected: /^page: / });
  }
  const network = new TypeError("no network");
  await assert.rejects(walk({ ...source, fetch: () => Promise.reject(network) }, { tenantId: "t" }), { id: "stream.source_failed", cause: network });
  await assert.rejects(walk({ ...source, fetch: async () => ({}) }, { tenantId: "t" }), { id: "stream.invalid_options", expected: /^fetch: / });
  await assert.rejects(walk({ url: "/v1/runs" }, { tenantId: "t" }), { id: "stream.invalid_options", expected: /^url: / });
  const late = new AbortController();
  const left = new Error("left");
  const abort = async () => (late.abort(left), Promise.reject(new TypeError("cut off")));
  await assert.rejects(walk({ ...source, fetch: abort }, { tenantId: "t" }, { signal: late.signal }), left);
});

test("misuse throws", async () => {
  for (const source of [undefined, null, 7, {}, [1]]) await assert.rejects(inspect(source), { id: "stream.invalid_options" }, String(source));
  await assert.rejects(inspect(pieces(10), null), { id: "stream.bad_input" });
  await assert.rejects(inspect((async function* () { yield "text"; })()), { id: "stream.invalid_options" });
  await assert.rejects(inspect(log, { contextThrough: 0 }), { id: "stream.invalid_options" });
  await assert.rejects(inspect(log, { now: Infinity }), { id: "stream.bad_input", expected: /^now: / });
  await assert.rejects(inspect(new Response("gone", { status: 404 })), { id: "stream.bad_input" });
  await assert.rejects(verifyCheckpoint(7, log), { id: "stream.invalid_options" });
  await assert.rejects(foldContext(log, 1.5), { id: "stream.invalid_options" });
  const failing = (async function* () { yield bytes; throw new Error("network"); })();
  await assert.rejects(inspect(failing), (error) => error instanceof TidemarkError && error.id === "stream.source_failed" && error.cause.message === "network");
});

test("progress and an end before the end", async () => {
  const told = [];
  const turns = new Promise((resolve) => setTimeout(resolve));
  await inspect(pieces(100), { onProgress: (bytes) => told.push(bytes) });
  await turns;
  assert.equal(told.at(-1), bytes.length);
  const reason = new Error("enough");
  await assert.rejects(inspect(log, { signal: AbortSignal.abort(reason) }), reason);
  const controller = new AbortController();
  let left = false;
  const endless = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}), return: async () => ((left = true), { done: true, value: undefined }) }) };
  const reading = inspect(endless, { signal: controller.signal });
  setTimeout(() => controller.abort(reason));
  await assert.rejects(reading, reason);
  assert.ok(left, "the source was let go of");
});

test("a module that dies takes one call with it, and no more", async (t) => {
  t.mock.method(console, "error", () => {});
  await init();
  const module = await full.ready();
  const dying = (async function* () {
    yield bytes.subarray(0, 50);
    assert.throws(() => module.crash(), { id: "stream.module_exited" });
    yield bytes.subarray(50);
  })();
  await assert.rejects(inspect(dying), { id: "stream.module_exited" });
  assert.equal((await inspect(log)).records, 4);
  assert.notEqual(await full.ready(), module);
});

test("nothing stays behind in the module, and answers do not mix", async () => {
  const module = await full.ready();
  const both = await Promise.all([inspect(pieces(7), { digest: true }), inspect(pieces(11, encoder.encode(prefix.join("\n"))), { digest: true })]);
  assert.deepEqual(both.map(({ digest }) => digest.sha256), [chain(lines), chain(prefix)]);
  for (let i = 0; i < 300; i++) await inspect(log);
  assert.equal(await full.ready(), module);
  assert.throws(() => module.write(1, 0, bytes), { id: "stream.bad_handle" });
});
