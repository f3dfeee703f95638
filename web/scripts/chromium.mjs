// Finds a Chromium and says how to start it for tests; nothing is downloaded.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "msedge", "microsoft-edge"];

const PLACES = {
  linux: ["/usr/bin/chromium", "/usr/lib/chromium/chromium", "/snap/bin/chromium", "/opt/google/chrome/chrome"],
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ],
  win32: ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].flatMap((base) =>
    ["Google\\Chrome\\Application\\chrome.exe", "Microsoft\\Edge\\Application\\msedge.exe"].map((path) => join(process.env[base] ?? "", path)),
  ),
};

/** Quiet, offline, and able to run as root in a container. */
export const ARGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

function runs(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The executable, or undefined. CHROMIUM names one and then has to be right. */
export function chromiumPath() {
  const named = process.env.CHROMIUM;
  if (named) {
    if (runs(named)) return named;
    throw new Error(`CHROMIUM is ${named}, which cannot be run`);
  }
  const onPath = (process.env.PATH ?? "").split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...(PLACES[process.platform] ?? []), ...onPath].find(runs);
}

/**
 * A browser of playwright-core. Without a Chromium the error says where it was looked for; what to do
 * about that is the caller's decision.
 */
export async function launch(options = {}) {
  const executablePath = chromiumPath();
  if (!executablePath) {
    throw new Error(`No Chromium found: neither CHROMIUM, nor ${(PLACES[process.platform] ?? []).join(", ")}, nor ${NAMES.join(", ")} on PATH.`);
  }
  const { chromium } = await import("playwright-core");
  return chromium.launch({ executablePath, args: ARGS, ...options });
}
