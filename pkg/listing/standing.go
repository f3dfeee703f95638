package listing

import (
	"math"

	"github.com/tidemark-stream/tidemark/pkg/park"
)

// row is a run and how its park stands.
type row struct {
	Run
	standing
}

// standing is the state of the park that a row shows, for every time: outstanding
// until the last deadline of the open ones, expired from then on, and resolved
// when none is open. A filter reads it instead of all parks of a run.
type standing struct {
	until   int64 // last deadline, with open and not forever
	parked  bool  // there is a park
	open    bool  // one is not settled
	forever bool  // one of those has no deadline
}

func standingOf(parks []*park.Park) (s standing) {
	for _, p := range parks {
		settled := p.State(math.MinInt64) == park.Resolved
		switch {
		case settled:
		case !p.HasDeadline:
			s.forever = true
		case !s.open || p.DeadlineAt > s.until:
			s.until = p.DeadlineAt
		}
		s.parked, s.open = true, s.open || !settled
	}
	return s
}

// at is the state at a time. False: the run never parked.
func (s standing) at(now int64) (state park.State, parked bool) {
	switch {
	case !s.open:
		return park.Resolved, s.parked
	case s.forever || now < s.until:
		return park.Outstanding, true
	}
	return park.Expired, true
}
