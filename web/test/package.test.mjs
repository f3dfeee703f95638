import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import * as errors from "../dist/errors.js";

const web = fileURLToPath(new URL("..", import.meta.url));
const dist = join(web, "dist");
const read = (...path) => readFileSync(join(web, ...path), "utf8");
const go = (...args) => execFileSync("go", args, { cwd: web, encoding: "utf8" }).trim();
const sha = (text) => createHash("sha256").update(text).digest("hex");

let folder;

// The package as a user gets it: packed, and installed from the archive without a network.
before(() => {
  folder = mkdtempSync(join(tmpdir(), "tidemark-"));
  const npm = (...args) => execFileSync("npm", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const [{ filename }] = JSON.parse(npm("pack", web, "--json", "--pack-destination", folder));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  npm("install", "--offline", "--no-audit", "--no-fund", join(folder, filename));
});

after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a module in the folder of the user. */
function run(code, ...flags) {
  writeFileSync(join(folder, "main.mjs"), code);
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, "main.mjs"], { cwd: folder, encoding: "utf8", timeout: 60_000 });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

test("the archive brings nothing along and leaves nothing out", () => {
  const installed = join(folder, "node_modules/tidemark");
  assert.deepEqual(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith(".")), ["tidemark"]);
  assert.deepEqual(readdirSync(installed).sort(), ["LICENSE", "README.md", "THIRD-PARTY-LICENSES.txt", "bin", "dist", "package.json"]);
  const files = readdirSync(join(installed, "dist"));
  for (const name of ["index.js", "index.d.ts", "tidemark.wasm", "calls.wasm", "wasm_exec.js", "catalog.json", "events.schema.json"]) {
    assert.ok(files.includes(name), name);
  }
});

test("what the archive carries of Go comes with Go's licence", () => {
  const installed = join(folder, "node_modules/tidemark");
  const text = readFileSync(join(installed, "THIRD-PARTY-LICENSES.txt"), "utf8");
  assert.ok(text.endsWith("\n\n" + readFileSync(join(go("env", "GOROOT"), "LICENSE"), "utf8")), "the licence of the toolchain, to the letter");
  const files = readdirSync(installed, { recursive: true }).filter((name) => !/^(LICENSE|THIRD-PARTY-LICENSES\.txt)$/.test(name) && /\.\w+$/.test(name));
  const foreign = files.filter((name) => name.endsWith(".wasm") || /copyright/i.test(readFileSync(join(installed, name), "utf8")));
  assert.deepEqual(foreign.sort(), ["dist/calls.wasm", "dist/check.wasm", "dist/full.wasm", "dist/relay.wasm", "dist/tidemark.wasm", "dist/wasm_exec.js"]);
  for (const name of foreign) assert.ok(text.includes(name), name);
});

test("every entry can be imported, and works", () => {
  const out = run(`
    import { init, open, parseCursor, resolve } from "tidemark";
    import { decoder } from "tidemark/sse";
    import { explain } from "tidemark/calls";
    import { EventSource } from "tidemark/eventsource";
    import { bytes, framed, requests, webSocket } from "tidemark/sources";
    import { inbox } from "tidemark/inbox";
    import "tidemark/events";
    import { inspect } from "tidemark/inspector";
    import { validate } from "tidemark/edge";
    import catalog from "tidemark/catalog.json" with { type: "json" };
    import schema from "tidemark/events.schema.json" with { type: "json" };
    await init();
    const blocks = decoder();
    const [{ data }] = blocks.feed("data: x\\n\\n");
    blocks.close();
    const url = import.meta.resolve("tidemark/tidemark.wasm");
    console.log(JSON.stringify([parseCursor("s1:4").seq, data, explain(new Error("x")), typeof open, url.endsWith("/dist/tidemark.wasm"),
      resolve({ head: { lastSeq: 0 }, events: [] }).status, typeof catalog, typeof schema, typeof bytes(framed(new Response("x").body)).connect, typeof requests, typeof webSocket, EventSource.CLOSED, (await inspect("x")).findingsTotal, typeof inbox,
      (await validate(new Response(null, { status: 204 }))).status]));
  `, "--no-warnings");
  assert.deepEqual(JSON.parse(out), [4, "x", null, "function", true, "complete", "object", "object", "function", "function", "function", 2, 1, "function", 204]);
});

