package cursor

import (
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Verdict is what one event means to a cursor. The list is closed.
type Verdict uint8

// Verdicts. Only Accept moves the cursor; Accept and Pass hand the event over.
const (
	NoVerdict         Verdict = iota
	Accept                    // recorded, next in line: hand over and move
	Pass                      // not recorded: hand over, do not move
	Duplicate                 // seen before, or void: drop
	Gap                       // something is missing before it
	GenerationChanged         // the log was taken over
	Invalid                   // no event of this session
)

var verdictNames = [...]string{
	"", "accept", "pass", "duplicate", "gap", "generation_changed", "invalid",
}

// String is the name in vectors and decisions.
func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return ""
}

// Decision is a verdict with its evidence. It holds positions only, never
// payload. Generation aliases the judged event's bytes.
type Decision struct {
	Verdict    Verdict
	Detail     fault.Detail      // narrows Gap, GenerationChanged, Duplicate and Invalid; may be none
	Problem    events.Problem    // why an Invalid event is malformed; none when it is not
	Offset     int               // the byte that a Problem of the event's text was found at
	Seq        events.Seq        // of the event; 0 when it had none
	Expected   events.Seq        // the seq that would have been accepted
	Saved      events.Generation // of the cursor; "" when it has none
	Generation []byte            // of the event; nil when it had none
}

// Delivers reports whether the event is handed over.
func (d *Decision) Delivers() bool { return d.Verdict == Accept || d.Verdict == Pass }

// Refuses answers the reason this decision would be refused for, or none.
func (d *Decision) Refuses() fault.Reason {
	switch d.Verdict {
	case Invalid:
		if d.Detail == fault.NoDetail {
			return fault.NoReason // dropped where it stood, and judged when it comes again
		}
		return fault.ReasonGap
	case Gap:
		return fault.ReasonGap
	case GenerationChanged:
		return fault.ReasonGenerationChanged
	}
	return fault.NoReason
}
