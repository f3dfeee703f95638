// Package wire writes the frames of the protocol: what a server, or a
// relay in its place, says beside the events. What it says in place of a stream is a
// problem document.
//
// Every function appends one whole frame. Numbers are written as given: they count
// from 1, as everywhere in this protocol.
package wire

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/replay"
	"github.com/tidemark-stream/tidemark/pkg/sse"
)

// AppendHead appends where a session stands and what its cursor is owed. from, the
// first seq to come, is absent when none will.
func AppendHead(dst []byte, session string, h *replay.Head, v *replay.Verdict) []byte {
	w := rawjson.Begin(nil)
	w.Text("sessionId", session)
	WriteHead(&w, h)
	w.Text("verdict", v.Outcome.String())
	switch v.Outcome {
	case replay.Replayed:
		w.Int("from", int64(v.From))
	case replay.Complete:
		w.Int("from", int64(h.LastSeq)+1)
	}
	return appendFrame(dst, "tidemark.head", w.End())
}

// WriteHead writes the members that a head has everywhere.
func WriteHead(w *rawjson.Writer, h *replay.Head) {
	w.Int("lastSeq", int64(h.LastSeq))
	if h.Generation.IsSet() {
		w.Name("generation")
		w.Append(h.Generation.AppendJSON)
	}
	w.Int("oldestSeq", int64(h.OldestSeq))
}

// AppendLive appends that the replay has ended at last.
func AppendLive(dst []byte, session string, last events.Seq) []byte {
	w := rawjson.Begin(nil)
	w.Text("sessionId", session)
	w.Int("lastSeq", int64(last))
	return appendFrame(dst, "tidemark.live", w.End())
}

// AppendRefused appends a refusal, without the catalog's words for it: the reader has
// them. base is the first seq that its stream has, 0 or 1.
func AppendRefused(dst []byte, r *replay.Refusal, base events.Seq) []byte {
	w := rawjson.Begin(nil)
	w.Text("sessionId", r.Session)
	w.Text("reason", r.Reason.String())
	w.Known("detail", r.Detail.String())
	for name, value := range rawjson.Members(r.AppendJSON(nil, base, profile.StrengthNone)) {
		if string(name) == "evidence" {
			w.Raw("evidence", value)
		}
	}
	return appendFrame(dst, "tidemark.refused", w.End())
}

// AppendEnd appends that nothing more will come of a session.
func AppendEnd(dst []byte, session, reason string) []byte {
	w := rawjson.Begin(nil)
	w.Text("sessionId", session)
	w.Text("reason", reason)
	return appendFrame(dst, "tidemark.end", w.End())
}

// AppendFault appends why a relay gives the connection up. It is the last
// frame of the connection.
func AppendFault(dst []byte, f *fault.Fault) []byte {
	w := rawjson.Begin(nil)
	w.Text("code", f.ID.String())
	w.Known("expected", f.Expected)
	w.Known("found", f.Found)
	return appendFrame(dst, "tidemark.fault", w.End())
}

// appendFrame cannot fail: our names and JSON fit into lines.
func appendFrame(dst []byte, name string, data []byte) []byte {
	dst, _ = sse.AppendEvent(dst, sse.Out{Event: []byte(name), Data: data})
	return dst
}
