// Finds vector files and reads them without changing a number.
import { readdir, readFile, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";

/** npm runs scripts in the package's folder; a relative path means the caller's. */
const base = process.env.INIT_CWD ?? process.cwd();

/** The vector files of a path, sorted. */
export async function vectorFiles(path) {
  const full = isAbsolute(path) ? path : join(base, path);
  if (!(await stat(full)).isDirectory()) return [full];
  const entries = await readdir(full, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** The vectors of a file: a list, or a list under `cases`. */
export async function readVectors(path) {
  const document = JSON.parse(await readFile(path, "utf8"));
  const vectors = Array.isArray(document) ? document : document?.cases;
  if (!Array.isArray(vectors)) throw new Error("neither a list nor a member `cases`");
  const extra = Array.isArray(document) ? [] : Object.keys(document).filter((key) => key !== "about" && key !== "cases");
  if (extra.length > 0) throw new Error(`unknown members ${extra.join(", ")}`);
  if (vectors.length === 0) throw new Error("the list of vectors is empty");
  for (const vector of vectors) checkNumbers(vector, vector?.name ?? vector?.id);
  return vectors;
}

/** A number that a double may have rounded has to be written {"$num": "…"}. */
function checkNumbers(value, name) {
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new Error(`${name}: ${value} may have been rounded; write {"$num": "…"}`);
  }
  if (typeof value === "object" && value !== null) for (const member of Object.values(value)) checkNumbers(member, name);
}

const isNum = (value) => typeof value === "object" && value !== null && typeof value.$num === "string" && Object.keys(value).length === 1;

/** JSON text in which a `$num` stands as its bare text. */
export function bare(value) {
  if (isNum(value)) return value.$num;
  if (Array.isArray(value)) return `[${value.map(bare).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${bare(member)}`).join(",")}}`;
}

/**
 * The JavaScript value that a caller would pass: a bigint for an integer. A `$num` that no value is written like, such as
 * 1.0 or -0, throws: as another number it would test something else.
 */
export function native(value) {
  if (isNum(value)) return numeral(value.$num);
  if (Array.isArray(value)) return value.map(native);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, native(member)]));
}

function numeral(text) {
  const value = /^-?\d+$/.test(text) ? BigInt(text) : Number(text);
  if (String(value) !== text) throw new Error(`{"$num": "${text}"} has no value in JavaScript that is written like it; pass it as text`);
  return value;
}

/** For a call that takes text as well: the value, or its text where only that is exact. */
export function exact(value) {
  try {
    return native(value);
  } catch {
    return bare(value);
  }
}
