package serve

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/replay"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sse"
)

// appendHead is where a session stands and what its cursor is owed. from is the
// first seq to come, absent when none will.
func appendHead(dst []byte, session string, h replay.Head, v *replay.Verdict) []byte {
	w := rawjson.Begin(nil)
	w.Text("sessionId", session)
	writeHead(&w, h)
	w.Text("verdict", v.Outcome.String())
	switch v.Outcome {
	case replay.Replayed:
		w.Int("from", int64(v.From))
	case replay.Complete:
		w.Int("from", int64(h.LastSeq)+1)
	}
	return appendControl(dst, "tidemark.head", w.End())
}

// writeHead writes the members that a head has everywhere.
func writeHead(w *rawjson.Writer, h replay.Head) {
	w.Int("lastSeq", int64(h.LastSeq))
	if h.Generation.IsSet() {
		w.Name("generation")
		w.Append(func(dst []byte) []byte { return sessionlog.AppendGeneration(dst, h.Generation) })
	}
	w.Int("oldestSeq", int64(h.OldestSeq))
}

func appendLive(dst []byte, session string, last events.Seq) []byte {
	w := rawjson.Begin(nil)
	w.Text("sessionId", session)
	w.Int("lastSeq", int64(last))
	return appendControl(dst, "tidemark.live", w.End())
}

// appendRefused is the refusal without the catalog's words for it.
func appendRefused(dst []byte, r *replay.Refusal) []byte {
	w := rawjson.Begin(nil)
	w.Text("sessionId", r.Session)
	w.Text("reason", r.Reason.String())
	w.Known("detail", r.Detail.String())
	for name, value := range rawjson.Members(r.AppendJSON(nil, wireBase, strength(r))) {
		if string(name) == "evidence" {
			w.Raw("evidence", value)
		}
	}
	return appendControl(dst, "tidemark.refused", w.End())
}

func appendEnd(dst []byte, session, reason string) []byte {
	w := rawjson.Begin(nil)
	w.Text("sessionId", session)
	w.Text("reason", reason)
	return appendControl(dst, "tidemark.end", w.End())
}

// appendControl cannot fail: our names and JSON fit into lines.
func appendControl(dst []byte, name string, data []byte) []byte {
	dst, _ = sse.AppendEvent(dst, sse.Out{Event: []byte(name), Data: data})
	return dst
}

// appendEvent writes one event; token is nil for one that is not recorded.
func appendEvent(dst, token, text []byte) ([]byte, error) {
	return sse.AppendEvent(dst, sse.Out{ID: token, Data: text})
}
