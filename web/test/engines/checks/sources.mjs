// Bytes that do not come by requests of ours: what an engine makes of streams, sockets and requests of one's own.
import { bytes, requests, webSocket } from "../../../dist/sources.js";
import { follow, settled } from "./follow.mjs";

/** Pieces of seven bytes, so that frames and characters are cut anywhere. */
function pieces(text) {
  const all = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({ pull: (controller) => (at < all.length ? controller.enqueue(all.slice(at, (at += 7))) : controller.close()) });
}

export const sources = {
  "the body of a response": async (server) => settled(await follow(bytes((await fetch(server.events("a"))).body), { session: "a" })),
  "a response": async (server) => settled(await follow(bytes(await fetch(server.events("a"))), { session: "a" })),
  "a response that breaks": async (server) => {
    const { lines } = await follow(bytes(await fetch(server.events("a", { fault: "cut", at: 700 }))), { session: "a" });
    return lines.at(-1);
  },
  "pieces that end too soon": async (server) => {
    const text = await (await fetch(server.events("a"))).text();
    return settled(await follow(bytes(pieces(text.slice(0, text.indexOf("id: a:4")))), { session: "a" }));
  },
  "two requests": async (server) => {
    const address = server.events("a", { fault: "end", at: 900 });
    const source = requests({ start: () => address, resume: ({ seq }) => new Request(`${address}&cursor=a:${seq}`) });
    return [...settled(await follow(source, { session: "a" })), ...(await server.asked())];
  },
  "messages over a socket": async (server) => (await follow(webSocket(server.socket()), { session: "s1" })).lines,
};
