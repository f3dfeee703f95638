package link

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

// Broken is the verdict of a report on a connection that broke.
const Broken = "broken"

// AppendJSON appends the verdict with its positions, as onDecision gets it.
// base is the first seq on the wire.
func (r *Report) AppendJSON(dst []byte, base events.Seq) []byte {
	w := rawjson.Begin(dst)
	r.Write(&w, base)
	return w.End()
}

// Write writes the members of [Report.AppendJSON].
func (r *Report) Write(w *rawjson.Writer, base events.Seq) {
	d := &r.Decision
	verdict, reason, detail := d.Verdict.String(), d.Refuses(), d.Detail
	if r.Outcome != replay.NoOutcome {
		verdict = r.Outcome.String()
	}
	if r.Refusal != nil {
		reason, detail = r.Refusal.Reason, r.Refusal.Detail
	}
	rule := fault.RefusalID(reason, detail)
	switch {
	case r.Broken != 0:
		verdict, rule = Broken, r.Broken
	case d.Problem != events.NoProblem:
		rule = problemRule(d.Problem)
	}
	w.Text("session", r.Session)
	w.Text("verdict", verdict)
	w.Known("reason", reason.String())
	w.Known("detail", detail.String())
	w.Known("rule", rule.String())
	d.Problem.Write(w, d.Offset)
	if r.Cut {
		w.Text("problem", "cut inside a frame")
	}
	writeSeq(w, "seq", d.Seq, base)
	if d.Verdict != cursor.NoVerdict {
		writeSeq(w, "expectedSeq", d.Expected, base)
	}
	if r.Proven {
		w.Bool("proven", true)
	}
	w.Known("generation", string(d.Generation))
	w.Known("savedGeneration", string(d.Saved))
	if r.Cursor.Session != "" {
		r.Cursor.WriteToken(w, "cursor", base)
	}
	if r.Broken != 0 && r.Wait >= 0 {
		w.Int("wait", int64(r.Wait))
	}
}

// problemRule is the fault of an event that is malformed, or stands where it
// cannot stand.
func problemRule(p events.Problem) fault.ID {
	switch p {
	case events.IDMismatch:
		return fault.IDMismatch
	case events.TooDeep:
		return fault.TooDeep
	}
	return fault.BadEvent
}

func writeSeq(w *rawjson.Writer, name string, s, base events.Seq) {
	if s > 0 {
		w.Int(name, int64(cursor.ToWire(s, base)))
	}
}
