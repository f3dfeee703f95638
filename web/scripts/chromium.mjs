// Finds a Chromium and says how to start it for tests; nothing is downloaded. This is the one list of places.
//
//   node scripts/chromium.mjs       prints the path, or says on stderr where it looked and fails
import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { join, posix, win32 } from "node:path";
import { pathToFileURL } from "node:url";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "msedge", "microsoft-edge"];
const FOLDERS = ["/usr/bin", "/usr/local/bin", "/snap/bin", "/usr/lib/chromium", "/opt/google/chrome"];
const MAC_APPS = ["Google Chrome", "Chromium", "Google Chrome for Testing", "Microsoft Edge"];
const WINDOWS = ["Google\\Chrome\\Application\\chrome.exe", "Microsoft\\Edge\\Application\\msedge.exe"];
/** Where Playwright puts a browser inside its cache. */
const CACHED = [
  "chrome-linux/chrome", "chrome-linux64/chrome", "chrome-win/chrome.exe", "chrome-win64/chrome.exe",
  ...["chrome-mac", "chrome-mac-arm64", "chrome-mac-x64"].flatMap((folder) =>
    ["Chromium", "Google Chrome for Testing"].map((app) => `${folder}/${app}.app/Contents/MacOS/${app}`)),
];

const WHERE = `${NAMES.join(", ")} on PATH and in ${FOLDERS.join(", ")}; ${MAC_APPS.join(", ")} among the applications; Playwright's cache`;

/** Quiet, offline, and able to run as root in a container. */
export const ARGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

/** Every path where a browser may be, in the order of preference. */
export function places(env = process.env, platform = process.platform) {
  const path = platform === "win32" ? win32 : posix;
  const home = env.HOME ?? env.USERPROFILE ?? "";
  const usual = {
    win32: () => ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].flatMap((base) => WINDOWS.map((rest) => path.join(env[base] ?? "", rest))),
    darwin: () => MAC_APPS.flatMap((app) => ["", home].map((root) => `${root}/Applications/${app}.app/Contents/MacOS/${app}`)),
  }[platform];
  const onPath = (env.PATH ?? "").split(path.delimiter).filter(Boolean);
  const folders = platform === "win32" ? onPath : [...onPath, ...FOLDERS];
  return [
    ...folders.flatMap((folder) => NAMES.map((name) => path.join(folder, platform === "win32" ? `${name}.exe` : name))),
    ...(usual?.() ?? []),
    ...[env.PLAYWRIGHT_BROWSERS_PATH, ...(home ? [join(home, ".cache/ms-playwright"), join(home, "Library/Caches/ms-playwright")] : [])].flatMap(cached),
  ];
}

function cached(cache) {
  const browsers = cache ? list(cache).filter((name) => name.startsWith("chromium-")) : [];
  return browsers.flatMap((name) => CACHED.map((rest) => join(cache, name, rest)));
}

function list(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Whether a path is a program that can be started. */
export function runs(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The executable. CHROMIUM names one and then has to be right; it is never replaced by another. */
export function chromiumPath(env = process.env) {
  const named = env.CHROMIUM;
  if (named && !runs(named)) throw new Error(`CHROMIUM is ${named}, and that is no program`);
  const found = named || places(env).find(runs);
  if (!found) throw new Error(`No Chromium found. Looked for ${WHERE}. Install one, or set CHROMIUM to its path.`);
  return found;
}

/** A browser of playwright-core. */
export async function launch(options = {}) {
  const executablePath = chromiumPath();
  const { chromium } = await import("playwright-core");
  return chromium.launch({ executablePath, args: ARGS, ...options });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    console.log(chromiumPath());
  } catch ({ message }) {
    console.error(`chromium: ${message}`);
    process.exitCode = 1;
  }
}
