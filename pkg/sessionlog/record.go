package sessionlog

import (
	"bytes"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// ReadRecord turns a log line into the live event it stands for: gen becomes
// generation, sessionId is added when the line has none, every other byte stays.
// Lines that say generation already (recorded live events) are read as well.
//
// wrong says what makes the line no record of session, "" when it is one, and at
// where in the line. The event's text is the line itself when nothing had to
// change; otherwise a new slice.
func ReadRecord(session string, line []byte) (event Event, wrong string, at int) {
	e, wrong, at := readEnvelope(line)
	if wrong != "" {
		return Event{}, wrong, at
	}
	for _, check := range recordChecks {
		if wrong = check.wrong(&e, session); wrong != "" {
			return Event{}, wrong, e.value[check.member].from
		}
	}
	seq, _ := events.ParseSeq(e.raw(memSeq))
	generation, _ := e.generation()
	return Event{Seq: seq, Generation: generation, Text: e.live(session)}, "", 0
}

// recordChecks says what each member of a record has to be.
var recordChecks = [...]struct {
	member int
	wrong  func(e *envelope, session string) string
}{
	{memV, func(e *envelope, _ string) string {
		if v := e.raw(memV); v != nil && string(v) != "1" {
			return "record version " + shorten(v) + " is not known; this reader knows 1"
		}
		return ""
	}},
	{memType, func(e *envelope, _ string) string {
		if name, ok := e.textOf(memType); !ok || name == "" {
			return "no type"
		}
		return ""
	}},
	{memSeq, func(e *envelope, _ string) string {
		if _, ok := events.ParseSeq(e.raw(memSeq)); !ok {
			return "seq is not an integer from 1 to 9007199254740991"
		}
		return ""
	}},
	{memGen, func(e *envelope, _ string) string {
		if e.raw(memGen) != nil && e.name[memGeneration] != (span{}) {
			return "both gen and generation"
		}
		if _, ok := e.generation(); !ok {
			return "the generation is neither digits nor text"
		}
		return ""
	}},
	{memTS, func(e *envelope, _ string) string {
		if ts, ok := e.textOf(memTS); !ok || ts == "" {
			return "no record time: ts has to be date-time text"
		}
		return ""
	}},
	{memTurn, func(e *envelope, _ string) string {
		if _, ok := e.textOf(memTurn); !ok {
			return "turnId is not text"
		}
		return ""
	}},
	{memSession, func(e *envelope, session string) string {
		if id, ok := e.session(); !ok || (id != "" && id != session) {
			return "a record of another session: " + shorten(e.raw(memSession))
		}
		return ""
	}},
}

// generation reads the token under either name; "" when there is none.
func (e *envelope) generation() (events.Generation, bool) {
	raw := e.raw(memGen)
	if raw == nil {
		raw = e.raw(memGeneration)
	}
	if raw == nil {
		return "", true
	}
	return events.ParseGeneration(raw)
}

// RecordOf is the log line of an event that a log stamped: generation is called
// gen again, every other byte stays. For an event that has [Event.Text] from
// [Draft.Event] it is what [Draft.Record] gives.
func RecordOf(event []byte) []byte {
	e, wrong, _ := readEnvelope(event)
	if name := e.name[memGeneration]; wrong == "" && name != (span{}) {
		return bytes.Join([][]byte{event[:name.from], []byte(`"gen"`), event[name.to:]}, nil)
	}
	return event
}

// live is the line under the names of a live event.
func (e *envelope) live(session string) []byte {
	text := e.text
	if gen := e.name[memGen]; gen != (span{}) && e.name[memGeneration] == (span{}) {
		text = bytes.Join([][]byte{text[:gen.from], []byte(`"generation"`), text[gen.to:]}, nil)
	}
	if e.raw(memSession) != nil {
		return text
	}
	again, _, _ := readEnvelope(text)
	return again.withSession(session)
}

// Next is the seq that follows last, and false when the numbers are used up.
func Next(last events.Seq) (events.Seq, bool) { return last + 1, last < events.MaxSeq }

// Raise is the generation above g: "1" above none. It is false when g is not
// written in digits, because nothing is above such a token.
func Raise(g events.Generation) (events.Generation, bool) {
	if !g.IsSet() {
		return "1", true
	}
	if _, ok := g.Order(g); !ok {
		return "", false
	}
	digits := []byte(g)
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] != '9' {
			digits[i]++
			return events.Generation(digits), true
		}
		digits[i] = '0'
	}
	return events.Generation("1" + string(digits)), true
}

// CheckLease is the fence: a writer has to hold the lease the log is under, or
// none when nobody does. The fault is Fenced.
func CheckLease(session string, lease, writer events.Generation) error {
	if lease == writer {
		return nil
	}
	f := fault.New(fault.Fenced, "the lease: "+leaseName(lease), leaseName(writer))
	f.Session = session
	return f
}

func leaseName(g events.Generation) string {
	if !g.IsSet() {
		return "no generation"
	}
	return "generation " + shorten([]byte(g))
}
