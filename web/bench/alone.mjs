// A Chromium that nobody looks into: with DevTools attached, as every automation has them, each body is copied on its way,
// and a module of two megabytes takes half as long again to arrive. So its pages report by themselves, over the site.
//
// Every visit has a process of its own: a page of another host lies between two, and none is kept for going back. In one
// process V8 would share a compiled module between two pages, which no first page of a visitor has.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ARGS, chromiumPath } from "../scripts/chromium.mjs";
import { site } from "./site.mjs";

const FLAGS = ["--headless", "--disable-features=BackForwardCache", ...ARGS];

/**
 * Starts a browser with a profile of its own and a site beside it. `visit(run, given)` lets a new page run a function and
 * resolves with what it answered; the function is sent as text, so it can use nothing but `given`.
 */
export async function withBrowser(stream, use) {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const waiting = [];
  let script = "";
  const served = await site({ stream, page: (query) => (query.has("between") ? BETWEEN : script), report: (value, go) => waiting.shift()(value, go) });
  const reported = () => new Promise((resolve) => waiting.push((value, go) => resolve({ value, go })));
  const arrived = reported();
  const browser = spawn(chromiumPath(), [...FLAGS, `--user-data-dir=${folder}`, `http://localhost:${served.port}/?between`], { stdio: ["ignore", "ignore", "pipe"] });
  browser.stderr.resume(); // it closes with the last process of the browser
  const gone = new Promise((resolve) => browser.once("close", resolve));
  const left = gone.then((code) => Promise.reject(new Error(`the browser ended with ${code}`)));
  left.catch(() => {});
  const visit = async (run, given = {}) => {
    script = scriptOf(run, given, `http://localhost:${served.port}/?between`);
    const ready = reported();
    const { go } = await Promise.race([at, left]);
    go(`http://127.0.0.1:${served.port}/`);
    const { value, go: on } = await Promise.race([ready, left]);
    at = reported();
    on("");
    if (value.error) throw new Error(value.error);
    return value.answer;
  };
  let at = arrived;
  try {
    return await use(visit, served);
  } finally {
    browser.kill();
    await gone;
    await served.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Reports that it is there, and goes where it is sent. */
const BETWEEN = `location.replace(await (await fetch("/report", { method: "POST", body: "{}" })).text());`;

const scriptOf = (run, given, back) => `
  const run = ${run};
  const report = await run(${JSON.stringify(given)}).then((answer) => ({ answer }), (error) => ({ error: String(error?.stack ?? error) }));
  await fetch("/report", { method: "POST", body: JSON.stringify(report) });
  location.replace(${JSON.stringify(back)});`;
