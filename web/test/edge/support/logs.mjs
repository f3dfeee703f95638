// A server of one session log, with the two routes that a worker asks: the stream, and pages of what is old.
import { above, Log } from "../../support/log.mjs";

/** A log whose events say of which log they are, in members that tell them apart. */
export function logOf(session, text, { count = 10, generation } = {}) {
  const log = new Log({ session, count, text, generation });
  for (const event of log.events) Object.assign(event, { messageId: `${text}-${event.seq}`, content: text });
  return log;
}

/** Answers both routes from what `log()` is at that time. */
export function serveLog(upstream, session, log) {
  return upstream.serve(session, ({ response, request, path }) => {
    if (!path.endsWith("/log")) return void response.writeHead(200, { "content-type": "text/event-stream" }).end(log().answer(above(request.url)));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(pageOf(log(), request.url)));
  });
}

function pageOf({ events, last, generation }, address) {
  const since = above(address);
  const limit = Number(new URL(address, "http://x").searchParams.get("limit"));
  const fence = generation === undefined ? {} : { generation };
  return { head: { lastSeq: last, oldestSeq: 1, ...fence }, events: events.slice(since, since + limit), more: since + limit < last };
}

/** What a connection asked for: the route and the cursor. */
export const asked = ({ path, query }) => `${path.split("/").at(-1)} ${query.get("cursor") ?? "-"}`;
