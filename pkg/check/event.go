package check

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// scan reads the envelope of one event into c.event. A log may say generation
// under the name of its records or under that of live events.
func (c *Checker) scan(text []byte) events.Problem {
	problem := c.scanner.Scan(text, &c.event)
	if problem != events.NoProblem || c.other == nil || c.event.Generation != nil {
		return problem
	}
	var live events.Envelope
	if problem = c.other.Scan(text, &live); problem != events.NoProblem {
		c.scanner, c.other = c.other, c.scanner // whose offset names the place
	}
	if live.Generation != nil {
		c.event = live
		c.scanner, c.other = c.other, c.scanner // the next one is likely the same
	}
	return problem
}

// take judges one event that was just scanned; id is what its frame said of it.
func (c *Checker) take(text []byte, problem events.Problem, id cursor.ID, p Place) {
	c.at = p
	c.tally.events++
	if problem != events.NoProblem {
		c.malformed(problem, id, p)
		return
	}
	e := &c.event
	c.place(e, id)
	s := c.sessionOf(e, id)
	c.types(s, text, p)
	if e.Seq == 0 {
		c.tally.unrecorded++
	} else {
		c.tally.recorded++
	}
	if s == nil {
		return
	}
	if c.profile.Position == profile.InPayload && id.Contradicts(e) {
		c.reportOf(s, c.about(Finding{Kind: IDMismatch, Expected: e.Seq, Found: id.Seq, What: clip(id.Session, mostName)}, text, p))
	}
	c.judge(s, text, p)
}

// place takes the position from where the profile has it.
func (c *Checker) place(e *events.Envelope, id cursor.ID) {
	switch c.profile.Position {
	case profile.InID:
		e.Seq = 0
		if id.OK {
			e.Seq = id.Seq
		}
		if id.OK && e.Generation == nil {
			e.Generation = id.Generation
		}
	case profile.Counted:
		e.Seq = 0
	}
}

func (c *Checker) malformed(problem events.Problem, id cursor.ID, p Place) {
	p.At = c.scanner.Offset()
	f := Finding{Kind: Malformed, What: problem.String(), Place: p}
	if s := c.attribute(id.Session, true); s != nil {
		c.reportOf(s, f)
		return
	}
	c.report(f)
}

// sessionOf is the session that an event belongs to: the one it names, its
// id names, or the only one there is. nil: it is nobody's, or one too many.
func (c *Checker) sessionOf(e *events.Envelope, id cursor.ID) *session {
	name := e.Session
	if name == nil && id.OK {
		name = id.Session
	}
	return c.attribute(name, e.Seq == 0)
}

// attribute finds or begins a session by name, nil for none. quiet: an event
// without a place needs none either.
func (c *Checker) attribute(name []byte, quiet bool) *session {
	if name == nil && c.conn.session != "" {
		name = []byte(c.conn.session)
	}
	if name == nil && c.book.several() {
		if !quiet {
			c.report(Finding{Kind: Unattributed, Found: c.event.Seq, Type: clip(c.event.Type, mostName), Place: c.at})
		}
		return nil
	}
	s := c.book.find(name, c.scopeNumber())
	if s == nil {
		c.limit("sessions", c.at)
	}
	return s
}

// about adds to a finding what its event says.
func (c *Checker) about(f Finding, text []byte, p Place) Finding {
	f.Type = clip(c.event.Type, mostName)
	f.Time = c.timeOf(text)
	f.Place = p
	return f
}

// types reports what the type of an event says by itself.
func (c *Checker) types(s *session, text []byte, p Place) {
	if !c.ours {
		return
	}
	kind := c.typeFinding(&c.event, p)
	if kind == NoKind || kind == Unstamped && c.relayed(s) {
		return
	}
	f := c.about(Finding{Kind: kind, Found: c.event.Seq}, text, p)
	if s == nil {
		c.report(f)
		return
	}
	c.reportOf(s, f)
}

// relayed reports whether events of a session may well come without a seq: only
// its own log knows their numbers, and this recording is not of it.
func (c *Checker) relayed(s *session) bool {
	return s == nil || s.recorded == 0 || c.conn.heads > 0 && (s.connection != c.conn.number || !s.head.known)
}

func (c *Checker) typeFinding(e *events.Envelope, p Place) Kind {
	switch class := classOf(e); {
	case class == events.ClassUnknown && c.isNews(e.Type, p):
		return UnknownType
	case class == events.ClassUnknown:
	case class == events.ClassLog && e.Seq == 0 && c.profile.Position == profile.InPayload:
		return Unstamped
	case class != events.ClassLog && (e.Seq > 0 || c.format == JSONL):
		return Ephemeral
	}
	return NoKind
}

// recordTypes stand in a log beside the types of live events.
var recordTypes = [...]string{
	"session_started", "message", "message_replaced", "compaction", "checkpoint_written", "checkpoint_pruned",
	"decision_requested", "decision_resolved", "decision_expired",
}

// classOf is where events of the type can be found.
func classOf(e *events.Envelope) events.Class {
	if e.Known >= 0 {
		return events.TypeAt(e.Known).Class
	}
	for _, name := range recordTypes {
		if name == string(e.Type) {
			return events.ClassLog
		}
	}
	return events.ClassUnknown
}

// isNews reports whether an unknown type is seen for the first time.
func (c *Checker) isNews(name []byte, p Place) bool {
	short := clip(name, mostName)
	if c.tally.unknown[short] {
		return false
	}
	if len(c.tally.unknown) >= mostUnknown {
		c.limit("unknown types", p)
		return false
	}
	if c.tally.unknown == nil {
		c.tally.unknown = map[string]bool{}
	}
	c.tally.unknown[short] = true
	return true
}
