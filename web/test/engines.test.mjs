import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { enginePath, missing, NAMES } from "../scripts/engines.mjs";

const script = fileURLToPath(new URL("../scripts/engines.mjs", import.meta.url));
const here = process.execPath; // a program, as far as looking for one goes

test("what a variable names is used or refused, never replaced", () => {
  for (const [name, variable] of [["firefox", "FIREFOX"], ["deno", "DENO"], ["bun", "BUN"], ["chromium", "CHROMIUM"]]) {
    assert.equal(enginePath(name, { [variable]: here }), here);
    assert.throws(() => enginePath(name, { [variable]: "/nowhere", PATH: process.env.PATH }), /\/nowhere, and that is no program/);
  }
});

test("an engine that lacks what it needs beside it is missing, and says what", () => {
  assert.throws(() => enginePath("webkit", { WEBKIT: here, PATH: "" }), /xvfb-run is not on PATH/);
  assert.ok(missing({ WEBKIT: here, PATH: "" }).includes("webkit"));
});

test("all engines have a line, those that are missing a name", () => {
  const run = (...args) => spawnSync(here, [script, ...args], { encoding: "utf8", env: { PATH: "", FIREFOX: here, DENO: "/nowhere" } }).stdout.trim().split("\n");
  const lines = run();
  assert.deepEqual(lines.map((line) => line.split(" ")[0]), NAMES);
  assert.ok(lines.includes(`firefox   ${here}`));
  const names = run("--missing");
  assert.ok(names.includes("deno") && !names.includes("firefox"));
});
