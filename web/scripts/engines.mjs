// Finds the JavaScript engines that the package is tested in beside Node. This is the one list of places; that of Chromium is
// chromium.mjs. Nothing is installed here: scripts/engines.sh does that, where it may.
//
//   node scripts/engines.mjs            one line for each engine: its name and its path, or where it was looked for
//   node scripts/engines.mjs --missing  only the names of those that are not there
import { delimiter, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromiumPath, runs } from "./chromium.mjs";

const packages = fileURLToPath(new URL("../test/engines/node_modules/", import.meta.url));
const onPath = (names, env) => (env.PATH ?? "").split(delimiter).filter(Boolean).flatMap((folder) => names.map((name) => join(folder, name)));

/** Multiarch folders of Debian and its relatives, and where others put what belongs to a library. */
const LIBRARIES = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/libexec"];
const WEBKITS = ["webkit2gtk-4.1", "webkitgtk-6.0", "webkit2gtk-4.0"];

/** Each engine: the variable that names it, where it may be, its names on PATH, and what has to be there beside it. */
const PLACES = {
  firefox: { variable: "FIREFOX", programs: ["firefox-esr", "firefox"], places: () => ["/usr/bin/firefox-esr", "/usr/bin/firefox", "/snap/bin/firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"] },
  webkit: { variable: "WEBKIT", places: () => LIBRARIES.flatMap((folder) => WEBKITS.map((name) => join(folder, name, "MiniBrowser"))), beside: ["xvfb-run"] },
  deno: { variable: "DENO", programs: ["deno"], places: () => [join(packages, "deno/deno"), join(packages, "deno/deno.exe")] },
  bun: { variable: "BUN", programs: ["bun"], places: () => [join(packages, "bun/bin/bun.exe")] },
};

export const NAMES = ["chromium", ...Object.keys(PLACES)];

/** The program of an engine. What its variable names has to be right; it is never replaced by another. */
export function enginePath(name, env = process.env) {
  if (name === "chromium") return chromiumPath(env);
  const { variable, places, programs = [], beside = [] } = PLACES[name];
  const named = env[variable];
  if (named && !runs(named)) throw new Error(`${variable} is ${named}, and that is no program`);
  const found = named || [...places(), ...onPath(programs, env)].find(runs);
  if (!found) throw new Error(`not found. Looked for ${[...places(), ...programs.map((program) => `${program} on PATH`)].join(", ")}. ${variable} can name it.`);
  const lacks = beside.filter((tool) => !onPath([tool], env).some(runs));
  if (lacks.length > 0) throw new Error(`${lacks.join(" and ")} is not on PATH, which ${found} needs`);
  return found;
}

/** The names of those that are not there. */
export function missing(env = process.env) {
  return NAMES.filter((name) => found(name, env) instanceof Error);
}

function found(name, env) {
  try {
    return enginePath(name, env);
  } catch (error) {
    return error;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  if (process.argv[2] === "--missing") for (const name of missing()) console.log(name);
  else for (const name of NAMES) console.log(`${name.padEnd(9)} ${found(name, process.env)?.message ?? found(name, process.env)}`);
}
