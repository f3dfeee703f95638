package logfold

import (
	"bytes"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// record reads a line that should be a record.
func (f *Fold) record(text []byte, ended bool) {
	problem := f.scan(text)
	if problem != events.NoProblem && !ended {
		f.damaged(len(text), "a last line with an end", "one that was cut")
		f.cut = 1
		return
	}
	f.count(text)
	switch e := &f.found; {
	case problem != events.NoProblem:
		f.damaged(e.At, "a record as one JSON object", problem.String())
	case len(e.Type) == 0:
		f.damaged(0, "a record with a type", "none")
	case !f.ours(e):
		f.find(fault.GapForeign, 0, e.Seq, "records of session "+f.Session, "session "+fault.Clip(e.Session))
	case e.Seq == 0:
		f.damaged(0, "a record with a seq", "none")
		f.fold(text, e) // it says what happened, and not where
	default:
		f.place(e)
		f.fold(text, e)
	}
}

// damaged notes that the current line is no record.
func (f *Fold) damaged(at int, expected, found string) {
	f.find(fault.BadRecord, at, 0, expected, found)
}

// count makes a line a link of the chain.
func (f *Fold) count(text []byte) {
	f.records++
	if f.Digest {
		f.chain.Add(text)
	}
	if f.Each != nil {
		f.Each(text)
	}
}

var liveName = []byte(`generation"`)

// scan reads the envelope. A log says gen, a recorded stream generation: whichever
// the last record said is looked for first.
func (f *Fold) scan(text []byte) events.Problem {
	problem := f.scanner.Scan(text, &f.found)
	if problem != events.NoProblem || f.found.Generation != nil {
		return problem
	}
	if f.live == bytes.Contains(text, liveName) {
		return problem
	}
	var e events.Envelope
	if f.other.Scan(text, &e) == events.NoProblem && e.Generation != nil {
		f.found, f.live = e, !f.live
		f.scanner, f.other = f.other, f.scanner
	}
	return problem
}

// ours reports whether a record is of the log's session. The first one that names
// a session says which that is, unless the options do.
func (f *Fold) ours(e *events.Envelope) bool {
	if e.Session == nil {
		return true
	}
	if f.Session == "" {
		f.Session = string(e.Session)
	}
	return string(e.Session) == f.Session
}

// place judges where a record stands.
func (f *Fold) place(e *events.Envelope) {
	if f.first == 0 {
		f.first = e.Seq
	}
	if rule, expected := f.follows(e.Seq); rule != 0 {
		f.find(rule, 0, e.Seq, expected, "seq "+digits(e.Seq))
	}
	f.last = e.Seq
	if string(e.Generation) != string(f.generation) {
		f.takeover(e)
	}
}

func (f *Fold) follows(seq events.Seq) (rule fault.ID, expected string) {
	switch {
	case seq == f.last+1:
		return 0, ""
	case seq > f.last:
		rule = fault.GapHole
	case seq == f.last:
		rule = fault.GapDuplicate
	default:
		rule = fault.GapDisorder
	}
	return rule, "seq " + digits(f.last+1)
}

// takeover judges a generation that is another one than before.
func (f *Fold) takeover(e *events.Envelope) {
	next := events.Generation(e.Generation)
	cmp, ordered := next.Order(f.generation)
	switch {
	case !next.IsSet():
		f.find(fault.StaleGeneration, 0, e.Seq, "generation "+fault.Clip([]byte(f.generation)), "none")
	case f.generation.IsSet() && ordered && cmp < 0:
		f.find(fault.StaleGeneration, 0, e.Seq, "generation "+fault.Clip([]byte(f.generation))+" or a newer one", "generation "+fault.Clip(e.Generation))
	default:
		f.generation = next
	}
}

// fold hands a record to those that look at its type.
func (f *Fold) fold(text []byte, e *events.Envelope) {
	switch string(e.Type) {
	case "decision_requested", "decision_resolved", "decision_expired":
		if f.parks.Add(text) == park.Damaged {
			f.note(fault.BadRecord, 0, e.Seq, "a record of type "+string(e.Type)+" with its members", "one that lacks some")
		}
		f.grants.Add(text)
	case checkpoint.TypeWritten, checkpoint.TypePruned:
		f.ledger.Add(text)
	default:
		if events.TypeAt(e.Known).Terminal {
			f.grants.Add(text)
		}
	}
	if f.through > 0 {
		f.converse(text, e.Seq)
	}
}
