// What stands between server and consumer, in every engine: called by the consumer itself.
import { proxy, validate } from "../../../dist/edge/index.js";
import { follow, settled } from "./follow.mjs";

/** A fetch whose requests go through the edge. */
const through = async (input, init) => {
  const request = new Request(input, init);
  return proxy(request, { upstream: new URL(request.url).origin });
};

const text = async (url) => (await fetch(url)).text();
const stream = (body) => new Response(body, { headers: { "content-type": "text/event-stream" } });

export const edge = {
  "a stream through the edge": async (server) => settled(await follow(server.events("a"), { fetch: through })),
  "breaks behind the edge": async (server) => (await follow(server.events("a", { fault: "cut", at: 700 }), { fetch: through })).texts.length,
  "bytes through the edge": async (server) => {
    const whole = await text(server.events("a"));
    return (await (await validate(stream(whole), { sessions: ["a"] })).text()) === whole;
  },
  "a splice at the edge": async (server) => {
    const whole = await text(server.events("a"));
    const at = whole.indexOf("id: a:4");
    const spliced = whole.slice(0, at) + whole.slice(whole.indexOf("id: a:5"));
    const passed = await (await validate(stream(spliced), { sessions: ["a"] })).text();
    return [passed.startsWith(whole.slice(0, at)), /tidemark\.refused\ndata: .*"detail":"(\w+)"/.exec(passed)?.[1], passed.includes("id: a:5")];
  },
};
