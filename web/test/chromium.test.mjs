import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromiumPath, places } from "../scripts/chromium.mjs";

const script = fileURLToPath(new URL("../scripts/chromium.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "chromium-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A program in the folder, as far as looking for one goes. */
function program(name) {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  chmodSync(path, 0o755);
  return path;
}

const run = (CHROMIUM) => spawnSync(process.execPath, [script], { encoding: "utf8", env: { PATH: process.env.PATH, CHROMIUM } });

test("what CHROMIUM names is used or refused, never replaced", () => {
  assert.equal(run(process.execPath).stdout.trim(), process.execPath);
  const { status, stdout, stderr } = run(join(folder, "nothing"));
  assert.deepEqual([status, stdout], [1, ""]);
  assert.match(stderr, /CHROMIUM is .*nothing, and that is no program/);
  assert.throws(() => chromiumPath({ CHROMIUM: folder }), /no program/, "a folder is none");
});

test("PATH comes first", () => {
  const path = program("bin/google-chrome");
  assert.equal(chromiumPath({ PATH: dirname(path) }), path);
});

test("the usual places of each system, and Playwright's cache, are looked at", () => {
  const cache = program("home/.cache/ms-playwright/chromium-1/chrome-linux/chrome");
  const HOME = join(folder, "home");
  assert.ok(places({ HOME }, "linux").includes(cache));
  assert.ok(places({ PLAYWRIGHT_BROWSERS_PATH: join(HOME, ".cache/ms-playwright") }, "linux").includes(cache));
  assert.ok(places({}, "linux").includes("/snap/bin/chromium"));
  assert.ok(places({ HOME }, "darwin").includes(`${HOME}/Applications/Chromium.app/Contents/MacOS/Chromium`));
  assert.ok(places({ PROGRAMFILES: "C:\\P" }, "win32").includes("C:\\P\\Google\\Chrome\\Application\\chrome.exe"));
});
