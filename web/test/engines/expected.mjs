// What each check of checks/ has to come to, in every engine. Session a of the server has eight records under generation 7, the
// first five before its replay ends.
import { whole } from "./checks/follow.mjs";

const records = whole("a", 7, 8);
const END = "end a server";
/** The log from a record on, as a replay that ends at `live`, and the tail behind it. */
const log = (from, live) => [...records.slice(from - 1, live), `live a:${live} exact`, ...records.slice(live), END];
const all = log(1, 5);

const drafts = (lines) => lines.toSpliced(7, 0, ...DRAFT).toSpliced(2, 0, ...DRAFT);
const DRAFT = ["draft a text_delta", "draft a text_delta"];
const others = [
  "event team:b:1@", "event née:1@w/1 ü", "event team:b:2@", "event team:b:3@", "event née:2@w/1 ü", "live team:b:3 contiguous", "live née:2 exact",
  "event team:b:4@", "event née:3@w/1 ü", "event team:b:5@", "event née:4@w/1 ü", "end team:b server", "end née server",
];

const ids = ["a:1@7", "a:2@7", "a:2@7", "a:2@7", "a:3@7", "a:4@7", "a:5@7", "a:6@7", "a:6@7", "a:6@7", "a:7@7", "a:8@7"];
/** The engine's own EventSource has seen the same, where it has one. */
const besides = (more) => (name, { beside }) => ({ ...more, beside: WITHOUT.includes(name) && beside === "nothing" ? beside : "the same" });
const WITHOUT = ["node", "bun"];

/** The same wherever something can serve: not in the workers of a page. */
const served = (same) => (name, got) => (/ (worker|shared)$/.test(name) && got === "nothing serves here" ? got : same);

export const expected = {
  "an honest server": drafts(all),
  "cut at many bytes": [],
  "ended at many bytes": [],
  "a byte at a time": drafts(all),
  "lines that end with CR": drafts(all),
  "three sessions on one connection": [
    "event a:1@7", "event a:2@7", "event team:b:1@", "event née:1@w/1 ü", "event a:3@7", "event team:b:2@", "event a:4@7", "event team:b:3@",
    "event née:2@w/1 ü", "event a:5@7", "live a:5 exact", "live team:b:3 contiguous", "live née:2 exact", "event a:6@7", "event team:b:4@",
    "event a:7@7", "event a:8@7", "event née:3@w/1 ü", "event team:b:5@", "event née:4@w/1 ü", END, "end team:b server", "end née server",
  ],
  "one refused, the others go on": ["refused a generation_changed", ...others],
  "a generation of another writer": ["refused a generation_changed"],
  "a cursor ahead of the log": ["refused a cursor_ahead"],
  "a log that was pruned": ["refused a gap pruned"],
  "a gap that a new connection fills": [...log(1, 8), "", "cursor=a:2@7"],
  "a gap that stays": [...records.slice(0, 2), "refused a gap hole"],
  "a refusal, and a load that mends it": ["refused a generation_changed", "state a rebuilt a:5@7", ...log(6, 8)],
  "a record twice": all,
  "a cursor that was not heard": log(5, 8),
  "429 with Retry-After": ["stream.http_status 1000", ...all],
  "401": ["threw stream.unauthorized"],
  "410": ["refused a gap pruned"],
  "503, then well": ["stream.http_status", ...all],
  "a page in place of a stream": ["threw stream.content_type"],
  "a connection without an answer": all,
  "bodies that end at once": ["end a incomplete"],
  "no content": [END],
  "in a worker of the package": (name, got) => (got === "no workers here" && /^node$|shared$/.test(name) ? got : log(1, 8)),
  "closed while nothing comes": ["end", "closed"],
  "the body of a response": all,
  "a response": all,
  // WebKitGTK says of a body that breaks off that it has ended: no end of a body is ever taken for the end of a stream.
  "a response that breaks": (name) => (name.startsWith("webkit") ? "end a incomplete" : "threw stream.source_failed"),
  "pieces that end too soon": [...records.slice(0, 3), "end a incomplete"],
  "two requests": [...log(1, 8), "", "cursor=a:3"],
  "messages over a socket": [...whole("s1", 7, 6), "end s1 incomplete"],
  "a stream through the edge": all,
  "breaks behind the edge": 8,
  "bytes through the edge": true,
  "a splice at the edge": [true, "hole", false],
  "served: a stream": served(all),
  "served: its bytes": served(true),
  "served: a record twice": served(true),
  "served: a break": served([...records, END]),
  "served: a gap": served([...records.slice(0, 2), "refused a gap hole"]),
  "served: a gap that heals": served([...records, END]),
  "served: a generation of another writer": served(["refused a generation_changed"]),
  "served: no streams": served([
    "502 stream.upstream_down", "502 stream.upstream_moved", "502 stream.upstream_not_stream", "410 stream.gap.pruned", "400 stream.invalid_cursor",
  ]),
  "served: to the engine's EventSource": (name, got) => (WITHOUT.includes(name) && got === "nothing" ? got : served(["a:1@7", "a:2@7", "hole"])(name, got)),
  "beside the browser's EventSource": besides({ ids }),
  "beside the browser's EventSource, lines that end with CRLF": besides({ ids }),
  "beside the browser's EventSource, across a break": besides({ ids }),
  "beside the browser's EventSource, frames of all kinds": besides({
    ours: [
      "open 1", 'named 1 {"type":"x"}', 'message 1 {"type":"y"}', "ping 1 not json", 'message  {"type":"z"}', 'message é 5 {\n "type": "w"\n}',
      "message é 5 {}", "ping é 5 ", "done é 5 bye", "error 0", "error 2",
    ],
  }),
};