test("the module of the inspector is loaded by its entry alone", async () => {
  const { exports } = JSON.parse(read("package.json"));
  for (const [entry, { default: file } = {}] of Object.entries(exports).filter(([, target]) => target.default)) {
    const { metafile } = await build({ entryPoints: [join(web, file)], bundle: true, write: false, metafile: true, format: "esm", outdir: "out", splitting: true, external: ["node:*"], logLevel: "error" });
    const uses = Object.keys(metafile.inputs).some((name) => name.includes("dist/inspector/"));
    assert.equal(uses, entry === "./inspector", entry);
  }
  const fetched = run(`
    import { readFile } from "node:fs/promises";
    const names = [];
    const { compile } = WebAssembly;
    WebAssembly.compile = (bytes) => (names.push(bytes.length), compile(bytes));
    const { init } = await import("tidemark");
    await init();
    const size = async (name) => (await readFile(new URL(import.meta.resolve("tidemark/" + name)))).length;
    console.log(JSON.stringify([names.sort(), [await size("tidemark.wasm"), await size("calls.wasm")].sort(), names.includes(await size("full.wasm"))]));
  `);
  const [compiled, expected, full] = JSON.parse(fetched);
  assert.deepEqual(compiled, expected);
  assert.equal(full, false);
});

test("an entry for own transports loads only its own module", () => {
  rmSync(join(folder, "node_modules/tidemark/dist/tidemark.wasm"), { force: true });
  const out = run(`
    import { init, parseCursor } from "tidemark/calls";
    await init();
    console.log(parseCursor("s1:4").session);
  `);
  assert.equal(out, "s1");
});

test("the types check as they are installed, strictly", () => {
  writeFileSync(join(folder, "main.ts"), `
    import { init, open, resolve, parseCursor, TidemarkError, type Item, type Refusal, type TidemarkEvent } from "tidemark";
    import { decoder, type Message } from "tidemark/sse";
    import { EventSource as Judged } from "tidemark/eventsource";
    import { bytes, framed, requests, webSocket, type Source } from "tidemark/sources";
    import type { TurnCompletedEvent } from "tidemark/events";
    await init(new URL("x.wasm", import.meta.url));
    for await (const item of open<TidemarkEvent, { n: number }>("/v1/sessions/s1/events", {
      cursor: null, load: async ({ why, signal }) => ({ state: { n: signal.aborted ? 0 : why.length }, cursor: "s1:1" }),
      onDecision: ({ verdict, seq }) => console.log(verdict, seq?.toFixed()),
    })) {
      switch (item.kind) {
        case "state": item.state.n.toFixed(); break;
        case "event": if (item.event.type === "turn_completed") { const done: TurnCompletedEvent = item.event; done.turnId; } item.seq.toFixed(); break;
        case "draft": item.json.length; break;
        case "restart": item.afterSeq.toFixed(); break;
        case "live": if (item.strength === "exact") item.seq.toFixed(); break;
        case "refused": { const refusal: Refusal = item.refusal; refusal.evidence.expectedSeq?.toFixed(); break; }
        case "end": if (item.cause === "terminal") item.session.length; break;
        default: { const nothing: never = item; throw nothing; }
      }
    }
    interface Mine { type: "mine"; n: number }
    for await (const item of open("/x")) if (item.kind === "event") {
      // @ts-expect-error an event is unknown until its type is named
      item.event.type;
    }
    const mine: AsyncIterable<Item<Mine>[]> = open<Mine>("/x").batches();
    const sources: Source[] = [
      bytes(new Response("x").body!), bytes((async function* () { yield new Uint8Array(); })()), bytes(new Response()),
      bytes(async ({ starts: [from], signal }) => fetch(\`/x?after=\${from?.seq ?? ""}\`, { signal })),
      bytes(framed((async function* () { yield "{}"; })())), webSocket("/x", { protocols: "p", hello: ({ starts }) => JSON.stringify(starts) }),
      requests({ start: () => new Request("/x", { method: "POST" }), resume: ({ id, seq }) => id + seq, identify: (event) => String(event) }),
    ];
    const judged: EventSource | Judged = Math.random() < 2 ? new Judged("/x", { withCredentials: true, cursor: "s1:4" }) : new EventSource("/x");
    judged.onopen = judged.onmessage = null;
    if (judged.readyState === judged.CLOSED) judged.close();
    const own = new Judged("/x");
    own.onmessage = ({ data, lastEventId }) => data.length + lastEventId.length;
    own.addEventListener("named", ({ data }) => data.length);
    own.addEventListener("refused", ({ detail }) => detail.evidence.expectedSeq?.toFixed());
    own.addEventListener("live", ({ detail }) => detail.seq.toFixed());
    own.onerror = ({ detail }) => own.readyState === Judged.CLOSED && detail?.refusal?.reason;
    // @ts-expect-error one state is loaded for one stream: that is what open is for
    new Judged("/x", { load: () => ({ state: 1, cursor: "s1:1" }) });
    for (const source of sources) open(source, { session: "s1" }).close();
    // @ts-expect-error text is no bytes
    bytes((async function* () { yield "data: x"; })());
    const answer = resolve({ cursor: "s1:1", head: { lastSeq: 2n, generation: "g" }, events: [{ seq: 2, mine: true }] });
    if (answer.status === "replayed") answer.events[0]!.mine satisfies boolean;
    const messages: Message[] = decoder().feed(new Uint8Array());
    // @ts-expect-error a refusal has a closed list of reasons
    const wrong: Refusal["reason"] = "other";
    // @ts-expect-error load answers a state and its cursor
    open("/x", { load: () => ({ state: 1 }) });
    // @ts-expect-error no such option
    open("/x", { cursorr: "s1:1" });
    try { parseCursor("x"); } catch (error) { if (error instanceof TidemarkError) error.id.length; }
    export { mine, messages, wrong };
  `);
  checks("main.ts");
});

