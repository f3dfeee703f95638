// The inbox as the module that ships has it, through its exports alone (docs/seam.md).
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { PARK_TYPES } from "../dist/gen/parks.gen.js";
import { Instance, start } from "../dist/instance.js";

const module = await WebAssembly.compile(await readFile(new URL("../dist/tidemark.wasm", import.meta.url)));
const [begin, event, live, lost, forget, rows, save] = [1, 2, 3, 4, 5, 6, 7];
const NOW = Date.parse("2026-01-01T00:00:05Z");

class Box extends Instance {
  open(options) {
    const n = this.put(JSON.stringify(options));
    this.handle = this.run((e) => e.inbox_open(n));
    return this.handle || JSON.parse(this.output());
  }

  ask(kind, argument, now = NOW) {
    const n = this.put(JSON.stringify(argument));
    const length = this.run((e) => e.inbox_input(this.handle, kind, n, now));
    return length > 0 ? JSON.parse(this.output(length)) : undefined;
  }
}

async function opened(options = {}) {
  const box = await start(module, Box);
  assert.ok(box.open(options) > 0);
  return box;
}

const request = { type: "plan_approval", text: "é \u2028 \0", n: [1, { a: null }] };
const asked = (seq, more) => ({ session: "s", seq, generation: "7", event: { type: PARK_TYPES[0], ts: "2026-01-01T00:00:01Z", decisionId: "d", turnId: "t", checkpointId: "c", request, ...more } });
const answered = (seq) => ({ session: "s", seq, generation: "7", event: { type: PARK_TYPES[1], ts: "2026-01-01T00:00:02Z", decisionId: "d", decision: { action: "continue" }, resolvedBy: { kind: "user" } } });

test("a question waits only while its stream says so", async () => {
  const box = await opened();
  const states = () => box.ask(rows, {}).rows.map((row) => row.was ?? row.state);
  const known = () => box.ask(rows, {}).sessions.map(({ known, why }) => why ?? known);
  assert.equal(box.ask(begin, { session: "s", from: "beginning" }), undefined);
  assert.equal(box.ask(event, asked(5, { deadlineAt: "2026-01-01T00:00:10Z" })), undefined);
  assert.deepEqual([states(), known()], [["pending"], ["catching_up"]]);
  box.ask(live, { session: "s", strength: "exact" });
  assert.deepEqual(box.ask(rows, {}), {
    rows: [{ session: "s", decisionId: "d", turnId: "t", checkpointId: "c", seq: 5, generation: "7", state: "pending", request, requestType: "plan_approval", parkedAt: NOW - 4000, deadlineAt: NOW + 5000 }],
    sessions: [{ session: "s", known: true, pending: 1 }],
    wake: NOW + 5000,
  });
  assert.equal(box.ask(rows, {}, NOW + 5000).rows[0].state, "expired");
  box.ask(lost, { session: "s", why: "refused" });
  box.ask(live, { session: "s", strength: "exact" });
  assert.deepEqual([states(), known()], [["pending"], ["refused"]]);
  box.ask(begin, { session: "s", from: "beginning" });
  box.ask(event, asked(5));
  box.ask(event, answered(6));
  box.ask(live, { session: "s", strength: "exact" });
  assert.deepEqual([states(), known()], [["answered"], [true]]);
  box.ask(forget, { session: "s" });
  assert.deepEqual(box.ask(rows, {}), { rows: [], sessions: [] });
});

test("a fold that was saved goes on in another instance, at its cursor and nowhere else", async () => {
  const box = await opened();
  box.ask(begin, { session: "s", from: "beginning" });
  box.ask(event, asked(5));
  const cursor = { session: "s", seq: 8, generation: "7" };
  const { state } = box.ask(save, cursor);
  for (const [seq, want] of [[8, true], [9, false]]) {
    const other = await opened();
    const refused = other.ask(begin, { ...cursor, seq, from: "saved", state });
    assert.equal(refused?.fault.rule, want ? undefined : "durable.bad_record");
    other.ask(live, { session: "s", strength: "contiguous" });
    assert.equal(other.ask(rows, {}).sessions[0].known, want);
  }
});

test("what cannot be taken is a fault, and the instance lives on", async () => {
  const box = await opened({ keep: 1 });
  assert.equal(box.ask(begin, {}).fault.rule, "stream.bad_input");
  assert.equal(box.ask(99, { session: "s" }).fault.rule, "stream.bad_input");
  assert.equal(box.ask(rows, {}, Number.NaN).fault.rule, "stream.bad_input");
  box.run((e) => (e.inbox_close(box.handle), 0));
  assert.equal(box.ask(rows, {}).fault.rule, "stream.bad_handle");
  assert.equal(box.open({ keep: 0 }).fault.rule, "stream.invalid_options");
});
