package park

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// Park is one question and what became of it. All of it are copies; treat the
// slices as read-only. Times are milliseconds since 1970.
type Park struct {
	DecisionID, TurnID, CheckpointID string // a turn or checkpoint that the record does not name is ""

	Seq        events.Seq        // where the request stands; 0: the record does not say
	Generation events.Generation // under which it was written; "": the record does not say
	Request    []byte            // the question as JSON, byte for byte

	ParkedAt    int64
	DeadlineAt  int64 // with HasDeadline
	HasDeadline bool

	Resolved    bool       // an answer or an expiry is recorded
	Expired     bool       // and it was an expiry
	ResolvedAt  int64      // with Resolved
	ResolvedSeq events.Seq // with Resolved: where that record stands; 0: it does not say
	Decision    []byte     // with Resolved: as JSON, byte for byte; nil: the record has none
	ResolvedBy  []byte     // the same

	place int // in the fold's list
	told  told
}

// State is how a park stands at a time. Which process waits for it is
// another matter, and no state.
type State uint8

// States of a park.
const (
	Outstanding State = iota // not settled, and not past its deadline
	Expired                  // not settled, and at or past its deadline
	Resolved                 // settled, whatever the deadline says
)

var stateNames = [...]string{"outstanding", "expired", "resolved"}

// String is the word of the wire, "unknown" for a number that is no state.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return "unknown"
}

// ParseState finds the state with that word.
func ParseState(word string) (State, bool) {
	for i, name := range stateNames {
		if name == word {
			return State(i), true
		}
	}
	return 0, false
}

// State says how the park stands at a time. The very millisecond of the deadline is
// past it.
func (p *Park) State(now int64) State {
	switch {
	case p.Resolved:
		return Resolved
	case p.HasDeadline && now >= p.DeadlineAt:
		return Expired
	}
	return Outstanding
}

// AppendJSON writes a park as it stands at a time, in milliseconds since 1970, as an
// object: state (the word of [Park.State]), requestType, and its facts under the names
// that they have wherever a park is written.
//
//	decisionId, turnId, checkpointId  text; "" when the record does not name one
//	seq?                              where the request stands
//	generation?                       under which it was written, as text
//	request                           as it was recorded
//	parkedAt, deadlineAt?             milliseconds since 1970
//
// and of one that is settled
//
//	resolvedAt                milliseconds since 1970
//	resolvedSeq?              where that record stands
//	expired                   whether it is that of an expiry, and no answer
//	decision?, resolvedBy?    as they were recorded
//
// A member with ? is absent when the record does not say it.
func (p *Park) AppendJSON(dst []byte, now int64) []byte {
	w := rawjson.Begin(dst)
	w.Text("state", p.State(now).String())
	w.Text("requestType", p.RequestType())
	p.write(&w)
	return w.End()
}

// write writes the facts, as [Park.AppendJSON] says.
//
//go:noinline
func (p *Park) write(w *rawjson.Writer) {
	w.Text("decisionId", p.DecisionID)
	w.Text("turnId", p.TurnID)
	w.Text("checkpointId", p.CheckpointID)
	if p.Seq > 0 {
		w.Int("seq", int64(p.Seq))
	}
	w.Known("generation", string(p.Generation))
	w.Raw("request", p.Request)
	w.Int("parkedAt", p.ParkedAt)
	if p.HasDeadline {
		w.Int("deadlineAt", p.DeadlineAt)
	}
	if p.Resolved {
		p.writeSettlement(w)
	}
}

func (p *Park) writeSettlement(w *rawjson.Writer) {
	w.Int("resolvedAt", p.ResolvedAt)
	if p.ResolvedSeq > 0 {
		w.Int("resolvedSeq", int64(p.ResolvedSeq))
	}
	w.Bool("expired", p.Expired)
	if p.Decision != nil {
		w.Raw("decision", p.Decision)
	}
	if p.ResolvedBy != nil {
		w.Raw("resolvedBy", p.ResolvedBy)
	}
}

// RequestType is the type that the request has, "" without one that is text.
func (p *Park) RequestType() string { return RequestType(p.Request) }

// RequestType is the member type of a request, "" without one that is text. A
// request that is no JSON has none, and there is no white space around one.
func RequestType(request []byte) (name string) {
	if rawjson.Read(request, len(request), unsafe.Pointer(&name), typeMember[:]) != nil {
		return ""
	}
	return name
}

var typeMember = [...]rawjson.Member{{Name: "type", Read: rawjson.ReadText}, {}}
