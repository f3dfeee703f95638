// What goes wrong behind a worker, and what becomes of it: one table, for every worker there is.
//
// A case says what the upstream does about session `s` (`upstream`), what is asked (`query`, `headers`) and what the consumer
// gets: the parts of a stream in order (`gets`), each to the byte or a frame of the worker's own ({ refused }, { fault }), and
// whether it came to its end (`whole`); or a status with a code or a body. `closed` is how the connection to the upstream ended.
import { gzipSync } from "node:zlib";
import { draft, end, event, events, head, live, refused } from "./support/frames.mjs";
import { LEFT, SENT, broken, held, plain, stream } from "./support/upstream.mjs";

const comment = ": alive\n\n";
const dataOf = (text) => `data: ${text}\n\n`;

/** A stream that breaks a rule in the middle. Behind the splice it goes on, and is held open: only the worker can end it. */
const splices = {
  "R-422: a hole between two events": {
    upstream: (s) => [head(s, 5), ...events(s, 1, 2), draft(s), ...events(s, 4, 5)],
    gets: (s) => [head(s, 5), ...events(s, 1, 2), draft(s), { refused: "gap", detail: "hole" }],
  },
  "R-422: a generation that changes in the middle": {
    upstream: (s) => [head(s, 3, { generation: 1 }), ...events(s, 1, 2, { generation: 1 }), event(s, 3, { generation: 2 }), event(s, 4, { generation: 2 })],
    gets: (s) => [head(s, 3, { generation: 1 }), ...events(s, 1, 2, { generation: 1 }), { refused: "generation_changed", detail: "event_generation" }],
  },
  "R-422: a server of another generation than the cursor": {
    query: (s) => `?cursor=${s}:3@1`,
    upstream: (s) => [head(s, 9, { generation: 2 }), ...events(s, 4, 9, { generation: 2 })],
    gets: (s) => [head(s, 9, { generation: 2 }), { refused: "generation_changed" }],
  },
  "R-422: a server that has lost its log and begun again": {
    query: (s) => `?cursor=${s}:9`,
    upstream: (s) => [head(s, 2), ...events(s, 1, 2), live(s, 2)],
    gets: (s) => [head(s, 2), { refused: "cursor_ahead" }],
  },
  "R-422: a log that was pruned above the cursor": {
    query: (s) => `?cursor=${s}:3`,
    upstream: (s) => [head(s, 9, { oldestSeq: 7 }), ...events(s, 7, 9), live(s, 9)],
    gets: (s) => [head(s, 9, { oldestSeq: 7 }), { refused: "gap", detail: "pruned" }],
  },
  "R-422: a replay that ends too early": {
    upstream: (s) => [head(s, 9), ...events(s, 1, 2), live(s, 9), event(s, 10)],
    gets: (s) => [head(s, 9), ...events(s, 1, 2), { refused: "gap", detail: "short" }],
  },
  "R-422: a refusal of the server passes as it came": {
    query: (s) => `?cursor=${s}:3@1`,
    upstream: (s) => [head(s, 9, { verdict: "unavailable", generation: 1 }), refused(s, "gap"), event(s, 8)],
    gets: (s) => [head(s, 9, { verdict: "unavailable", generation: 1 }), refused(s, "gap")],
  },
  "R-422: an event that is no JSON": {
    upstream: (s) => [head(s, 3), event(s, 1), dataOf(`{"sessionId":"${s}","seq":2`), event(s, 3)],
    gets: (s) => [head(s, 3), event(s, 1), { refused: "gap", detail: "bad_event" }],
  },
  "R-422: invalid UTF-8": {
    upstream: (s) => [head(s, 3), event(s, 1), Buffer.from(event(s, 2, { text: "\xff" }), "latin1"), event(s, 3)],
    gets: (s) => [head(s, 3), event(s, 1), { refused: "gap", detail: "bad_event" }],
  },
  "R-423: a head that makes no sense": {
    upstream: (s) => [`event: tidemark.head\ndata: {}\n\n`, event(s, 1)],
    gets: () => [":\n\n", { fault: "stream.invalid_head" }], // so that nothing behind it begins the answer
  },
};

