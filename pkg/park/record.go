package park

import (
	"github.com/tidemark-stream/tidemark/internal/datetime"
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// member is one that a record of these types may have.
type member uint8

const (
	memType member = iota
	memTS
	memTurn
	memDecisionID
	memCheckpoint
	memRequest
	memDeadline
	memDecision
	memBy
	memSeq
	memGen
	memGeneration
	memCount
)

var memNames = [memCount]string{
	"type", "ts", "turnId", "decisionId", "checkpointId", "request", "deadlineAt", "decision", "resolvedBy", "seq", "gen", "generation",
}

// record is a record of one of these types: its values as they stand, nil for those
// that it has not, and what they say.
type record struct {
	raw              [memCount][]byte
	at               int64
	decision         string
	turn, checkpoint string
	seq              events.Seq
	generation       events.Generation
}

// read takes a record apart; false: it is damaged.
func (r *record) read(text []byte) bool {
	if problem, _ := rawjson.Check(text, len(text)); problem != rawjson.OK {
		return false
	}
	for name, value := range rawjson.Members(text) {
		if m := memberNamed(name); m < memCount {
			if r.raw[m] != nil {
				return false // which of the two was meant, nobody can tell
			}
			r.raw[m] = value
		}
	}
	return r.time() && r.names()
}

func memberNamed(name []byte) member {
	for m := range memCount {
		if memNames[m] == string(name) {
			return m
		}
	}
	return memCount
}

func (r *record) time() (ok bool) {
	r.at, ok = timeOf(r.raw[memTS])
	return ok
}

func (r *record) names() bool {
	var fine bool
	r.decision, fine = nameOf(r.raw[memDecisionID])
	return fine && r.decision != "" && optional(&r.turn, r.raw[memTurn]) && optional(&r.checkpoint, r.raw[memCheckpoint])
}

// place reads where the record stands in its log, which it need not say. A log calls
// the generation gen, a stream generation.
func (r *record) place() (ok bool) {
	token := r.raw[memGen]
	if has(token) && has(r.raw[memGeneration]) {
		return false
	}
	if !has(token) {
		token = r.raw[memGeneration]
	}
	if has(token) {
		if r.generation, ok = events.ParseGeneration(token); !ok {
			return false
		}
	}
	if has(r.raw[memSeq]) {
		r.seq, ok = events.ParseSeq(r.raw[memSeq])
		return ok
	}
	return true
}

// has reports whether a value is there; null is as good as none.
func has(raw []byte) bool { return len(raw) > 0 && raw[0] != 'n' }

// nameOf reads text that is compared: halves of surrogate pairs would become equal.
func nameOf(raw []byte) (string, bool) {
	text, ok := rawjson.AppendExactText(nil, raw)
	return string(text), ok
}

func optional(into *string, raw []byte) (ok bool) {
	if !has(raw) {
		return true
	}
	*into, ok = nameOf(raw)
	return ok
}

// timeOf reads a date-time text as milliseconds.
func timeOf(raw []byte) (ms int64, ok bool) {
	text, ok := rawjson.AppendText(nil, raw)
	if !ok {
		return 0, false
	}
	return datetime.Parse(text)
}
