package catalog

import "github.com/tidemark-stream/tidemark/pkg/events"

// Field is one member of an event, record, envelope or shape. A member that is
// not required may be absent; null is never written for it.
type Field struct {
	Name     string
	Type     string // a type expression, see [Parse]
	Required bool
	Meaning  string // one line, "" when the name says it all
}

// Event is one live event type. The members sessionId (always required) and
// turnId (as Turn says) are not repeated in Fields.
type Event struct {
	Name     string
	Origin   Origin
	Class    events.Class
	Turn     events.TurnRule
	Terminal bool
	Meaning  string
	Fields   []Field
}

// Origin is the part of the contract that brought a type in.
type Origin string

// Origins.
const (
	Core         Origin = "core"
	Lifecycle    Origin = "run-era-v3"    // messages and tool input, added by version 3 of the run envelope
	ChildSession Origin = "child-session" // delegated work with a log of its own
)

// Group is a run of types that belong together, in reading order.
type Group struct {
	Title   string
	Meaning string
	Events  []Event
}

// Groups holds every live event type. The order of the types is the order of
// the lean table, so that an index means the same in both.
var Groups = []Group{
	turns, requests, messages, tools, people, compaction, plans, tasks, delegation, surroundings,
}

// Events is every live event type, in the order of [Groups].
func Events() []Event {
	var all []Event
	for _, g := range Groups {
		all = append(all, g.Events...)
	}
	return all
}

// Find is the type with this exact name.
func Find(name string) (Event, bool) {
	for _, e := range Events() {
		if e.Name == name {
			return e, true
		}
	}
	return Event{}, false
}

// The shorthands below keep a row of the tables on one line.

const (
	logged    = events.ClassLog
	ephemeral = events.ClassEphemeral
	listener  = events.ClassListener
	inTurn    = events.TurnRequired
	anytime   = events.TurnOptional
)

func core(name string, class events.Class, turn events.TurnRule, meaning string, fields ...Field) Event {
	return Event{Name: name, Origin: Core, Class: class, Turn: turn, Meaning: meaning, Fields: fields}
}

func (e Event) from(o Origin) Event {
	e.Origin = o
	return e
}

func (e Event) closing() Event {
	e.Terminal = true
	return e
}

func need(name, typ string, meaning ...string) Field {
	return Field{Name: name, Type: typ, Required: true, Meaning: join(meaning)}
}

func may(name, typ string, meaning ...string) Field {
	return Field{Name: name, Type: typ, Meaning: join(meaning)}
}

func join(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}