test("the examples of both READMEs check", () => {
  const given = `
    declare const view: Record<"reset" | "apply" | "preview" | "dropDrafts" | "note" | "close" | "replace" | "dropPreviews" | "caughtUp", (of?: unknown) => void>;
    declare const transcript: import("tidemark").Load;
    declare const [cursor, head, events]: [string, { lastSeq: number }, object[]];
  `;
  for (const readme of ["README.md", "../README.md"]) {
    const [example] = [...read(readme).matchAll(/```(?:ts|js)\n([^]*?)```/g)].map(([, code]) => code);
    assert.match(example, /open\(/);
    writeFileSync(join(folder, "example.ts"), `${example.replace(/^const load = async \({ signal }\)/m, "const load: import('tidemark').Load = async ({ signal })")}\n${given}export {};`);
    checks("example.ts");
  }
});

test("the examples of sections that show an entry check", () => {
  const given = {
    "In place of EventSource": "declare const [show, note]: ((...of: unknown[]) => void)[]; declare const rebuild: () => boolean;",
    "An inbox of questions": "declare const show: (rows: readonly import('tidemark/inbox').Row[]) => void; declare const note: (text: string) => void; declare const button: HTMLButtonElement;",
    "Other sources": "declare const question: string; declare const messages: AsyncIterable<string>;",
    "Your own transport": `
      declare const [head, events]: [{ lastSeq: number }, object[]]; declare const connect: (cursor: string) => Promise<{ body: ReadableStream<Uint8Array> }>;
      declare const apply: (event: unknown) => void; declare const [note, keep]: ((text?: string) => void)[];
    `,
    "Whole logs": `
      declare const stored: Uint8Array; declare const note: (text: string) => void; declare const show: (list: object[]) => void;
      declare const fetchBody: (reference: unknown) => Promise<string>;
    `,
    "What to persist": `
      declare const load: import("tidemark").Load; declare const user: { id: string };
      declare const view: { state: object; take(item: unknown): void };
    `,
    "The modules": "",
    "At the edge": "declare const userOf: (asked: Request) => Promise<string | undefined>;",
    "Two requests: begin, and go on": `
      import { open } from "tidemark"; import { requests } from "tidemark/sources";
      declare const [body, key]: string[]; declare const render: (item: unknown) => void;
    `,
  };
  for (const [title, declared] of Object.entries(given)) {
    const [, section] = read("README.md").split(new RegExp(`^#+ ${title}$`, "m"));
    const [, code] = /```js\n([^]*?)```/.exec(section);
    writeFileSync(join(folder, "example.ts"), `${code.replace("(event) =>", "(event: any) =>").replace("(request, env, ctx)", "(request: Request, env: any, ctx: any)")}\n${declared}\nexport {};`);
    checks("example.ts");
  }
});

/** A file of the user has no error, however the package is resolved. */
function checks(file) {
  const strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022", "--lib", "es2023,dom,dom.iterable,dom.asynciterable", "--types", ""];
  for (const [module, resolution] of [["nodenext", "nodenext"], ["esnext", "bundler"]]) {
    const { status, stdout } = spawnSync(process.execPath, [join(web, "node_modules/typescript/bin/tsc"), ...strict, "--module", module, "--moduleResolution", resolution, file], { cwd: folder, encoding: "utf8" });
    assert.equal(status, 0, stdout);
  }
}

test("a bundle for Workers imports its module, and compiles none", async () => {
  const options = { stdin: { contents: 'export { proxy } from "tidemark/edge";', resolveDir: folder }, bundle: true, write: false, format: "esm", external: ["*.wasm"] };
  const worker = (await build({ ...options, conditions: ["workerd"] })).outputFiles[0].text;
  assert.match(worker, /import \w+ from ".*relay\.wasm"/);
  const other = (await build(options)).outputFiles[0].text;
  assert.doesNotMatch(other, /import .*wasm"/);
});

test("a bundle for a page needs nothing of Node", async () => {
  for (const entry of ["index.js", "calls.js", "sse.js", "eventsource.js", "sources.js", "inbox.js"]) {
    const { warnings } = await build({ entryPoints: [join(dist, entry)], bundle: true, write: false, format: "esm", platform: "browser", logLevel: "silent" });
    assert.deepEqual(warnings.map(({ text }) => text), []);
  }
});

test("only what is imported is in a bundle", async () => {
  const bundle = async (code) => {
    const { outputFiles } = await build({ stdin: { contents: code, resolveDir: dist }, bundle: true, write: false, minify: true, format: "esm" });
    return outputFiles[0].text;
  };
  const page = await bundle('export { open } from "./index.js";');
  assert.ok(page.includes("tidemark.wasm") && !page.includes("calls.wasm"));
  assert.ok(!page.includes("decision_requested"), "no inbox, unless somebody imports it");
  const own = await bundle('export { resolve } from "./index.js";');
  assert.ok(own.includes("calls.wasm") && !own.includes("tidemark.wasm"));
  assert.equal((await bundle('import "./index.js";')).trim(), "");
});

test("a page's globals stay as they are", () => {
  const out = run(`
    for (const name of ["fs", "path", "Go"]) if (name in globalThis) throw new Error(name);
    const { process } = globalThis;
    const before = Object.getOwnPropertyNames(globalThis).join();
    delete globalThis.process;
    const { init } = await import("tidemark/calls");
    await init();
    const grown = "process" in globalThis;
    globalThis.process = process;
    console.log(!grown && Object.getOwnPropertyNames(globalThis).filter((name) => name !== "process").join() === before.split(",").filter((name) => name !== "process").join());
  `);
  assert.equal(out, "true");
});

test("the glue is the toolchain's, byte for byte", () => {
  const [, glue] = /\/\/<wasm_exec\.js\n([^]*)\/\/wasm_exec\.js>/.exec(read("dist/wasm_exec.js"));
  assert.equal(sha(glue), sha(readFileSync(join(go("env", "GOROOT"), "lib/wasm/wasm_exec.js"), "utf8")));
  assert.ok(read("dist/wasm_exec.js").includes(`toolchain = "${go("env", "GOVERSION")}"`));
});

test("there is one version", () => {
  const version = readFileSync(join(web, "../version.txt"), "utf8").trim();
  assert.equal(JSON.parse(read("package.json")).version, version);
  assert.equal(JSON.parse(read("package-lock.json")).version, version);
});

test("the shell's own faults have the words of the catalog", () => {
  const rows = new Map(rules(JSON.parse(read("dist/catalog.json"))).map((row) => [row.id, row]));
  const own = Object.values(errors).filter(Array.isArray);
  assert.ok(own.length >= 7);
  for (const [rule, code, message, hint] of own) {
    const row = rows.get(`stream.${rule}`);
    assert.ok(row, rule);
    const made = errors.fault([rule, code, message, hint]);
    assert.deepEqual({ code, message, hint, retryable: made.retryable }, { code: row.code, message: row.message, hint: row.hint, retryable: row.retryable ?? false }, rule);
    assert.ok(made.href.endsWith(row.href), `${made.href} and ${row.href}`);
  }
});

test("every rule that the package names is one of the catalog", () => {
  const known = new Set(rules(JSON.parse(read("dist/catalog.json"))).map(({ id }) => id));
  const scripts = readdirSync(join(web, "dist"), { recursive: true }).filter((path) => path.endsWith(".js"));
  const named = new Set(scripts.flatMap((path) => [...read("dist", path).matchAll(/["`]((?:stream|durable)\.[a-z_.]+)["`]/g)].map(([, rule]) => rule)));
  assert.ok(named.has("stream.module_exited") && named.has("durable.stale_decision"));
  assert.deepEqual([...named].filter((rule) => !known.has(rule)), []);
});

/** The rows of the catalog, wherever in the document they stand. */
function rules(catalog) {
  return Array.isArray(catalog) ? catalog : Object.values(catalog).filter(Array.isArray).flat();
}

test("when nothing is left to do, a question is still answered", () => {
  const out = run(`
    import { init, parseCursor } from "tidemark/calls";
    await init();
    process.once("beforeExit", () => console.log(parseCursor("s1:4").seq));
  `);
  assert.equal(out, "4");
});

test("a program that is done ends by itself", () => {
  const out = run(`
    import { init, track } from "tidemark/calls";
    await init();
    track({ session: "s1" });
    console.log("done");
  `);
  assert.equal(out, "done");
});
