import { HOP_BY_HOP } from "../gen/headers.gen.js";

/** A copy of headers as they pass: without those of one connection, those that it names as such, and these. */
export function without(headers: Headers, names: readonly string[]): Headers {
  const copy = new Headers(headers);
  const named = headers.get("connection")?.split(",").map((name) => name.trim()) ?? [];
  for (const name of [...HOP_BY_HOP, ...named, ...names]) if (isName(name)) copy.delete(name);
  return copy;
}

/** What is no name of a header cannot be asked for. */
function isName(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(text);
}
