package typed

import (
	"bytes"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Decode reads a live event, of the session or of the run era. The text is
// copied. A type that the catalog does not have, the record-only types among
// them, is an [Unknown]. Errors are faults with the rule [fault.BadEvent].
func Decode(text []byte) (Event, error) {
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	form := formOf(d)
	name, bad := nameOf(d)
	if bad != nil {
		return nil, bad.fault(fault.BadEvent, "")
	}
	if form == RunEra {
		name = runEraName(name)
	}
	e := newLive(name)
	if e == nil {
		e = &Unknown{}
	}
	return fill(e, d, form)
}

// DecodeRecord reads a line of a session log. All record types have a struct;
// any other type is an [Unknown]. sessionId and v may be missing, since not
// every log writes them.
func DecodeRecord(text []byte) (Event, error) {
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	name, bad := nameOf(d)
	if bad != nil {
		return nil, bad.fault(fault.BadEvent, "")
	}
	e := newRecord(name)
	if e == nil {
		e = newLive(name)
	}
	if e == nil {
		e = &Unknown{}
	}
	return fill(e, d, Recorded)
}

// parse copies a text and finds its members.
func parse(text []byte) (*document, error) {
	if problem, at := rawjson.Check(text, events.MaxDepth); problem != rawjson.OK {
		return nil, (&mismatch{want: "an event as JSON", found: problem.String(), offset: at}).fault(fault.BadEvent, "")
	}
	d := scan(bytes.Clone(text))
	if d == nil {
		found := foundIn(bytes.TrimLeft(text, " \t\r\n"))
		return nil, (&mismatch{want: "an object", found: found}).fault(fault.BadEvent, "")
	}
	return d, nil
}

// fill reads a text into a new event. The slots say precisely what is wrong
// with a value; the scanner then holds the envelope to the rules of the stream.
func fill(e Event, d *document, form Form) (Event, error) {
	b := e.Common()
	b.form, b.doc = form, *d
	if bad := d.load(slots(e)); bad != nil {
		return nil, bad.fault(fault.BadEvent, string(b.SessionID))
	}
	if problem, at := scanEnvelope(d.text, form); problem != events.NoProblem {
		bad := &mismatch{want: "an event", found: problem.String(), offset: at}
		return nil, bad.fault(fault.BadEvent, "")
	}
	return e, nil
}

func scanEnvelope(text []byte, form Form) (events.Problem, int) {
	s := events.NewScanner(form.members())
	var e events.Envelope
	problem := s.Scan(text, &e)
	return problem, s.Offset()
}

// into reads a text into an event of the caller's, for encoding/json.
func into[T any, P interface {
	*T
	Event
}](e P, text []byte, read func([]byte) (Event, error)) error {
	got, err := read(text)
	if err != nil {
		return err
	}
	same, ok := got.(P)
	if !ok {
		bad := (&mismatch{want: e.Type(), found: got.Type()}).within("type", 0)
		return bad.fault(fault.BadEvent, "")
	}
	*e = *same
	return nil
}

func isUnknown(e Event) bool {
	_, ok := e.(*Unknown)
	return ok
}
