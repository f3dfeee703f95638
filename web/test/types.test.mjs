// What the types have to refuse: a store that keeps a cursor without its state.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("..", import.meta.url));

/** The lines of a file that do not compile, strictly, against the package as it was built. */
function refused(file) {
  const flags = ["--noEmit", "--ignoreConfig", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022", "--lib", "es2023,dom,dom.iterable", "--types", "", "--module", "nodenext"];
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(web, "node_modules/typescript/bin/tsc"), ...flags, join("test/types", file)], { cwd: web, encoding: "utf8" });
  assert.ok(status !== null && stderr === "", `the compiler stopped: ${stderr}`);
  const places = [...stdout.matchAll(/^test\/types\/([\w-]+\.ts)\((\d+),/gm)].map(([, name, line]) => [name, Number(line)]);
  assert.equal(stdout.split("\n").filter((line) => /error TS/.test(line)).length, places.length, stdout);
  return [...new Set(places.map(([name, line]) => (assert.equal(name, file), line)))];
}

test("a store of a user's own compiles", () => {
  assert.deepEqual(refused("whole-records.ts"), []);
});

//
test("a store that keeps a cursor without its state does not", () => {
  const lines = readFileSync(join(web, "test/types/cursor-alone.ts"), "utf8").split("\n");
  const marked = lines.flatMap((line, i) => (line.endsWith("// refused") ? [i + 1] : []));
  assert.ok(marked.length > 5);
  assert.deepEqual(refused("cursor-alone.ts"), marked);
});

test("an inbox is typed, and what it does not take does not compile", () => {
  const lines = readFileSync(join(web, "test/types/inbox.ts"), "utf8").split("\n");
  const marked = lines.flatMap((line, i) => (line.endsWith("// refused") ? [i + 1] : []));
  assert.deepEqual(refused("inbox.ts"), marked);
});

test("the edge is typed, and what it does not take does not compile", () => {
  const lines = readFileSync(join(web, "test/types/edge.ts"), "utf8").split("\n");
  const marked = lines.flatMap((line, i) => (line.endsWith("// refused") ? [i + 1] : []));
  assert.deepEqual(refused("edge.ts"), marked);
});
