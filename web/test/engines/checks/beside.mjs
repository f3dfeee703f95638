// Our EventSource beside the browser's own over the same streams: the same events with the same data and last ids, in the same
// order. Where an engine has none of its own, ours alone has to come to what is expected.
import { EventSource } from "../../../dist/eventsource.js";

const TYPES = ["open", "error", "message", "named", "ping", "done"];

/** What one source dispatches until `over` says so: messages with data and last id, other events with the ready state. */
function watch(Source, url, over) {
  return new Promise((resolve) => {
    const lines = [];
    const source = new Source(url);
    const see = (event) => {
      const { type, data, lastEventId } = event;
      lines.push(data === undefined ? `${type} ${source.readyState}` : `${type} ${lastEventId} ${data}`);
      if (over(event, source)) resolve((source.close(), lines));
    };
    for (const type of TYPES) source.addEventListener(type, see);
  });
}

async function both(url, over) {
  const own = globalThis.EventSource;
  const [ours, native] = await Promise.all([watch(EventSource, url(), over), own ? watch(own, url(), over) : null]);
  return { ours, native };
}

/** Of session a, until its last record: the seqs, and how many messages were none. */
async function untilLast(server, fault) {
  const { ours, native } = await both(() => server.events("a", fault), ({ lastEventId }) => lastEventId === "a:8@7");
  const same = native === null || JSON.stringify(native) === JSON.stringify(ours);
  const messages = ours.filter((line) => line.startsWith("message "));
  return { ids: messages.map((line) => line.split(" ")[1]), beside: native === null ? "nothing" : same ? "the same" : native };
}

export const beside = {
  "beside the browser's EventSource": (server) => untilLast(server),
  "beside the browser's EventSource, lines that end with CRLF": (server) => untilLast(server, { eol: "crlf" }),
  "beside the browser's EventSource, across a break": (server) => untilLast(server, { fault: "end", at: 1100 }),
  "beside the browser's EventSource, frames of all kinds": async (server) => {
    const { ours, native } = await both(() => server.frames(), (_, source) => source.readyState === 2);
    return { ours, beside: native === null ? "nothing" : JSON.stringify(native) === JSON.stringify(ours) ? "the same" : native };
  },
};
