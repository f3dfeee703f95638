package replay

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// AppendJSON appends the refusal as it travels to apps, logs and other hops:
// positions, and the catalog's words for them. base is the first seq on the
// wire, 0 or 1; numbers are shown as the wire writes them.
func (r *Refusal) AppendJSON(dst []byte, base events.Seq, s profile.Strength) []byte {
	rule := fault.RuleOf(r.ID())
	w := rawjson.Begin(dst)
	w.Text("session", r.Session)
	w.Text("reason", r.Reason.String())
	w.Known("detail", r.Detail.String())
	w.Name("evidence")
	w.Append(func(dst []byte) []byte { return r.Evidence.appendJSON(dst, base) })
	w.Text("rule", rule.Name)
	w.Text("message", rule.Message)
	w.Text("hint", rule.Hint)
	w.Text("href", rule.Href())
	w.Text("strength", s.String())
	return w.End()
}

// appendJSON writes the members that are known, in a fixed order.
func (e *Evidence) appendJSON(dst []byte, base events.Seq) []byte {
	w := rawjson.Begin(dst)
	seq := func(name string, s events.Seq, known bool) {
		if n := int64(s) - int64(1-base); known && n >= 0 {
			w.Int(name, n)
		}
	}
	seq("expectedSeq", e.ExpectedSeq, e.ExpectedSeq > 0)
	seq("receivedSeq", e.ReceivedSeq, e.ReceivedSeq > 0)
	seq("savedSeq", e.SavedSeq, true)
	w.Known("savedGeneration", string(e.SavedGeneration))
	w.Known("observedGeneration", string(e.ObservedGeneration))
	seq("lastSeq", e.LastSeq, e.HasHead)
	seq("oldestSeq", e.OldestSeq, e.OldestSeq > 0)
	if e.Index >= 0 {
		w.Int("index", int64(e.Index))
	}
	if e.Status != 0 {
		w.Int("status", int64(e.Status))
	}
	w.Known("problem", e.Problem.String())
	return w.End()
}
