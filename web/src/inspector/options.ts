import { misfit } from "../pieces.js";
import { given } from "../wire.js";

/** What an option takes, where no module looks at it: in words, and the test. Absent (undefined or null) is always fine. */
const TAKES: Record<string, readonly [expected: string, test: (value: unknown) => boolean]> = {
  signal: ["an AbortSignal", (v) => isFunction((v as AbortSignal).throwIfAborted) && isFunction((v as AbortSignal).addEventListener)],
  onProgress: ["a function", isFunction],
  spill: ["a function", isFunction],
  fetch: ["a function like fetch", isFunction],
  now: ["milliseconds since 1970", (v) => typeof v === "number" && !Number.isNaN(v)],
  park: ["a list of states", Array.isArray],
};

/** The options of a call, each read once. Throws `stream.bad_input` and `stream.invalid_options`, before anything is begun. */
export function optionsOf<T, K extends keyof T & string>(options: T, ...wanted: K[]): Pick<T, K> {
  return membersOf(options, "options", ...wanted);
}

/** The same of another argument. */
export function membersOf<T, K extends keyof T & string>(argument: T, name: string, ...wanted: K[]): Pick<T, K> {
  const found = given(argument, name, ...wanted);
  for (const each of wanted) check(each, found[each]);
  return found;
}

/** Checks one option. What throws when it is looked at is nothing that an option takes. */
function check(name: string, value: unknown): void {
  const takes = TAKES[name];
  if (!takes || (value ?? undefined) === undefined) return;
  const [expected, test] = takes;
  try {
    if (test(value)) return;
  } catch {}
  throw misfit(name, expected, value);
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}
