package link

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// plan is one session and where it starts.
type plan struct {
	_      [0]func() // not comparable, which saves a module the code of it
	cursor cursor.Cursor
	start  Start
	handed bool // the cursor is of Places
}

// plans are those of one link, each session once.
type plans []plan

// plans checks the options and answers one plan for each session.
func (o *Options) plans() (plans, *fault.Fault) {
	if o.From == FromCursor {
		return nil, invalid("from: beginning or now", "from: cursor without one")
	}
	cursors := len(o.Cursors) + len(o.Places)
	if cursors > 0 && o.Profile.Scope == profile.ScopeConnection {
		return nil, invalid("no cursor, since the profile's numbers live with one connection", "a cursor")
	}
	if len(o.Sessions) > MaxSessions || cursors > MaxSessions {
		return nil, invalid("at most 1024 sessions on one stream", "more")
	}
	all := make(plans, 0, len(o.Sessions)+cursors+1)
	for _, s := range o.Sessions {
		if !cursor.ValidSession(s) {
			return nil, invalid("session ids without control characters", "one that is empty or holds some")
		}
		if all.of(s) != nil {
			return nil, invalid("each session once", "session "+s+" twice")
		}
		all.add(o.From).cursor.Session = s
	}
	for i := range cursors {
		if f := all.resume(o.cursor(i), len(o.Sessions) > 0); f != nil {
			return nil, f
		}
	}
	for i := range o.Places {
		all.of(o.Places[i].Session).handed = true
	}
	if len(all) == 0 && !o.Profile.Names() {
		return nil, invalid("a session, of any name, since nothing in the stream names one", "none")
	}
	if len(all) == 0 {
		all.add(o.From)
	}
	return all, nil
}

// cursor is one of Cursors and Places.
func (o *Options) cursor(i int) *cursor.Cursor {
	if n := len(o.Cursors); i >= n {
		return &o.Places[i-n]
	}
	return &o.Cursors[i]
}

// resume starts the session of a cursor there. Unless sessions were asked for, one
// that has no plan yet gets one.
func (p *plans) resume(c *cursor.Cursor, asked bool) *fault.Fault {
	pl := p.of(c.Session)
	switch {
	case pl == nil && asked:
		return foreign("a cursor of a session asked for", c.Session, c.Session)
	case pl == nil:
		pl = p.add(FromCursor)
	case pl.start == FromCursor:
		return invalid("one cursor for each session", "two for session "+c.Session)
	}
	pl.cursor, pl.start = *c, FromCursor
	return nil
}

// owing reports whether a restart is owed to the session, by its name or, where
// that is not known, to whichever it is.
func (o *Options) owing(session string) bool {
	for _, name := range o.Owes {
		if name == session || session == "" {
			return true
		}
	}
	return false
}

// add makes one more plan; there is room for all.
func (p *plans) add(start Start) *plan {
	n := len(*p)
	*p = (*p)[:n+1]
	pl := &(*p)[n]
	pl.start = start
	return pl
}

// of is the plan of a session, nil when it has none.
func (p plans) of(session string) *plan {
	for i := range p {
		if p[i].cursor.Session == session {
			return &p[i]
		}
	}
	return nil
}

func invalid(expected, found string) *fault.Fault {
	return fault.New(fault.InvalidOptions, expected, found)
}

// foreign is the fault of a cursor of another session. It is told of session.
func foreign(expected, found, session string) *fault.Fault {
	f := fault.New(fault.ForeignSession, expected, "one of session "+found)
	f.Session = session
	return f
}
