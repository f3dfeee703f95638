package check

import (
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// connectionScoped reports whether numbers live with one connection.
func (c *Checker) connectionScoped() bool {
	return c.profile.Scope == profile.ScopeConnection
}

// scopeNumber is the connection that a session belongs to, 0 for none.
func (c *Checker) scopeNumber() int {
	if c.connectionScoped() {
		return c.conn.number
	}
	return 0
}

// numbered reports whether a seq says anything about the one before it.
func (c *Checker) numbered() bool { return c.profile.Continuity <= profile.Monotonic }

// judge holds one event of a session against those before it: is it allowed
// here, does its generation fit, does its seq connect.
func (c *Checker) judge(s *session, text []byte, p Place) {
	c.enter(s)
	c.seeTurn(s, text, p)
	if c.profile.IsTerminal(c.event.Type) {
		s.terminal = true
	}
	if c.event.Seq == 0 {
		s.unrecorded++
		return
	}
	s.note(&c.event, p)
	if !c.allowed(s, text, p) {
		return
	}
	if s.fresh && c.numbered() {
		c.arrive(s, text, p)
	}
	s.fresh = false
	if c.generation(s, text, p) && c.seq(s, text, p) {
		c.clock(s, text, p)
	}
}

// enter takes a session over to the connection that is being read.
func (c *Checker) enter(s *session) {
	if s.connection == c.conn.number {
		return
	}
	c.flush(s)
	s.connection = c.conn.number
	s.fresh, s.asked, s.head, s.ended = true, false, head{}, false
	if seq, ok := c.conn.start(s.id); ok {
		c.ask(s, seq)
	}
}

// ask begins at a cursor: what follows it is expected. What lies between it and
// the connection before is in neither.
func (c *Checker) ask(s *session, seq events.Seq) {
	if s.recorded > 0 && seq > s.last && c.profile.Continuity == profile.Contiguous {
		f := missing(HoleBetween, s.last, seq+1)
		f.Place = c.at
		s.breaks++
		c.reportOf(s, f)
	}
	if !s.anchored || seq != s.last {
		s.walkFrom(seq, seq < s.last)
	}
	s.asked = true
}

// walkFrom begins behind a seq anew. back: what comes was seen before, older
// generations included.
func (s *session) walkFrom(seq events.Seq, back bool) {
	s.last, s.anchored, s.begun = seq, true, seq+1
	s.holes, s.forgotten = s.holes[:0], 0
	if back {
		s.lineage, s.ms = lineage{}, 0
	}
}

// note keeps the bounds of what was seen.
func (s *session) note(e *events.Envelope, p Place) {
	s.recorded++
	s.at = p
	if s.first == 0 || e.Seq < s.first {
		s.first = e.Seq
	}
	s.highest = max(s.highest, e.Seq)
}

// allowed reports an event that a control frame of its connection ruled out.
func (c *Checker) allowed(s *session, text []byte, p Place) bool {
	if c.conn.heads > 0 && !s.head.known {
		c.reportOf(s, c.about(Finding{Kind: Foreign, Found: c.event.Seq}, text, p))
		return false
	}
	if s.head.over != "" && !s.head.told {
		s.head.told = true
		what := "a recorded event comes after " + s.head.over
		c.reportOf(s, c.about(Finding{Kind: Contradiction, Found: c.event.Seq, What: what}, text, p))
	}
	return true
}

// arrive judges the first recorded event of a session on a connection, where it
// may be other than the next one for good reasons. Then it is the next one.
func (c *Checker) arrive(s *session, text []byte, p Place) {
	seq := c.event.Seq
	contiguous := c.profile.Continuity == profile.Contiguous
	f := Finding{Expected: s.last + 1, Found: seq}
	switch {
	case !s.anchored && (seq == 1 || !contiguous):
	case !s.anchored:
		f.Kind = PrunedStart
	case seq <= s.last && s.asked:
		f.Kind = NotAbove
	case seq <= s.last:
		f.Kind = Overlap
	case s.asked || seq == s.last+1 || !contiguous:
		return
	default:
		f = missing(HoleBetween, s.last, seq)
		s.breaks++
	}
	if f.Kind != NoKind {
		c.reportOf(s, c.about(f, text, p))
	}
	s.walkFrom(seq-1, seq <= s.last)
}

// seq holds the seq of a recorded event against the one before. It answers
// whether the event comes after it, holes or not.
func (c *Checker) seq(s *session, text []byte, p Place) bool {
	seq := c.event.Seq
	if !c.numbered() {
		return true
	}
	if seq <= s.last {
		c.again(s, text, p)
		return false
	}
	c.flush(s)
	if seq > s.last+1 && c.profile.Continuity == profile.Contiguous {
		c.reportOf(s, c.about(missing(Hole, s.last, seq), text, p))
		s.miss(s.last+1, seq-1)
	}
	s.last = seq
	return true
}

func missing(k Kind, last, seq events.Seq) Finding {
	return Finding{Kind: k, Expected: last + 1, Found: seq, Count: int64(seq - last - 1)}
}

// again is a seq at or below the last one. Those that follow each other are one
// finding.
func (c *Checker) again(s *session, text []byte, p Place) {
	seq := c.event.Seq
	kind := Double
	if s.missed(seq) {
		kind = Disorder
	}
	if r := &s.run; r.Kind == kind && seq == r.Through+1 {
		r.Through = seq
		r.Count++
		return
	}
	c.flush(s)
	f := Finding{Kind: kind, Expected: s.last + 1, Found: seq, Through: seq, Count: 1}
	f.Saved, f.Generation = s.generation, shortToken(c.event.Generation)
	s.run = c.about(f, text, p)
}

// flush reports the repeats that ended.
func (c *Checker) flush(s *session) {
	if s.run.Kind != NoKind {
		c.reportOf(s, s.run)
		s.run = Finding{}
	}
}
