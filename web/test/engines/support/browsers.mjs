// Starts browsers on a page that reports by itself. Each has a home of its own, and does nothing but show the page.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "../../../scripts/chromium.mjs";
import { enginePath } from "../../../scripts/engines.mjs";

/** Opens a page in a browser; answers how to close it again, and when the browser has ended by itself. */
export const browsers = { chromium, firefox, webkit };

async function chromium(url) {
  const browser = await launch();
  const page = await browser.newPage();
  await page.goto(url);
  return { ended: new Promise((resolve) => browser.once("disconnected", () => resolve("it disconnected"))), close: () => browser.close() };
}

const QUIET = {
  "app.normandy.enabled": false, "app.update.auto": false, "browser.aboutwelcome.enabled": false, "browser.region.network.url": "",
  "browser.safebrowsing.downloads.remote.enabled": false, "browser.safebrowsing.malware.enabled": false, "browser.safebrowsing.phishing.enabled": false,
  "browser.search.update": false, "browser.shell.checkDefaultBrowser": false, "datareporting.healthreport.uploadEnabled": false,
  "datareporting.policy.dataSubmissionEnabled": false, "extensions.update.enabled": false, "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false, "network.prefetch-next": false, "network.dns.disablePrefetch": true,
  "services.settings.server": "data:,", "toolkit.telemetry.enabled": false, "toolkit.telemetry.unified": false,
  "dom.min_background_timeout_value": 4,
};

async function firefox(url) {
  const home = mkdtempSync(join(tmpdir(), "firefox-"));
  const profile = join(home, "profile");
  mkdirSync(profile);
  const lines = Object.entries(QUIET).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`);
  writeFileSync(join(profile, "user.js"), lines.join(""));
  const env = { ...process.env, HOME: home, MOZ_CRASHREPORTER_DISABLE: "1" };
  return group(enginePath("firefox"), ["--headless", "--no-remote", "--profile", profile, url], env, home);
}

async function webkit(url) {
  const home = mkdtempSync(join(tmpdir(), "webkit-"));
  const env = {
    ...process.env, HOME: home, XDG_RUNTIME_DIR: home, TMPDIR: home, LIBGL_ALWAYS_SOFTWARE: "1",
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1", WEBKIT_DISABLE_COMPOSITING_MODE: "1",
  };
  return group("xvfb-run", ["-a", enginePath("webkit"), url], env, home);
}

/** How long a program has to end by itself. */
const PATIENCE = 5000;

/** A program and all that it starts, which end together. Its home goes with them. */
function group(command, args, env, home) {
  const child = spawn(command, args, { env, cwd: home, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const pipe of [child.stdout, child.stderr]) pipe.on("data", (chunk) => (said = (said + chunk).slice(-4000)));
  const ended = new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(`it ended with ${code ?? signal}: ${said}`));
  });
  const running = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const close = async () => {
    if (running()) process.kill(-child.pid, "SIGTERM"); // politely, so that xvfb-run clears up behind itself
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, PATIENCE).unref())]);
    if (running()) process.kill(-child.pid, "SIGKILL");
    await ended;
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  return { ended, close };
}
