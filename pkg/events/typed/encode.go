package typed

import (
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Encode is the text of an event: the one it was read from, byte for byte, but
// for the members that were changed since. A new event is written as the session
// envelope, without white space.
//
// The answer is always a text that [Decode] (for a record [DecodeRecord]) reads.
// What can not be written, such as a required member that is missing or a Raw
// that is no JSON, is a fault with the rule [fault.BadInput].
func Encode(e Event) ([]byte, error) {
	if e == nil {
		return nil, fault.New(fault.BadInput, "an event", nothing)
	}
	b := settled(e)
	text, bad := b.doc.write(slots(e))
	if bad == nil {
		bad = b.stray()
	}
	if bad != nil {
		return nil, bad.fault(fault.BadInput, "")
	}
	if problem, _ := scanEnvelope(text, b.form); problem != events.NoProblem {
		return nil, fault.New(fault.BadInput, "an event", problem.String())
	}
	return text, nil
}
