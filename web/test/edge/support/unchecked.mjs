// The module with one check taken out of it: what a test that needs the check would let through.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** Builds wasm/relay with `check` in a file of it read as `without`; the file itself stays as it is. */
export function relayWithout(path, check, without) {
  const file = join(root, path);
  const source = readFileSync(file, "utf8");
  if (source.split(check).length !== 2) throw new Error(`${path} has not one place that says ${check}`);
  const folder = mkdtempSync(join(tmpdir(), "unchecked-"));
  try {
    const [changed, overlay, out] = ["changed.go", "overlay.json", "relay.wasm"].map((name) => join(folder, name));
    writeFileSync(changed, source.replace(check, without));
    writeFileSync(overlay, JSON.stringify({ Replace: { [file]: changed } }));
    const env = { ...process.env, GOOS: "js", GOARCH: "wasm" };
    execFileSync("go", ["build", "-trimpath", "-ldflags=-s -w", `-overlay=${overlay}`, "-o", out, "./wasm/relay"], { cwd: root, env, stdio: ["ignore", "inherit", "inherit"] });
    return readFileSync(out);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
