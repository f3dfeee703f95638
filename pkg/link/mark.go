package link

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// mark answers which cursor belongs to a state that has taken in what the app says
// it has.
func (l *Link) mark() {
	i := l.given.lane
	if !l.has(i) {
		return
	}
	ln := &l.lanes[i]
	ordered := l.profile.Continuity != profile.Opaque && !l.observes()
	if ordered && l.given.seq > ln.tracker.Place().Seq {
		l.Fail(fault.New(fault.BadInput, "applied: an event that was handed over", "one beyond it"))
		return
	}
	if l.given.seq > ln.applied || !ordered && l.given.seq > 0 {
		ln.applied = l.given.seq
	}
	l.push(Mark, i).Cursor = ln.cursorOf(ln.applied)
}

// cursorOf is the cursor of a state that has taken in everything up to seq, the
// zero Cursor when there is none to save.
func (ln *lane) cursorOf(seq events.Seq) cursor.Cursor {
	c, ok := ln.tracker.At(seq)
	if !ok || ln.local || ln.session() == "" {
		return cursor.Cursor{}
	}
	return c
}

// has reports whether there is such a lane. A driver that names another is at
// fault.
func (l *Link) has(lane int) bool {
	if lane >= 0 && lane < len(l.lanes) {
		return true
	}
	l.Fail(fault.New(fault.BadInput, "a lane of this link", "another"))
	return false
}
