package check

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// head is what the control frames of a connection said about one session.
type head struct {
	known      bool
	last       events.Seq
	generation events.Generation
	live       bool
	over       string // the frame after which no recorded event may come
	told       bool   // that one came was reported
}

// below reports whether a replayed generation is above that of the head.
func (h *head) below(token []byte) bool {
	if !h.known || h.live || !h.generation.IsSet() {
		return false
	}
	cmp, ok := events.TokenIn(token).Order(h.generation)
	return ok && cmp > 0
}

// said is the data of a control frame. Only the members that it has are set.
type said struct {
	base       events.Seq // first seq on the wire
	session    string
	last, from events.Seq // counting from 1
	hasLast    bool
	hasFrom    bool
	generation events.Generation
	verdict    string
	reason     fault.Reason
	detail     fault.Detail
}

// controls are the frames of the protocol; others are of a newer server.
var controls = map[string]struct {
	complete func(*said) bool
	take     func(*Checker, *session, *said)
}{
	"tidemark.head":    {(*said).stands, (*Checker).onHead},
	"tidemark.live":    {(*said).stands, (*Checker).onLive},
	"tidemark.refused": {func(d *said) bool { return d.reason != fault.NoReason }, (*Checker).onRefused},
	"tidemark.end":     {func(*said) bool { return true }, (*Checker).onEnd},
}

// stands reports whether the frame says where the log ends. An empty log has no
// last seq where the first one is 0.
func (d *said) stands() bool { return d.hasLast || d.base == 0 }

// control reads one frame of the protocol.
func (c *Checker) control(name string, data []byte, p Place) {
	rule, known := controls[name]
	if !known {
		return
	}
	c.at = p
	d := said{base: c.profile.Base}
	if !d.read(data) || !rule.complete(&d) {
		c.report(Finding{Kind: BadControl, What: name, Place: p})
		return
	}
	s := c.attribute([]byte(d.session), true)
	if s == nil {
		return
	}
	c.enter(s)
	if name != "tidemark.head" && !s.head.known {
		c.contradict(s, name+" comes without a head before it")
	}
	rule.take(c, s, &d)
}

func (c *Checker) contradict(s *session, what string) {
	c.reportOf(s, Finding{Kind: Contradiction, What: what, Place: c.at})
}

// onHead is the first frame of a session on a connection: what it will bring.
func (c *Checker) onHead(s *session, d *said) {
	c.flush(s)
	c.conn.heads++
	c.holdHead(s, d)
	asked, wasAsked := s.last, s.asked && s.fresh
	s.head = head{known: true, last: d.last, generation: d.generation}
	s.fresh = true
	if !d.hasFrom {
		return
	}
	switch {
	case d.from == 0 || d.from > d.last+1:
		c.contradict(s, "the head says that seq "+d.wire(d.from)+" comes first, and that the log ends at "+d.wire(d.last))
		return
	case wasAsked && d.from <= asked:
		c.reportOf(s, Finding{Kind: NotAbove, Expected: asked + 1, Found: d.from, Place: c.at})
	case wasAsked && d.from > asked+1:
		c.reportOf(s, missingAt(asked, d.from, c.at))
		s.walkFrom(d.from-1, false)
	}
	c.ask(s, d.from-1)
}

func missingAt(last, seq events.Seq, p Place) Finding {
	f := missing(Hole, last, seq)
	f.Place = p
	return f
}

// holdHead holds a head against what was seen of its session before.
func (c *Checker) holdHead(s *session, d *said) {
	f := Finding{Expected: s.highest, Found: d.last, Saved: shortToken([]byte(s.newest)), Generation: shortToken([]byte(d.generation)), Place: c.at}
	cmp, ordered := d.generation.Order(s.newest)
	switch {
	case ordered && cmp < 0:
		f.Kind = StaleGeneration
	case d.last < s.highest && (d.generation == s.newest || !d.generation.IsSet() || !s.newest.IsSet()):
		f.Kind = LostTail
	default:
		return
	}
	c.reportOf(s, f)
}

// onLive ends the replay, which has to have come to the head.
func (c *Checker) onLive(s *session, d *said) {
	c.flush(s)
	if end := max(d.last, s.head.last); s.anchored && c.numbered() && s.last < end {
		f := missing(Short, s.last, end+1)
		f.Found, f.Through, f.Place = s.last, end, c.at
		c.reportOf(s, f)
	}
	s.head.live = true
}

func (c *Checker) onRefused(s *session, d *said) {
	s.head.over = "tidemark.refused"
	f := Finding{Kind: Refused, Rule: fault.RefusalID(d.reason, d.detail), What: d.reason.String(), Place: c.at}
	if d.detail != fault.NoDetail {
		f.What += ", " + d.detail.String()
	}
	c.reportOf(s, f)
}

func (c *Checker) onEnd(s *session, _ *said) {
	s.head.over, s.ended = "tidemark.end", true
}

// read reads the members it knows; others are of a newer server.
func (d *said) read(data []byte) bool {
	if p, _ := rawjson.Check(data, events.MaxDepth); p != rawjson.OK || rawjson.KindOf(data) != rawjson.Object {
		return false
	}
	for name, value := range rawjson.Members(data) {
		if read, known := saidMembers[string(name)]; known && !read(d, value) {
			return false
		}
	}
	return cursor.ValidSession(d.session)
}

// wire is the number of the wire that stands for a seq, "nothing" before the first.
func (d *said) wire(seq events.Seq) string {
	if seq == 0 && d.base == 0 {
		return "nothing"
	}
	return number(cursor.ToWire(seq, d.base))
}

// seq reads a number of the wire.
func (d *said) seq(raw []byte) (events.Seq, bool) {
	n, ok := events.ParseCursorSeq(raw)
	if !ok {
		return 0, false
	}
	return cursor.FromWire(n, d.base)
}

var saidMembers = map[string]func(*said, []byte) bool{
	"sessionId": func(d *said, raw []byte) (ok bool) { d.session, ok = rawjson.Text(raw); return ok },
	"verdict":   func(d *said, raw []byte) (ok bool) { d.verdict, ok = rawjson.Text(raw); return ok },
	"lastSeq": func(d *said, raw []byte) bool {
		d.last, d.hasLast = d.seq(raw)
		return d.hasLast
	},
	"from": func(d *said, raw []byte) bool {
		d.from, d.hasFrom = d.seq(raw)
		return d.hasFrom
	},
	"generation": func(d *said, raw []byte) (ok bool) {
		d.generation, ok = events.ParseGeneration(raw)
		return ok
	},
	"reason": func(d *said, raw []byte) bool {
		name, ok := rawjson.Text(raw)
		d.reason, _ = fault.ParseReason([]byte(name))
		return ok
	},
	"detail": func(d *said, raw []byte) bool {
		name, ok := rawjson.Text(raw)
		d.detail, _ = fault.ParseDetail([]byte(name))
		return ok
	},
}
