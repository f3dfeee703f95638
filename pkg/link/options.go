package link

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// Millis is a time or a span in milliseconds. Times are since the Unix epoch,
// by the driver's clock.
type Millis int64

// Moment is what the outside world lends to one input: the time, and one random
// number in [0, 1) for the input to spend on a back-off.
type Moment struct {
	Now    Millis
	Random float64
}

// Start is where a session without a cursor begins. "From the beginning", "from
// now" and "from a cursor" are three requests; none ever turns into another.
type Start uint8

// Starts.
const (
	FromBeginning Start = iota
	FromNow
	FromCursor
)

var startNames = [...]string{"beginning", "now", "cursor"}

// String is the name on the seam.
func (s Start) String() string {
	if int(s) < len(startNames) {
		return startNames[s]
	}
	return ""
}

// Options configure a link. The zero value follows one session, which the
// server names, from the beginning, and enforces.
type Options struct {
	Profile  *profile.Profile // nil: profile.Session
	Sessions []string         // sessions asked for, each once; empty: those of Cursors, else the one the server names
	Cursors  []cursor.Cursor  // where to resume; sessions without one start at From
	From     Start            // FromBeginning or FromNow, for sessions without a cursor
	Explicit bool             // From was asked for: no first load, even with Load
	Mode     Mode             // Enforce or Observe
	Load     bool             // the app can load a snapshot: for the first position and after a refusal
	Report   bool             // report every verdict as an action of kind Decided
	MaxFrame int              // bytes of one frame; 0: sse.DefaultMaxFrame
}

// Mode is what the link does about what does not connect.
type Mode uint8

// Modes.
const (
	Enforce Mode = iota // refuse it
	Observe             // hand over everything unchanged, and report each would-be refusal
)

// plan is one session and where it starts.
type plan struct {
	cursor cursor.Cursor
	start  Start
}

// plans checks the options and answers one plan for each session.
func (o *Options) plans() ([]plan, *fault.Fault) {
	if o.From == FromCursor {
		return nil, fault.New(fault.InvalidOptions, "from: beginning or now", "from: cursor without one")
	}
	if len(o.Cursors) > 0 && o.Profile.Scope == profile.ScopeConnection {
		return nil, fault.New(fault.InvalidOptions, "no cursor, since the profile's numbers live with one connection", "a cursor")
	}
	plans := make([]plan, 0, len(o.Sessions)+len(o.Cursors))
	for _, s := range o.Sessions {
		if !cursor.ValidSession(s) {
			return nil, fault.New(fault.InvalidOptions, "session ids without control characters", "one that is empty or holds some")
		}
		if indexOf(plans, s) >= 0 {
			return nil, fault.New(fault.InvalidOptions, "each session once", "session "+s+" twice")
		}
		plans = append(plans, plan{cursor: cursor.Cursor{Session: s}, start: o.From})
	}
	for _, c := range o.Cursors {
		i := indexOf(plans, c.Session)
		switch {
		case i < 0 && len(o.Sessions) > 0:
			f := fault.New(fault.ForeignSession, "a cursor of a session asked for", "one of session "+c.Session)
			f.Session = c.Session
			return nil, f
		case i < 0:
			plans = append(plans, plan{cursor: c, start: FromCursor})
		case plans[i].start == FromCursor:
			return nil, fault.New(fault.InvalidOptions, "one cursor for each session", "two for session "+c.Session)
		default:
			plans[i] = plan{cursor: c, start: FromCursor}
		}
	}
	if len(plans) == 0 {
		plans = append(plans, plan{start: o.From})
	}
	return plans, nil
}

func indexOf(plans []plan, session string) int {
	for i := range plans {
		if plans[i].cursor.Session == session {
			return i
		}
	}
	return -1
}
