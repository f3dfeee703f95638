package client

import (
	"maps"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Stats are what a stream has counted since it was opened.
type Stats struct {
	Events      int64                  // recorded events that were handed over
	Drafts      int64                  // events that are not recorded
	Bytes       int64                  // of bodies, as they came
	Connections int64                  // that were asked for; the first is one of them
	Refusals    map[fault.Reason]int64 // of sessions, by reason
}

// Stats answers the counters as they are. It may be called from any goroutine.
func (s *Stream) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.stats
	c.Refusals = maps.Clone(c.Refusals)
	return c
}

func (s *Stream) count(add func(*Stats)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	add(&s.stats)
}