/** A stream that passes, for the most part, and ends by itself. */
const passages = {
  "R-420: a good stream passes as it came": {
    upstream: (s) => ["\ufeff", comment, head(s, 3), draft(s), ...events(s, 1, 3), "retry: 1000\n\n", live(s, 3), event(s, 4), comment],
    gets: "all",
  },
  "R-420: with other line ends and no blanks": {
    upstream: (s) => [head(s, 2).replaceAll("\n", "\r\n"), event(s, 1).replaceAll(": ", ":"), event(s, 2).replaceAll("\n", "\r")],
    gets: "all",
  },
  "R-420: behind a cursor": {
    query: (s) => `?cursor=${s}:2@7`,
    upstream: (s) => [head(s, 4, { generation: 7 }), ...events(s, 3, 4, { generation: 7 }), live(s, 4)],
    gets: "all",
  },
  "R-420: behind the id of a native EventSource": {
    headers: (s) => ({ "last-event-id": `${s}:2` }),
    upstream: (s) => [head(s, 4), ...events(s, 3, 4), live(s, 4)],
    gets: "all",
  },
  "R-420: from now": {
    query: () => "?from=now",
    upstream: (s) => [head(s, 40), live(s, 40), event(s, 41)],
    gets: "all",
  },
  "R-421: what the consumer has is left out": {
    upstream: (s) => [head(s, 3), ...events(s, 1, 2), event(s, 2), comment, event(s, 1), event(s, 3), live(s, 3)],
    gets: (s) => [head(s, 3), ...events(s, 1, 2), comment, event(s, 3), live(s, 3)],
  },
  "R-422: one session of two is refused, and the other goes on": {
    query: (s) => `?session=${s}b`,
    upstream: (s) => [head(s, 3), head(`${s}b`, 2), event(s, 1), event(`${s}b`, 1), event(s, 3), event(`${s}b`, 2), event(s, 4), live(`${s}b`, 2)],
    gets: (s) => [head(s, 3), head(`${s}b`, 2), event(s, 1), event(`${s}b`, 1), { refused: "gap", detail: "hole" }, event(`${s}b`, 2), live(`${s}b`, 2)],
  },
  "R-425: the end that the server says": { upstream: (s) => [head(s, 1), event(s, 1), live(s, 1), end(s)], gets: "all" },
  "R-425: a frame that the end cuts off": {
    upstream: (s) => [head(s, 2), event(s, 1), event(s, 2).slice(0, -2)],
    gets: (s) => [head(s, 2), event(s, 1)],
  },
  "R-420: 5,000 events": {
    upstream: (s) => [head(s, 5000), ...events(s, 1, 5000), live(s, 5000)],
    gets: "all",
  },
};

const html = "<!doctype html><title>Sign in</title>";
const page = { "content-type": "text/html; charset=utf-8" };
const sse = { "content-type": "text/event-stream" };
const json = { "content-type": "application/json" };
const cors = { "access-control-allow-origin": "https://page", "access-control-allow-credentials": "true" };

/** An answer whose body never ends by itself. */
const endless = (status, headers, body) => (connection) => (connection.open(status, headers), connection.send(body));

const vanish = ({ request }) => request.socket.resetAndDestroy();

