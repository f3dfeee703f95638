// Inboxes over streams of a server that tests make up.
import { inbox } from "../../dist/inbox.js";
import { open } from "../../dist/index.js";
import { turns } from "./fetch.mjs";
import { START } from "./parks.mjs";

export const ADDRESS = "http://tidemark.invalid/v1/sessions/s1/events";
export const NOW = () => START + 5000;

/** What a page would see: rows, then sessions that are not known. */
export const show = (box) => [
  ...box.rows().map(({ decisionId, state, was }) => `${decisionId} ${state}${was ? `(${was})` : ""}`),
  ...box.sessions().filter(({ known }) => !known).map(({ session, why }) => `${session} ${why}`),
].join(", ");

/** An inbox that reads, on a page of its own. */
export function page(t, server, { address = ADDRESS, now = NOW, box: boxed = {}, ...options } = {}) {
  const box = inbox(open(address, { fetch: server.fetch, ...options }), { now, ...boxed });
  const over = box.run();
  over.catch(() => {});
  t.after(() => box.close());
  return { box, over };
}

export async function reading(t, server, options) {
  const { box } = page(t, server, options);
  await turns();
  return box;
}
