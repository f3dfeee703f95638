// The command of the npm package: the same reports as the one built from Go, byte for byte.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const recordings = fileURLToPath(new URL("../../testdata/recordings/", import.meta.url));
const command = fileURLToPath(new URL("../bin/tidemark.mjs", import.meta.url));

/** Runs one command line in the folder of the recordings. */
function tidemark(args, input = "") {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], { cwd: recordings, input, encoding: "utf8" });
  return { status, stdout, stderr };
}

/** The same without blocking, for commands that ask a server of this process. */
function started(args) {
  const child = spawn(process.execPath, [command, ...args], { cwd: recordings, stdio: ["ignore", "pipe", "pipe"] });
  const out = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => (out.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (out.stderr += text));
  const ended = new Promise((resolve) => child.on("close", (status) => resolve({ status, ...out })));
  return { child, ended };
}

function folder(t) {
  const path = mkdtempSync(join(tmpdir(), "tidemark-check-"));
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}

async function serving(t, handle) {
  const server = createServer(handle).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${server.address().port}`;
}

const golden = (name, ending) => readFileSync(join(recordings, "golden", name + ending), "utf8");
const profileOf = (name) => name.slice(0, -extname(name).length) + ".profile";

test("prints the golden reports", () => {
  const names = readdirSync(recordings).filter((name) => existsSync(join(recordings, "golden", name + ".txt")));
  const [special, plain] = [true, false].map((has) => names.filter((name) => existsSync(join(recordings, profileOf(name))) === has));
  assert.ok(special.length > 0 && plain.length > 0);
  for (const [ending, flags] of [[".txt", []], [".jsonl", ["--json"]]]) {
    const all = tidemark(["check", ...flags, ...plain]); // one process, because starting one takes longer than checking
    const want = plain.map((name) => golden(name, ending)).join("");
    assert.equal(all.stdout.slice(0, want.length), want);
    assert.match(all.stdout.slice(want.length), ending === ".txt" ? /^\n\d+ recordings: .*\n$/ : /^$/);
    assert.deepEqual([all.stderr, all.status], ["", 1]);
    for (const name of special) {
      assert.equal(tidemark(["check", ...flags, name, "--profile", profileOf(name)]).stdout, golden(name, ending));
    }
  }
});

test("exits as documented", () => {
  for (const [line, want] of [
    ["clean.jsonl clean.sse", 0], ["cut.sse", 0], ["cut.sse --strict", 1], ["clean.jsonl hole.jsonl", 1],
    ["hole.jsonl nowhere.jsonl", 3], [".", 3], ["clean.jsonl --jsno", 2], ["clean.jsonl --profile mood", 2],
    ["clean.jsonl --profile clean.sse", 2], ["--help", 0],
  ]) {
    const { status, stdout, stderr } = tidemark(["check", ...line.split(" ")]);
    assert.equal(status, want, `${line}\n${stdout}${stderr}`);
    if (want === 2) assert.match(stderr, /^tidemark check: /);
  }
});

test("says why it cannot read", (t) => {
  const dir = folder(t);
  const binary = join(dir, "a.bin");
  writeFileSync(binary, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0]));
  const { stdout, stderr } = tidemark(["check", join(dir, "none"), dir, binary]);
  assert.match(stderr, /none: there is no such file\n/);
  assert.match(stderr, /: it is a folder\n/);
  assert.match(stderr, /a\.bin: it is no recording \(binary data\)\n/);
  assert.equal(stdout, "\n3 recordings: 3 unreadable\n");
  assert.equal(JSON.parse(tidemark(["check", "--json", dir]).stdout).unreadable, "directory");
});

test("unpacks gzip, from a file and from standard input", (t) => {
  const text = readFileSync(join(recordings, "hole.jsonl"));
  const path = join(folder(t), "hole.jsonl.gz");
  writeFileSync(path, gzipSync(text));
  const plain = tidemark(["check", "hole.jsonl"]).stdout;
  assert.equal(tidemark(["check", path]).stdout.replaceAll(path, "hole.jsonl"), plain);
  for (const input of [text, gzipSync(text)]) {
    assert.equal(tidemark(["check", "-"], input).stdout.replaceAll("standard input", "hole.jsonl"), plain);
  }
  writeFileSync(path, gzipSync(text).subarray(0, 200));
  const broken = tidemark(["check", path]);
  assert.equal(broken.status, 3);
  assert.match(broken.stderr, /it could not be read \(/);
});

test("reads addresses", async (t) => {
  const url = await serving(t, (request, response) => {
    if (request.url !== "/log") return response.writeHead(404).end();
    response.end(readFileSync(join(recordings, "hole.jsonl")));
  });
  const found = await started(["check", `${url}/log`]).ended;
  assert.equal(found.status, 1);
  assert.match(found.stdout, /seq 10–11 are missing/);
  const none = await started(["check", `${url}/none`]).ended;
  assert.equal(none.status, 3);
  assert.match(none.stderr, /another status than 200 \(404\)/);
});

test("follows a stream until the time is over, or until it is interrupted", async (t) => {
  const url = await serving(t, (request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const event = (seq) => `data: {"type":"turn_started","sessionId":"s","turnId":"t","seq":${seq}}\n\n`;
    response.write(event(6) + event(request.url.includes("hole") ? 8 : 7) + 'data: {"ty');
  });
  const address = `${url}/v1/sessions/s/events?cursor=s:5`;
  const timed = await started(["check", "--for", "300ms", address]).ended; // however far it came, nothing is held against the end
  assert.equal(timed.status, 0);
  assert.ok(timed.stdout.startsWith("✓ "), timed.stdout);
  assert.doesNotMatch(timed.stdout, /unfinished_turn|  . cut/);

  const { child, ended } = started(["check", "--json", `${address}&hole`, "never-read.jsonl"]);
  await new Promise((resolve) => child.stdout.once("data", resolve)); // the finding: it is reading by now
  child.kill("SIGINT");
  const interrupted = await ended;
  assert.equal(interrupted.status, 1);
  assert.deepEqual(interrupted.stdout.trim().split("\n").map((line) => Object.keys(JSON.parse(line))[0]), ["finding", "summary"]);
});

test("has the other commands", () => {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  assert.equal(tidemark(["version"]).stdout, version + "\n");
  assert.match(tidemark(["explain", "stream.gap.hole"]).stdout, /^stream\.gap\.hole\n/);
  assert.equal(tidemark(["explain", "mood"]).status, 2);
  assert.match(tidemark(["help"]).stdout, /usage: tidemark <command>/);
  assert.equal(tidemark([]).status, 2);
  for (const name of ["chekc", "toString", "__proto__"]) {
    const { status, stderr } = tidemark([name]);
    assert.equal(status, 2);
    assert.match(stderr, /there is no command/);
  }
});
