import { HOP_BY_HOP } from "../gen/headers.gen.js";

export type Pairs = [name: string, value: string][];

/**
 * Headers as they pass: without those of one connection, those that it names as such, and these; with ours in place of what
 * they said. Pairs, because each call of a Headers object costs a host more than the whole list.
 */
export function passing(headers: Headers, left: readonly string[], ours: Readonly<Record<string, string>> = {}): Pairs {
  const named = headers.get("connection")?.toLowerCase().split(",").map((name) => name.trim()) ?? [];
  const pairs: Pairs = [];
  headers.forEach((value, name) => {
    if (!HOP_BY_HOP.includes(name) && !left.includes(name) && !named.includes(name) && !Object.hasOwn(ours, name)) pairs.push([name, value]);
  });
  return pairs.concat(Object.entries(ours));
}
