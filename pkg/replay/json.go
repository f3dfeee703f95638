package replay

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// AppendJSON appends the refusal as it travels to apps, logs and other hops:
// positions, and the catalog's words for them. base is the first seq on the
// wire, 0 or 1; numbers are shown as the wire writes them.
func (r *Refusal) AppendJSON(dst []byte, base events.Seq, s profile.Strength) []byte {
	w := rawjson.Begin(dst)
	r.Write(&w, base, s)
	return w.End()
}

// Write writes the members of [Refusal.AppendJSON].
func (r *Refusal) Write(w *rawjson.Writer, base events.Seq, s profile.Strength) {
	w.Text("session", r.Session)
	w.Text("reason", r.Reason.String())
	w.Known("detail", r.Detail.String())
	w.Open("evidence")
	r.Evidence.write(w, base)
	w.Close()
	r.ID().Write(w)
	w.Text("strength", s.String())
}

// write writes the members that are known, in a fixed order.
func (e *Evidence) write(w *rawjson.Writer, base events.Seq) {
	writeSeq(w, "expectedSeq", e.ExpectedSeq, base)
	writeSeq(w, "receivedSeq", e.ReceivedSeq, base)
	writePlace(w, "savedSeq", e.SavedSeq, base)
	w.Known("savedGeneration", string(e.SavedGeneration))
	w.Known("observedGeneration", string(e.ObservedGeneration))
	if e.HasHead {
		writePlace(w, "lastSeq", e.LastSeq, base)
	}
	writeSeq(w, "oldestSeq", e.OldestSeq, base)
	if e.Index >= 0 {
		w.Int("index", int64(e.Index))
	}
	if e.Status != 0 {
		w.Int("status", int64(e.Status))
	}
	e.Problem.Write(w, e.Offset)
}

// writeSeq writes the seq of an event, unless there is none.
func writeSeq(w *rawjson.Writer, name string, s, base events.Seq) {
	if s > 0 {
		writePlace(w, name, s, base)
	}
}

// writePlace writes a place in the log, unless the wire has no number for it.
func writePlace(w *rawjson.Writer, name string, s, base events.Seq) {
	if n := int64(s) - int64(1-base); n >= 0 {
		w.Int(name, n)
	}
}