/** No stream at all. */
const answers = {
  "R-424: a page for people": { upstream: endless(200, page, html), status: 502, code: "stream.upstream_not_stream", closed: LEFT },
  "R-424: JSON in place of a stream": { upstream: endless(200, json, "{}"), status: 502, code: "stream.upstream_not_stream", closed: LEFT },
  "R-424: a stream without a type": { upstream: endless(200, {}, "data: 1\n\n"), status: 502, code: "stream.upstream_not_stream", closed: LEFT },
  "R-424: a compressed stream": {
    upstream: endless(200, { ...sse, "content-encoding": "gzip" }, gzipSync("data: 1\n\n")), status: 502, code: "stream.upstream_encoded", closed: LEFT,
  },
  "R-424: not modified": { upstream: plain(304, {}), status: 502, code: "stream.upstream_moved", closed: SENT },
  "R-424: a redirect": { upstream: plain(307, { location: "/v1/sessions/elsewhere/events" }), status: 502, code: "stream.upstream_moved", closed: SENT },
  "R-424: no answer": { upstream: vanish, status: 502, code: "stream.upstream_down", closed: LEFT },
  "R-424: nothing more will come": { upstream: plain(204, {}), status: 204, body: "", closed: SENT },
  "R-424: what the server says in JSON": {
    upstream: plain(401, { ...json, "www-authenticate": "Bearer" }, `{"code":"unauthorized"}`), status: 401, body: `{"code":"unauthorized"}`,
    headers: { "content-type": "application/json", "www-authenticate": "Bearer" }, closed: SENT,
  },
  "R-424: what the server says to people": { upstream: plain(404, page, html), status: 404, code: "stream.upstream_status", closed: SENT },
  "R-424: a server that is busy": {
    upstream: plain(503, { ...page, "retry-after": "7" }, html), status: 503, code: "stream.upstream_status", headers: { "retry-after": "7" }, closed: SENT,
  },
  "R-424: a page for people without an end": { upstream: endless(500, page, html), status: 500, code: "stream.upstream_status", closed: LEFT },
  "R-424: a cursor that is none": {
    query: (s) => `?cursor=${s}:-1`, upstream: endless(200, { ...sse, ...cors }, "data: 1\n\n"), status: 400, code: "stream.invalid_cursor", headers: cors, closed: LEFT,
  },
  "R-424: a cursor of another session": {
    query: () => "?cursor=other:1", upstream: endless(200, { ...sse, ...cors }, "data: 1\n\n"), status: 400, code: "stream.foreign_session", headers: cors, closed: LEFT,
  },
  "R-145: a cursor that is none, of nobody who may ask": {
    query: (s) => `?cursor=${s}:-1`, upstream: plain(401, json, `{"code":"unauthorized"}`), status: 401, body: `{"code":"unauthorized"}`, closed: SENT,
  },
  "a page may ask, the server says": { method: "OPTIONS", upstream: plain(204, cors), status: 204, body: "", headers: cors, closed: SENT },
  "a page may ask, the server says something": { method: "OPTIONS", upstream: plain(200, { ...page, ...cors }, html), status: 200, body: html, headers: cors, closed: SENT },
  "R-424: an answer to OPTIONS that has no status": { method: "OPTIONS", upstream: plain(999, {}), status: 502, code: "stream.upstream_status", closed: SENT },
};

const bytes = (parts) => Buffer.concat(parts.map((part) => Buffer.from(part)));

/** The same bytes, cut differently: a worker must not notice. */
const CUTS = {
  "": (parts) => parts,
  ", at once": (parts) => [bytes(parts)],
  ", in pieces": (parts) => pieces(bytes(parts), 97),
};

function pieces(all, size) {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.subarray(i * size, (i + 1) * size));
}

function cases(table, answer, closed) {
  return Object.entries(table).flatMap(([title, { upstream, gets, ...rest }]) =>
    Object.entries(CUTS).map(([how, cut]) => ({
      title: title + how, whole: true, closed, ...rest,
      upstream: (s) => answer(...cut(upstream(s))),
      gets: (s) => (gets === "all" ? [bytes(upstream(s))] : gets(s)),
    })));
}

export const streams = [
  ...cases(splices, held, LEFT),
  ...cases(passages, stream, SENT),
  {
    title: "R-425: a break in the middle of a frame is a break", whole: false, closed: LEFT,
    upstream: (s) => broken(head(s, 2), event(s, 1), event(s, 2).slice(0, 30)), gets: (s) => [head(s, 2), event(s, 1)],
  },
  {
    title: "R-423: a line without end", whole: true, closed: LEFT,
    upstream: (s) => endlessLine(head(s, 1), event(s, 1)), gets: (s) => [head(s, 1), event(s, 1), { fault: "stream.frame_too_large" }],
  },
];

/** Far beyond what a frame may have; it ends at all, so that a worker that reads on does not go unnoticed. */
function endlessLine(...before) {
  const line = Buffer.alloc(1 << 16, "x");
  return async (connection) => {
    connection.open();
    for (const chunk of [...before, "data: "]) await connection.send(chunk);
    for (let sent = 0; sent < 64 << 20; sent += line.length) if (!(await connection.send(line))) return;
    connection.end();
  };
}

export const refusals = Object.entries(answers).map(([title, rest]) => ({ title, ...rest }));
