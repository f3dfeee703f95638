package check

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// lineage is the generations of one session in the order of its log.
type lineage struct {
	fence      cursor.Fence
	generation events.Generation // the newest
	unordered  int               // changes between tokens that are only equal or different
}

// shortToken keeps a generation readable, however long it is.
func shortToken(token []byte) events.Generation {
	return events.Generation(clip(token, mostName))
}

// generation holds the generation of a recorded event against those before, and
// answers whether it fits.
func (c *Checker) generation(s *session, text []byte, p Place) bool {
	token := c.event.Generation
	if len(token) == 0 || string(token) == string(s.generation) {
		return true
	}
	f := Finding{Found: c.event.Seq, Saved: shortToken([]byte(s.generation)), Generation: shortToken(token)}
	switch {
	case s.unordered >= mostUnordered:
		c.limit("generations", p)
		return true
	case s.fence.Check(token, 0) != cursor.Fits:
		f.Kind = StaleGeneration
	case s.head.below(token):
		f.Kind, f.Saved = HeadGeneration, shortToken([]byte(s.head.generation))
	case s.generation.IsSet():
		f.Kind = Takeover
		c.flush(s)
		c.reportOf(s, c.about(f, text, p))
		s.rise(token)
		return true
	default:
		s.rise(token)
		return true
	}
	c.flush(s)
	c.reportOf(s, c.about(f, text, p))
	return false
}

// rise takes a generation that follows the one before.
func (s *session) rise(token []byte) {
	if _, ordered := events.TokenIn(token).Order(s.generation); !ordered && s.generation.IsSet() {
		s.unordered++
	}
	s.fence.Take(token)
	s.generation = events.Generation(token)
	s.newest = s.generation
	if !s.oldest.IsSet() {
		s.oldest = s.generation
	}
}
