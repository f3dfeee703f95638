// Each fault of the server over a real connection. What a consumer has to make of it stands in ../expected.mjs under the same
// name: here stands only what is done, so that no engine can agree with itself.
import { open } from "../../../dist/index.js";
import { follow, rules, settled } from "./follow.mjs";

/** Follows session a through a fault to its end. */
const faulty = (fault, options) => async (server) => settled(await follow(server.events("a", fault), options));

/** Every `step`th byte of the stream is where the first connection breaks. */
const STEP = 59;

async function cuts(server, how) {
  const { records, bytes } = await server.log();
  const wrong = [];
  for (let at = 0; at < bytes; at += STEP) {
    const { lines, texts } = await follow(server.events("a", { fault: how, at }));
    const same = JSON.stringify(texts) === JSON.stringify(records.a);
    if (!same || lines.at(-1) !== "end a server") wrong.push({ at, lines });
  }
  return wrong;
}

export const live = {
  "an honest server": async (server) => (await follow(server.events("a"))).lines,
  "cut at many bytes": (server) => cuts(server, "cut"),
  "ended at many bytes": (server) => cuts(server, "end"),
  "a byte at a time": async (server) => (await follow(server.events("a", { drip: 1 }))).lines,
  "lines that end with CR": async (server) => (await follow(server.events("a", { eol: "cr" }))).lines,
  "three sessions on one connection": async (server) =>
    settled(await follow(server.events("a"), { sessions: ["a", "team:b", "née"] })),
  "one refused, the others go on": async (server) =>
    settled(await follow(server.events("a", { fault: "takeover", record: "a:3" }), { sessions: ["a", "team:b", "née"], cursor: "a:3@7" })),
  "a generation of another writer": faulty({ fault: "takeover", record: "a:3" }, { cursor: "a:3@7" }),
  "a cursor ahead of the log": faulty({ fault: "lose", record: "a:2", times: "always" }, { cursor: "a:4@7" }),
  "a log that was pruned": faulty({ fault: "prune", record: "a:4", times: "always" }, { cursor: "a:2@7" }),
  "a gap that a new connection fills": async (server) => {
    const followed = await follow(server.events("a", { fault: "drop", record: "a:3" }));
    return [...settled(followed), ...(await server.asked())];
  },
  "a gap that stays": faulty({ fault: "drop", record: "a:3", times: "always" }),
  "a refusal, and a load that mends it": async (server) =>
    settled(await follow(server.events("a", { fault: "takeover", record: "a:3" }), { cursor: "a:3@7", load: () => ({ state: {}, cursor: "a:5@7" }) })),
  "a record twice": faulty({ fault: "double", record: "a:3" }),
  "a cursor that was not heard": faulty({ fault: "ignore" }, { cursor: "a:4@7" }),
  "429 with Retry-After": async (server) => {
    const followed = await follow(server.events("a", { fault: "status", status: 429, retryAfter: 1 }));
    const [{ rule, wait }] = followed.decisions;
    return [`${rule} ${wait}`, ...settled(followed)];
  },
  "401": faulty({ fault: "auth", token: "t" }),
  "410": faulty({ fault: "status", status: 410, code: "stream.gap.pruned" }),
  "503, then well": async (server) => {
    const followed = await follow(server.events("a", { fault: "status", status: 503 }));
    return [...rules(followed), ...settled(followed)];
  },
  "a page in place of a stream": faulty({ fault: "html" }),
  "a connection without an answer": faulty({ fault: "reset" }),
  "bodies that end at once": faulty({ fault: "empty", times: "always" }),
  "no content": faulty({ fault: "status", status: 204 }),
  "in a worker of the package": async (server) =>
    typeof Worker === "function" ? settled(await follow(server.events("a", { fault: "end", at: 900 }), { worker: true })) : "no workers here",
  "closed while nothing comes": async (server) => {
    const stream = open(server.events("a", { fault: "stall", at: 900 }));
    let last;
    for await (last of stream) if (last.kind === "event" && last.seq === 3) stream.close();
    return [last.kind, last.cause];
  },
};
