package link

import (
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// mark answers which cursor belongs to a state that has taken in what the app says
// it has. An event that was named before counts on, unless numbers have no
// order.
func (l *Link) mark() {
	ln, seq := l.lane(), l.given.Seq
	if ln == nil {
		return
	}
	ordered := l.profile.Continuity != profile.Opaque && !l.observes()
	if ordered {
		if seq > ln.tracker.Place().Seq {
			l.Fail(fault.New(fault.BadInput, "applied: an event that was handed over", "one beyond it"))
			return
		}
		seq = max(seq, ln.applied)
	}
	if seq > 0 {
		ln.applied = seq
	}
	a := l.push(Mark, l.given.Lane)
	if !ln.local && ln.session() != "" && ln.knows(ln.applied, ordered) {
		ln.tracker.At(&a.Cursor, ln.applied)
		if ln.trust == doubtful {
			a.Cursor.Generation = ""
		}
		a.Proof = ln.proofAt(&a.Cursor, l.given)
	}
}

// knows reports whether the lane can say anything of a state that ends with seq. What
// came before the place where it began was handed over by another link, which knew how
// the cursor stood there.
func (ln *lane) knows(seq events.Seq, ordered bool) bool {
	from := ln.tracker.From()
	if seq == 0 {
		return !ln.handed || from == 0
	}
	return !ordered || seq >= from
}
