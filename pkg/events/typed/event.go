package typed

import (
	"encoding/json"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// Event is one decoded event or record. The structs of this package are all the
// implementations there are.
type Event interface {
	// Type is the name of the type in the catalog. The text of a run-era event
	// may have an older one.
	Type() string
	// Common is the part that all events have.
	Common() *Base

	own() []slot
}

// Raw is the JSON text of a value that is not looked into. Never change its
// bytes, put another Raw in its place.
type Raw []byte

// MarshalJSON is the text itself, null for none.
func (r Raw) MarshalJSON() ([]byte, error) { return json.RawMessage(r).MarshalJSON() }

// UnmarshalJSON keeps a copy of the text.
func (r *Raw) UnmarshalJSON(text []byte) error {
	*r = append(Raw(nil), text...)
	return nil
}

// String is the text.
func (r Raw) String() string { return string(r) }

// Form is the envelope that an event stands in.
type Form uint8

// Forms. The zero Form is that of every new event.
const (
	Live     Form = iota // a live event of a session
	RunEra               // a live or persisted event of the older envelope
	Recorded             // a line of a session log
)

// Base is what surrounds an event: its envelope, and the text it came from.
type Base struct {
	SessionID  SessionID              // the run id in the run era; required but in a record
	TurnID     Opt[TurnID]            // required by the types that the catalog says so of
	Seq        Opt[events.Seq]        // not set: not recorded; required in a record
	Generation Opt[events.Generation] // gen in a record
	V          Opt[Int]               // schemaVersion in the run era
	Lineage    Opt[Raw]               // not in a record
	TS         string                 // records only: when it was written, as date-time text; required there
	Timestamp  Opt[Int]               // run era only: when it was stored, epoch milliseconds

	form Form
	doc  document
}

// Common is the Base itself.
func (b *Base) Common() *Base { return b }

// Form is the envelope that the event was read from, [Live] for a new one. A new
// record of a type that only a log has becomes [Recorded] when it is encoded.
func (b *Base) Form() Form { return b.form }

// Member is the value of any member of the text the event was read from, known
// or not; false when the text has none of that name. Of repeated ones it is the last.
func (b *Base) Member(name string) (Raw, bool) {
	i := b.doc.last(name)
	if i < 0 {
		return nil, false
	}
	return b.doc.raw(b.doc.members[i]), true
}

// Unknown is an event of a type that the catalog does not have. It is an event
// like any other: kept, passed on, never interpreted.
type Unknown struct {
	Base
	Name string // on the wire
}

// Type is Name.
func (e *Unknown) Type() string { return e.Name }

func (e *Unknown) own() []slot { return nil }

// MarshalJSON is [Encode].
func (e *Unknown) MarshalJSON() ([]byte, error) { return Encode(e) }

// UnmarshalJSON is [Decode].
func (e *Unknown) UnmarshalJSON(text []byte) error { return into(e, text, Decode) }

// Shape is the text of an object inside an event; the structs of nested shapes
// embed it. The zero Shape belongs to an object that was not read.
type Shape struct{ doc document }

func (s *Shape) document() *document { return &s.doc }

// slots are all members of an event, in the order in which a new one is written.
func slots(e Event) []slot {
	b := settled(e)
	return append(append([]slot{typeSlot(e)}, b.envelope(turnRule(e))...), e.own()...)
}

// settled is the Base of an event in its form: a type that only a log has is
// always a record, even when it is new.
func settled(e Event) *Base {
	b := e.Common()
	if _, only := recordTurn[e.Type()]; only && !isUnknown(e) {
		b.form = Recorded
	}
	return b
}

func typeSlot(e Event) slot {
	if u, ok := e.(*Unknown); ok {
		return need("type", &u.Name, text[string]())
	}
	return fixed(e.Type())
}

func turnRule(e Event) events.TurnRule {
	if rule, ok := recordTurn[e.Type()]; ok && e.Common().form == Recorded {
		return rule
	}
	return events.TypeAt(events.TypeIndex([]byte(e.Type()))).Turn
}

// envelope is the slots of the form that the event stands in.
func (b *Base) envelope(turn events.TurnRule) []slot {
	session := need("sessionId", &b.SessionID, text[SessionID]())
	turnID := may("turnId", &b.TurnID, text[TurnID]())
	if turn == events.TurnRequired {
		turnID = must(turnID)
	}
	seq := may("seq", &b.Seq, place())
	lineage := may("lineage", &b.Lineage, opaque())
	switch b.form {
	case RunEra:
		return []slot{
			need("runId", &b.SessionID, text[SessionID]()), may("turnId", &b.TurnID, text[TurnID]()), seq,
			may("generation", &b.Generation, fence()), may("schemaVersion", &b.V, integer()), lineage,
			may("timestamp", &b.Timestamp, integer()),
		}
	case Recorded:
		return []slot{
			unlessEmpty(session, &b.SessionID), turnID, must(seq), may("gen", &b.Generation, fence()),
			may("v", &b.V, integer()), need("ts", &b.TS, text[string]()),
		}
	}
	return []slot{
		session, turnID, seq, may("generation", &b.Generation, fence()), may("v", &b.V, integer()), lineage,
	}
}

// stray is a field that is set and has no place in the form of the event.
// Leaving it out without a word would lose it.
func (b *Base) stray() *mismatch {
	set := map[string]bool{
		"TS":        b.form != Recorded && b.TS != "",
		"Timestamp": b.form != RunEra && b.Timestamp.IsSet(),
		"Lineage":   b.form == Recorded && b.Lineage.IsSet(),
	}
	for _, field := range []string{"TS", "Timestamp", "Lineage"} {
		if set[field] {
			return &mismatch{want: "no " + field + ", which this form of an event does not have", found: "one"}
		}
	}
	return nil
}

// members is where the scanner of pkg/events finds the envelope of a form.
func (f Form) members() events.Members {
	switch f {
	case RunEra:
		return events.RunMembers
	case Recorded:
		return events.RecordMembers
	}
	return events.SessionMembers
}

// formOf tells the envelope of a live event by its members.
func formOf(d *document) Form {
	if d.last("sessionId") < 0 && d.last("runId") >= 0 {
		return RunEra
	}
	return Live
}

// nameOf is the type name in the text.
func nameOf(d *document) (string, *mismatch) {
	const want = "text"
	i := d.last("type")
	if i < 0 {
		return "", (&mismatch{want: want, found: nothing}).within("type", 0)
	}
	raw := d.raw(d.members[i])
	name, ok := rawjson.Text(raw)
	if !ok {
		return "", (&mismatch{want: want, found: foundIn(raw)}).within("type", d.members[i].value)
	}
	return name, nil
}
