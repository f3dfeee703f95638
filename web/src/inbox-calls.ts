import { tell } from "./watch.js";

/** What a function of the app answers. What it throws is reported, and no answer. */
export function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    tell(() => Promise.reject(error), undefined);
    return undefined;
  }
}

/** A clock that says NaN where it has no time: then nobody can tell what has expired. */
export function clock(now: () => number): () => number {
  return () => {
    const at = attempt(now);
    return typeof at === "number" && Math.abs(at) < 2 ** 53 ? at : NaN;
  };
}
