import { BAD_INPUT, fault, TidemarkError } from "./errors.js";

/** Stands where a value cannot be read or has no text; no scanner takes it for a value. */
const UNREADABLE = "unreadable";
const MAX_DEPTH = 1000;
const MAX_ELEMENTS = 1e7;
const MAX_TEXT = 1 << 28;

/**
 * A JavaScript value as text for the core, never as another value than it was. What JSON cannot carry
 * becomes text that the core refuses in that very place: NaN and the infinities stay bare words,
 * an integer that a double may already have rounded gets an exponent, and symbols, functions, values
 * nested too deeply and values that throw when read are one unreadable word.
 */
export function wire(value: unknown, depth = 0): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return numeral(value);
    case "bigint":
    case "boolean":
      return String(value);
    case "undefined":
      return "null";
    case "object":
      return value === null ? "null" : compound(value, depth);
    default:
      return UNREADABLE;
  }
}

/** The members of an argument that is an object, each read once. Throws `stream.bad_input` naming the argument. */
export function given<T, K extends keyof T>(argument: T, name: string, ...wanted: K[]): Pick<T, K> {
  if (typeof argument !== "object" || argument === null) {
    throw fault(BAD_INPUT, { expected: `${name}: an object`, found: argument === null ? "null" : typeof argument });
  }
  try {
    return Object.fromEntries(wanted.map((key) => [key, argument[key]])) as Pick<T, K>;
  } catch (cause) {
    throw fault(BAD_INPUT, { expected: `${name}: an object whose members can be read`, found: "one that throws", cause });
  }
}

/** Members as one object; those that are undefined are absent. */
export function members(named: Record<string, unknown>): string {
  return object(Object.entries(named), 0);
}

function numeral(n: number): string {
  return Number.isInteger(n) && !Number.isSafeInteger(n) ? n.toExponential() : String(n);
}

function compound(value: object, depth: number): string {
  if (depth >= MAX_DEPTH) return UNREADABLE;
  try {
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === "function") return wire(toJSON.call(value), depth + 1);
    return Array.isArray(value) ? array(value, depth) : object(Object.entries(value), depth);
  } catch (error) {
    if (error instanceof TidemarkError) throw error;
    return UNREADABLE;
  }
}

function array(list: readonly unknown[], depth: number): string {
  if (list.length > MAX_ELEMENTS) throw tooLong();
  return bounded("[" + Array.from(list, (element) => wire(element, depth + 1)).join(",") + "]");
}

function object(entries: [string, unknown][], depth: number): string {
  const texts: string[] = [];
  for (const [name, value] of entries) {
    if (value !== undefined) texts.push(JSON.stringify(name) + ":" + wire(value, depth + 1));
  }
  return bounded("{" + texts.join(",") + "}");
}

function bounded(text: string): string {
  if (text.length > MAX_TEXT) throw tooLong();
  return text;
}

function tooLong(): TidemarkError {
  return fault(BAD_INPUT, { expected: `at most ${MAX_ELEMENTS} elements and ${MAX_TEXT} characters`, found: "more" });
}
