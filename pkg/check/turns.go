package check

import "github.com/tidemark-stream/tidemark/pkg/events"

// turn is a turn that has not ended.
type turn struct {
	paused bool
	typ    string // of the event that made it so
	time   string
	place  Place
}

// Types that open a turn, or let it rest. The terminal ones close it.
var (
	turnStarted  = events.TypeIndex([]byte("turn_started"))
	turnResuming = events.TypeIndex([]byte("turn_resuming"))
	turnPaused   = events.TypeIndex([]byte("turn_paused"))
)

// seeTurn follows the turns of a session. Where the profile names terminal events,
// those say when a stream is over, and turns are left alone.
func (c *Checker) seeTurn(s *session, text []byte, p Place) {
	e := &c.event
	if e.Known < 0 || len(e.Turn) == 0 || len(c.profile.Terminal) > 0 || e.Seq == 0 && c.numbered() {
		return
	}
	switch {
	case events.TypeAt(e.Known).Terminal:
		delete(s.turns, string(e.Turn))
	case e.Known == turnStarted, e.Known == turnResuming, e.Known == turnPaused:
		c.openTurn(s, text, p)
	}
}

func (c *Checker) openTurn(s *session, text []byte, p Place) {
	e := &c.event
	t := s.turns[string(e.Turn)]
	if t == nil {
		if len(s.turns) >= mostTurns {
			c.limit("open turns", p)
			return
		}
		if s.turns == nil {
			s.turns = map[string]*turn{}
		}
		t = &turn{}
		s.turns[string(e.Turn)] = t
	}
	*t = turn{paused: e.Known == turnPaused, typ: clip(e.Type, mostName), time: c.timeOf(text), place: p}
}
