package link

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// AppendJSON appends the verdict with its positions, as onDecision gets it.
// base is the first seq on the wire.
func (r *Report) AppendJSON(dst []byte, base events.Seq) []byte {
	d := &r.Decision
	reason, detail := d.Refuses(), d.Detail
	w := rawjson.Begin(dst)
	w.Text("session", r.Session)
	if r.Outcome != 0 {
		w.Text("verdict", r.Outcome.String())
	} else {
		w.Text("verdict", d.Verdict.String())
	}
	if r.Refusal != nil {
		reason, detail = r.Refusal.Reason, r.Refusal.Detail
	}
	w.Known("reason", reason.String())
	w.Known("detail", detail.String())
	if reason != fault.NoReason {
		w.Text("rule", fault.RefusalID(reason, detail).String())
	}
	w.Known("problem", d.Problem.String())
	if d.Seq > 0 {
		w.Int("seq", int64(cursor.ToWire(d.Seq, base)))
	}
	if d.Verdict != cursor.NoVerdict && d.Expected > 0 {
		w.Int("expectedSeq", int64(cursor.ToWire(d.Expected, base)))
	}
	w.Known("generation", string(d.Generation))
	w.Known("savedGeneration", string(d.Saved))
	if r.Cursor.Session != "" {
		w.Known("cursor", r.Cursor.Token(base))
	}
	return w.End()
}
