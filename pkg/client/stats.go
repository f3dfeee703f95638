package client

import "github.com/tidemark-stream/tidemark/pkg/fault"

// Stats are what a stream has counted since it was opened.
type Stats struct {
	Events     int64                  // recorded events that were handed over
	Drafts     int64                  // events that are not recorded
	Bytes      int64                  // of bodies, as they came
	Duplicates int64                  // events that were dropped because they came again
	Resyncs    int64                  // connections that were made to see whether a gap is one
	Reconnects int64                  // connections behind the first, resyncs among them
	Refusals   map[fault.Reason]int64 // of sessions, by reason
	Lag        map[string]int64       // how many records a session is behind the newest head that is known of it
}

// tally is what is counted on the way, by the goroutine that the stream belongs to.
type tally struct {
	events, drafts, bytes, connections, duplicates, resyncs int64
	refusals                                                [fault.ReasonGap + 1]int64
}

// lag is how far a lane is behind; known once there is a head to compare with.
type lag struct {
	session string
	behind  int64
	known   bool
}

// Stats answers the counters as of the last item that was asked for. It may be
// called from any goroutine.
func (s *Stream) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &s.shown
	all := Stats{
		Events: t.events, Drafts: t.drafts, Bytes: t.bytes, Duplicates: t.duplicates, Resyncs: t.resyncs,
		Reconnects: max(t.connections-1, 0), Refusals: map[fault.Reason]int64{}, Lag: map[string]int64{},
	}
	for reason, n := range t.refusals {
		if n > 0 {
			all.Refusals[fault.Reason(reason)] = n
		}
	}
	for _, l := range s.lags {
		if l.known && l.session != "" {
			all.Lag[l.session] = l.behind
		}
	}
	return all
}

// show lets others see what was counted, and how far some lanes are behind.
func (s *Stream) show(from, to int) {
	counts := s.link.Counts()
	s.tally.duplicates, s.tally.resyncs = int64(counts.Duplicates), int64(counts.Resyncs)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shown = s.tally
	for i := from; i < to; i++ {
		n, known := s.link.Behind(i)
		s.lags[i] = lag{s.link.Session(i), int64(n), known}
	}
}
