// Builds web/dist: the shell from TypeScript, the modules and their glue from the Go toolchain.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("..", import.meta.url));
const root = join(web, "..");
const dist = join(web, "dist");

const run = (command, args) => execFileSync(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
const ask = (command, args) => execFileSync(command, args, { cwd: root, encoding: "utf8" }).trim();

/** version.txt is the one source of the version; what npm reads follows it. */
function followVersion() {
  const version = readFileSync(join(root, "version.txt"), "utf8").trim();
  for (const name of ["package.json", "package-lock.json"]) {
    const path = join(web, name);
    const document = JSON.parse(readFileSync(path, "utf8"));
    const parts = [document, ...(document.packages ? [document.packages[""]] : [])];
    if (parts.every((part) => part.version === version)) continue;
    for (const part of parts) part.version = version;
    writeFileSync(path, JSON.stringify(document, null, 2) + "\n");
    console.log(`web/${name}: version ${version}, from version.txt`);
  }
}

function buildShell() {
  run(process.execPath, [join(web, "node_modules/typescript/bin/tsc"), "-p", join(web, "tsconfig.json")]);
  for (const name of ["catalog.json", "events.schema.json"]) copyFileSync(join(web, "src/gen", name), join(dist, name));
}

/**
 * The toolchain's wasm_exec.js as a module. It wants to leave Go, fs, process and path on the global
 * object; here it gets an object of its own for that, so that a page's globals stay as they are.
 */
function wrapGlue() {
  const glue = readFileSync(join(ask("go", ["env", "GOROOT"]), "lib/wasm/wasm_exec.js"), "utf8");
  const module = `// The Go toolchain's wasm_exec.js, unchanged between the two marks, with a scope of its own.
const decoder = new TextDecoder();
let line = "";
const fs = {
  constants: { O_WRONLY: -1, O_RDWR: -1, O_CREAT: -1, O_TRUNC: -1, O_APPEND: -1, O_EXCL: -1, O_DIRECTORY: -1 },
  writeSync(_, bytes) {
    const lines = (line + decoder.decode(bytes, { stream: true })).split("\\n");
    line = lines.pop();
    if (lines.length > 0) console.error(lines.join("\\n"));
    return bytes.length;
  },
};
const scope = { fs, crypto: globalThis.crypto, performance: globalThis.performance, TextEncoder, TextDecoder, Object, Array, Uint8Array };
(function (globalThis, fs) {
//<wasm_exec.js
${glue}//wasm_exec.js>
})(scope, fs);
export const Go = scope.Go;
export const host = scope;
export const toolchain = ${JSON.stringify(ask("go", ["env", "GOVERSION"]))};
`;
  writeFileSync(join(dist, "wasm_exec.js"), module);
  copyFileSync(join(web, "src/wasm_exec.d.ts"), join(dist, "wasm_exec.d.ts"));
}

function buildModules() {
  for (const [name, folder] of [["tidemark", "lean"], ["calls", "calls"], ["check", "check"], ["full", "full"], ["relay", "relay"]]) {
    run("bash", ["scripts/build-wasm.sh", `./wasm/${folder}`, join(dist, `${name}.wasm`)]);
  }
}

followVersion();
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
buildShell();
wrapGlue();
buildModules();
