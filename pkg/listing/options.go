package listing

import (
	"math"
	"slices"
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// DefaultLimit is how many rows a page has unless a limit is named.
const DefaultLimit = 100

// Options narrow and place a page. The zero Options are the first page of
// all rows at the beginning of 1970.
type Options struct {
	// Park keeps rows whose park has one of these states. nil keeps all rows, also
	// of runs that never parked; a list that is empty and not nil keeps none.
	Park []park.State

	// Limit is the most rows of a page. 0 means that none was named and stands for
	// DefaultLimit, negative numbers are 1. For a number from outside see LimitOf.
	Limit int

	// Page is the token of the page before; "" for the first one.
	Page string

	// Now is the clock for all rows, in ms since 1970. 0 is a time, not absence.
	Now int64
}

// LimitOf is the limit that a number from outside stands for: fractions are cut
// down, and what is below 1 then is 1, as is what is no number.
func LimitOf(n float64) int {
	switch {
	case !(n >= 1):
		return 1
	case n >= math.MaxInt32:
		return math.MaxInt32
	}
	return int(n)
}

// States reads the names of park states, for [Options.Park]. The answer is never
// nil, so that naming nothing keeps nothing. An unknown name is a
// [fault.BadInput].
func States(names ...string) ([]park.State, error) {
	states := make([]park.State, 0, len(names))
	for _, name := range names {
		state, ok := park.ParseState(name)
		if !ok {
			return nil, fault.New(fault.BadInput, "outstanding, expired or resolved", fault.Clip([]byte(name)))
		}
		states = append(states, state)
	}
	return states, nil
}

// StatesIn is [States] of lists with commas between the names, as a command line or
// a query has them. Lists without a name keep nothing.
func StatesIn(lists ...string) ([]park.State, error) {
	comma := func(c rune) bool { return c == ',' }
	return States(strings.FieldsFunc(strings.Join(lists, ","), comma)...)
}

func (o *Options) limit() int {
	if o.Limit == 0 {
		return DefaultLimit
	}
	return max(o.Limit, 1)
}

// filters reports whether rows are kept by their parks.
func (o *Options) filters() bool { return o.Park != nil }

// keeps reports whether the filter lets a row through.
func (o *Options) keeps(s standing) bool {
	state, parked := s.at(o.Now)
	return parked && slices.Contains(o.Park, state)
}
