// What each kind of vector may hold, what it wants, and how it is run. A kind without `run` is not built yet.
import { json, pipeline, resolver, sse, tracker } from "./cases.mjs";
import { listings, parks } from "./durable.mjs";
import { relay } from "./relay.mjs";
import { catalog, catalogStrict, ephemeral, normalForm, replay, token } from "./spec.mjs";

const notBuilt = {};
const has = (...names) => (vector) => names.every((name) => Object.hasOwn(vector, name));

/** Tried in order: the first whose test holds is the kind. */
const KINDS = [
  [(v) => v.kind === "sse", sse],
  [(v) => v.kind === "json", json],
  [(v) => v.kind === "resolver", resolver],
  [(v) => v.kind === "tracker", tracker],
  [(v) => v.kind === "pipeline", pipeline],
  [(v) => v.kind === "relay", relay],
  [(v) => v.kind === "api", notBuilt],
  [has("records", "query"), parks],
  ...Object.entries(listings).map(([op, kind]) => [(v) => v.op === op && has("basis")(v), kind]),
  [has("head", "events"), replay],
  [has("thrown", "strict_expect"), catalogStrict],
  [(v) => has("thrown", "expect")(v) && Object.hasOwn(v.expect ?? {}, "facts"), catalog],
  [has("thrown", "expect"), normalForm],
  [has("token", "expect"), token],
  [has("type", "expect"), ephemeral],
];

export function kindOf(vector) {
  if (typeof vector !== "object" || vector === null) return undefined;
  return KINDS.find(([test]) => test(vector))?.[1];
}

/** Paths of keys that the kind does not know: what nobody reads is no test. */
export function unknownKeys({ keys }, vector) {
  const unknown = [];
  const look = (value, allowed, path) => {
    if (allowed === true || typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) return value.forEach((element) => look(element, allowed, path));
    for (const [name, member] of Object.entries(value)) {
      if (!Object.hasOwn(allowed, name)) unknown.push(path + name);
      else look(member, allowed[name], `${path}${name}.`);
    }
  };
  look(vector, keys, "");
  return unknown;
}
