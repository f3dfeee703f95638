// Package profile says what a stream can promise, as data: where an event's
// position stands, what its numbers are worth, and which events end it.
//
// The core reads a [Profile] and never guesses: only a stream that promises
// contiguous numbers may be refused for a hole, and no stream reports more
// strength than its profile can prove.
//
// The package is pure: no I/O, no clock, no goroutines.
package profile

import "github.com/tidemark-stream/tidemark/pkg/events"

// Position says where the place of an event is written.
type Position uint8

// Where a position stands.
const (
	InPayload Position = iota // a member of the event (Members.Seq)
	InID                      // the SSE id, as "<session>:<seq>" or a bare number
	Counted                   // nowhere: the driver counts recorded events
)

// Scope is how far the numbers of a stream reach.
type Scope uint8

// Scopes. A seq of ScopeConnection is checked within one connection and never
// saved or sent back.
const (
	ScopeSession Scope = iota
	ScopeRun
	ScopeConnection
	ScopeProcess
)

// Continuity is what the next number may be.
type Continuity uint8

// Only Contiguous may refuse on a hole.
const (
	Contiguous    Continuity = iota // exactly the last one plus 1
	Monotonic                       // any larger one
	CountedEvents                   // counted by the receiver
	Opaque                          // says nothing
)

// Rises reports whether of two numbers of the log one is above the other. They say
// nothing where they are opaque, and are the receiver's where it counts.
func (c Continuity) Rises() bool { return c <= Monotonic }

// Strength is how much a stream can prove about what was handed over.
type Strength uint8

// From nothing to everything.
const (
	StrengthNone       Strength = iota
	StrengthOrdered             // never backwards
	StrengthContiguous          // no hole, but an unfenced log may have been replaced
	StrengthExact               // contiguous, and fenced or proven by overlap
)

// Expired is one answer that means: the replay window is over. It reads as a
// gap with detail window_expired, never as a fatal error.
type Expired struct {
	_      [0]func() // not comparable, which saves a module the code of it
	Status int       // HTTP status it comes with
	Code   string    // value of the body's code member; "" matches any body
}

// Profile is the whole promise. The zero Profile is not valid; start from one
// of the named ones or from [Parse].
type Profile struct {
	Name       string
	Position   Position
	Members    events.Members
	Base       events.Seq // 0 or 1: what the wire calls the first event, which has Seq 1 either way
	Scope      Scope
	Continuity Continuity
	Control    bool     // tidemark.* frames are read as control frames
	Terminal   []string // event types that end a stream; may be empty
	Ephemeral  []string // types that a restart voids; nil: those of the event table
	Expired    []Expired
	Tabled     bool     // its events are those of the event table, which then says what identifies one
	Identity   []string // members that an overlap proof compares, beside the type; nil: those of the table, or none where that does not hold
}

// Session is the envelope of live session events.
var Session = Profile{
	Name: "session", Members: events.SessionMembers, Base: 1, Control: true, Tabled: true,
}

// Record is the envelope of records in a session log.
var Record = Profile{
	Name: "record", Members: events.RecordMembers, Base: 1, Control: true, Tabled: true,
}

// Run is the older run-keyed envelope, schema version 3.
var Run = Profile{
	Name: "run", Members: events.RunMembers, Base: 1, Scope: ScopeRun, Control: true, Tabled: true,
	Terminal: []string{"turn_completed", "turn_failed"},
}

// IsTerminal reports whether an event of this type ends the stream.
func (p *Profile) IsTerminal(typeName []byte) bool { return holds(p.Terminal, typeName) }

// IsEphemeral reports whether an unrecorded event of this type may come again
// after a break: those of the profile's own list, else of the event table.
func (p *Profile) IsEphemeral(e *events.Envelope) bool {
	if p.Ephemeral != nil {
		return holds(p.Ephemeral, e.Type)
	}
	return e.Known >= 0 && events.TypeAt(e.Known).Class == events.ClassEphemeral
}

// IsExpired reports whether an answer says that the replay window is over.
func (p *Profile) IsExpired(status int, code string) bool {
	for _, x := range p.Expired {
		if x.Status == status && (x.Code == "" || x.Code == code) {
			return true
		}
	}
	return false
}

func holds(names []string, name []byte) bool {
	for _, n := range names {
		if n == string(name) {
			return true
		}
	}
	return false
}

var strengthNames = [...]string{"none", "ordered", "contiguous", "exact"}

// String is the name in items and refusals.
//
//go:noinline
func (s Strength) String() string {
	if int(s) < len(strengthNames) {
		return strengthNames[s]
	}
	return ""
}

// NewScanner makes a scanner for the profile's envelope. Where the position does
// not stand in the payload, a member of that name is the payload's own.
func (p *Profile) NewScanner() *events.Scanner {
	m := p.Members
	if p.Position != InPayload {
		m.Seq = ""
	}
	s := events.NewScanner(m)
	s.SetBase(p.Base)
	return s
}

// Names reports whether something in a stream of the profile can name its session:
// an event, an SSE id or a control frame.
func (p *Profile) Names() bool { return p.Members.Session != "" || p.Position == InID || p.Control }

// Proves reports whether a cursor of the stream can be proven by the event it
// stands on: it is known what identifies one, and the log can be asked for it.
func (p *Profile) Proves() bool {
	return (p.Tabled || p.Identity != nil) && p.Scope != ScopeConnection && p.Position != Counted && p.Continuity.Rises()
}

// StrengthOf is what the stream can prove while its cursor is certain, which is
// fenced or proven by overlap, or is not.
//
//go:noinline
func (p *Profile) StrengthOf(certain bool) Strength {
	switch {
	case p.Position == Counted: // numbers of our own prove nothing
		return StrengthNone
	case p.Continuity == Contiguous && certain:
		return StrengthExact
	case p.Continuity == Contiguous:
		return StrengthContiguous
	case p.Continuity == Monotonic:
		return StrengthOrdered
	}
	return StrengthNone
}
