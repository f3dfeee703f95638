import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../scripts/vectors.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "vectors-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function vectors(...paths) {
  const { status, stdout } = spawnSync(process.execPath, [script, ...paths], { encoding: "utf8", env: { ...process.env, INIT_CWD: folder } });
  const [, passed, failed, skipped] = /^(\d+) passed, (\d+) failed, (\d+) skipped$/m.exec(stdout) ?? [];
  return { status, stdout, passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
}

function file(name, content) {
  writeFileSync(join(folder, name), JSON.stringify(content));
  return name;
}

test("the vectors of the repository pass, in the modules and through the API", () => {
  const { status, stdout, passed, failed } = vectors(...["vectors", "cases"].map((name) => fileURLToPath(new URL(`../../testdata/${name}`, import.meta.url))));
  assert.equal(failed, 0, stdout);
  assert.equal(status, 0);
  assert.ok(passed > 800);
});

const good = { name: "good", type: "tool_progress", expect: true };

test("a wrong expectation fails by name, with expected and got, for each backend", () => {
  const { status, stdout, passed, failed } = vectors(file("wrong.json", { cases: [good, { ...good, name: "wrong", expect: false }] }));
  assert.deepEqual([status, passed, failed], [1, 2, 2]);
  assert.match(stdout, /FAIL .*wrong\.json: wrong \[wasm\]\n {2}expected false\n {2}got {6}true/);
  assert.match(stdout, /wrong \[api\]/);
});

for (const [name, vector] of Object.entries({
  "a key": { ...good, extra: 1 },
  "a key inside": { name: "x", thrown: { kind: "error", message: "m", extra: 1 }, expect: { facts: {}, explanation: null } },
  "a key of an expectation": { name: "x", session: "s1", cursor: {}, head: { lastSeq: 0 }, events: [], expect: { status: "complete", extra: 1 } },
  "a kind": { name: "x", kind: "other" },
  "no kind": { name: "x", foo: 1 },
})) {
  test(`${name} that nobody knows fails`, () => {
    const { status, failed } = vectors(file("unknown.json", [vector]));
    assert.deepEqual([status, failed], [1, 1]);
  });
}

test("kinds that are not built yet are counted, not passed", () => {
  const { status, passed, failed, skipped } = vectors(file("later.json", [{ kind: "api", id: "A" }, { kind: "api", id: "B" }]));
  assert.deepEqual([status, passed, failed, skipped], [0, 0, 0, 2]);
});

test("paths without vectors fail", () => {
  mkdirSync(join(folder, "empty"), { recursive: true });
  writeFileSync(join(folder, "text.json"), "no JSON");
  for (const path of ["empty", "nowhere", "text.json", file("other.json", { about: {}, rows: [] }), file("none.json", []), file("big.json", [{ ...good, seq: 2 ** 60 }])]) {
    const { status, failed } = vectors(path);
    assert.deepEqual([status, failed], [1, 1], path);
  }
  assert.equal(vectors().status, 2);
});

test("a number is passed as it is written, or not at all", () => {
  const record = (text) => ({ type: "m", session: "s1", seq: { $num: text } });
  const page = (text) => ({ name: text, session: "s1", head: { lastSeq: 3 }, cursor: { sinceSeq: 0 }, events: [record(text)], expect: { status: "unavailable" } });
  const { stdout, passed, failed } = vectors(file("written.json", [page("1.0"), page("-0"), page("NaN")]));
  assert.deepEqual([passed, failed], [4, 2], stdout);
  assert.match(stdout, /written\.json: 1\.0 \[api\]\n.*\n.*has no value in JavaScript that is written like it/);
  const seen = (text) => ({ kind: "tracker", name: text, input: { session: "s1", observations: [{ event: record(text), verdict: "invalid" }] }, expected: { cursor: "s1:0" } });
  const live = vectors(file("seen.json", [seen("1.0"), seen("-0"), seen("1e400")]));
  assert.deepEqual([live.passed, live.failed], [6, 0], live.stdout);
});

test("an expectation without members fails", () => {
  const { status, failed } = vectors(file("nothing.json", [{ name: "n", token: "s1:4", expect: {} }]));
  assert.deepEqual([status, failed], [1, 1]);
});
