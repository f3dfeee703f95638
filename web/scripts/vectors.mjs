// Runs vector and case files twice: in the built module, and through the public TypeScript API.
//
//   npm run vectors -- PATH…        files, or folders that are searched for .json
//
// Prints each failing name with what was expected and what came out, and closes with a count line.
// Kinds that are not built yet are counted as skipped. An unknown key, a file that is no vector file
// and a path without vector files are failures.
import { isDeepStrictEqual } from "node:util";
import { apiBackend, wasmBackend } from "./vectors/backends.mjs";
import { vectorFiles, readVectors } from "./vectors/files.mjs";
import { kindOf, unknownKeys } from "./vectors/kinds.mjs";

const counts = { passed: 0, failed: 0, skipped: 0 };

/** Only what `expected` has is compared, at every depth; lists are compared whole. */
function agrees(expected, got) {
  if (Array.isArray(expected)) {
    return Array.isArray(got) && got.length === expected.length && expected.every((e, i) => agrees(e, got[i]));
  }
  if (typeof expected === "object" && expected !== null) {
    return typeof got === "object" && got !== null && Object.entries(expected).every(([k, v]) => agrees(v, got[k]));
  }
  return isDeepStrictEqual(expected, got);
}

/** What expects nothing tests nothing. */
function empty(expected) {
  return expected === undefined || (typeof expected === "object" && expected !== null && Object.keys(expected).length === 0);
}

function fail(name, expected, got) {
  counts.failed++;
  console.log(`FAIL ${name}\n  expected ${short(expected)}\n  got      ${short(got)}`);
}

function short(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 2000 ? text.slice(0, 2000) + "…" : text;
}

async function runOne(file, vector, backends) {
  const name = `${file}: ${vector.name ?? vector.id ?? "(without a name)"}`;
  const kind = kindOf(vector);
  if (!kind) return fail(name, "a vector of a known kind", `members ${Object.keys(vector)}`);
  if (!kind.run) return void counts.skipped++;
  const unknown = unknownKeys(kind, vector);
  if (unknown.length > 0) return fail(name, "no unknown keys", unknown.join(", "));
  const wanted = kind.wanted(vector);
  if (wanted.some(empty)) return fail(name, "an expectation with members", "one without");
  for (const backend of backends) {
    const got = await kind.run(vector, backend).catch((error) => ({ threw: String(error?.stack ?? error) }));
    if (wanted.some((expected) => agrees(expected, got))) counts.passed++;
    else fail(`${name} [${backend.name}]`, wanted.length === 1 ? wanted[0] : { oneOf: wanted }, got);
  }
}

async function runFile(path, backends) {
  let vectors;
  try {
    vectors = await readVectors(path);
  } catch (error) {
    return fail(path, "a file of vectors or cases", error.message);
  }
  for (const vector of vectors) await runOne(path, vector, backends);
}

const paths = process.argv.slice(2);
if (paths.length === 0) {
  console.error("usage: npm run vectors -- PATH…");
  process.exit(2);
}
const backends = [await wasmBackend(), await apiBackend()];
for (const path of paths) {
  const files = await vectorFiles(path).catch((error) => error);
  if (files instanceof Error) fail(path, "a file or folder", files.message);
  else if (files.length === 0) fail(path, "at least one vector file", "none");
  else for (const file of files) await runFile(file, backends);
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 ? 1 : 0;
