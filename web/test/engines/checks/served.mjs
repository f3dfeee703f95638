// Streams that an engine serves itself, by its own server or a service worker, with the edge between.
import { proxy } from "../../../dist/edge/index.js";
import { follow, settled } from "./follow.mjs";
import { host } from "./host.mjs";

/** A check that is given `at`: where session a is served, with a fault of the server behind it. */
const served = (check) => async (server) => {
  const upstream = new URL(server.events("a")).origin;
  const own = await host((request) => proxy(request, { upstream }), upstream);
  if (!own) return "nothing serves here";
  const at = (fault) => {
    const { pathname, search } = new URL(server.events("a", fault));
    return own.origin + pathname + search;
  };
  try {
    return await check(at, server);
  } finally {
    await own.stop();
  }
};

const text = async (url) => (await fetch(url)).text();

/** Status and code of an answer that is no stream. */
async function turnedDown(url) {
  const response = await fetch(url, { redirect: "manual" });
  const { code } = await response.json();
  return `${response.status} ${code}`;
}

const NO_STREAMS = [
  { fault: "reset", times: "always" }, { fault: "redirect" }, { fault: "html" }, { fault: "status", status: 410, code: "stream.gap.pruned" }, { cursor: "a" },
];

/** What the engine's EventSource has heard until the session was refused. */
function heard(url) {
  const { EventSource } = globalThis;
  if (!EventSource) return "nothing";
  return new Promise((resolve) => {
    const source = new EventSource(url);
    const lines = [];
    source.addEventListener("message", ({ data, lastEventId }) => /"seq":/.test(data) && lines.push(lastEventId));
    source.addEventListener("tidemark.refused", ({ data }) => {
      source.close();
      resolve([...lines, JSON.parse(data).detail]);
    });
  });
}

export const edgeServed = {
  "served: a stream": served(async (at) => settled(await follow(at()))),
  "served: its bytes": served(async (at, server) => (await text(at())) === (await text(server.events("a")))),
  "served: a record twice": served(async (at, server) => (await text(at({ fault: "double", record: "a:3" }))) === (await text(server.events("a")))),
  // An engine may ask once more by itself, so where the replay ends is left open.
  "served: a break": served(async (at) => settled(await follow(at({ fault: "cut", at: 700 }))).filter((line) => !line.startsWith("live "))),
  "served: a gap": served(async (at) => settled(await follow(at({ fault: "drop", record: "a:3", times: "always" })))),
  "served: a gap that heals": served(async (at) => settled(await follow(at({ fault: "drop", record: "a:3" }))).filter((line) => !line.startsWith("live "))),
  "served: a generation of another writer": served(async (at) => settled(await follow(at({ fault: "takeover", record: "a:3" }), { cursor: "a:3@7" }))),
  "served: no streams": served((at) => Promise.all(NO_STREAMS.map((fault) => turnedDown(at(fault))))),
  "served: to the engine's EventSource": served((at) => heard(at({ fault: "drop", record: "a:3" }))),
};
