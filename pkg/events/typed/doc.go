// Package typed reads events into Go structs and writes them back, losing
// nothing.
//
// Calls you need: [Decode] for a live event, [DecodeRecord] for a line of a
// session log, [Encode] for the way back, [RecordOf] and [EventOf] between the
// two. A type switch tells events apart:
//
//	e, err := typed.Decode(text)
//	switch e := e.(type) {
//	case *typed.TextDelta:
//		show(e.Text)
//	case *typed.TurnFailed:
//		fail(e.Error)
//	case *typed.Unknown: // a type of a newer producer: keep it, pass it on
//	}
//
// # Nothing is lost
//
// A decoded event keeps its text. [Encode] of an event that was not changed
// answers that text byte for byte: white space, order, escapes, numbers such as
// 1e3 or of twenty digits, unknown members and repeated ones. A changed field
// changes its own member and no other byte; a new one is added at the end; one
// that was cleared is taken out. A shape inside an event does the same for itself.
//
// # What is an error
//
// The types of the values are checked, the vocabulary is not. A required member
// that is missing or null, and a value of another JSON type than the catalog
// says, is a [fault.Fault] with the rule [fault.BadEvent], which names the
// member, what was expected and what was found, and carries the offset. Text
// that an [Enum]-like type does not list is kept: see its Known method. A type
// that the catalog does not have becomes [Unknown].
//
// Reading is as strict as the scanner of pkg/events about the envelope (R-14 to
// seq is digits from 1 to 2^53-1, a repeated envelope member is an error.
// Of other repeated members the last one counts, as it does for JSON.parse.
//
// # Absent, null, zero
//
// A member that may be absent is an [Opt]: absent, null and zero are three
// different things. Null is read, kept, and never written anew.
//
// # Numbers
//
// [Int] and [Number] are the text of the number, so that no size and no digit is
// lost; they convert when asked to. Seq and Generation have the types of pkg/events.
//
// # Older names
//
// An event with runId and without sessionId is of the run era. Its runId reads
// as SessionID, its schemaVersion as V, and the three subsession_ names as the
// child_session_ types; its text keeps the old names. A turn id is not asked for,
// since a run is one turn. No run-era event is ever made here: a new event is
// always written in the session envelope.
//
// The package does no I/O and keeps no state. An event belongs to one goroutine
// at a time; its Raw fields alias its own copy of the text and are read-only.
package typed
