package link

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// ahead judges the next frame when it is nothing but an event that its first
// reading can tell, which most frames are: then the reader finds the end of the
// line, and nobody has to look for it before.
func (l *Link) ahead() bool {
	if !l.reads() {
		return false
	}
	if !l.fits() {
		l.judge(events.NoProblem)
	}
	return true
}

func (l *Link) reads() bool {
	if l.conn.state != open {
		return false
	}
	data := l.decoder.Ahead(&l.frame)
	if data == nil {
		return false
	}
	n := l.scanner.Lead(data, &l.event)
	return n > 0 && l.decoder.Take(&l.frame, n)
}

// fits hands over an event that is just what comes next in its session, which
// nearly every event is. It decides nothing of its own: whatever is not plain is
// left to the long way, with nothing changed.
func (l *Link) fits() bool {
	if len(l.event.Session) == 0 || l.wordy {
		return false
	}
	i := l.own(l.event.Session)
	if i < 0 {
		return false
	}
	ln := &l.lanes[i]
	if ln.phase > resyncing || ln.owes || ln.join != joined || l.early(ln) {
		return false
	}
	if len(l.frame.ID) > 0 && !cursor.Confirms(l.frame.ID, &l.event, l.profile.Base) {
		return false
	}
	steps := ln.tracker.Steps(&l.event)
	verdict := ln.tracker.Advance(&l.event)
	if verdict == cursor.NoVerdict {
		return false
	}
	ln.steps = ln.steps && steps
	l.pass(i, verdict == cursor.Accept)
	return true
}

// guesses is a lane for each of some classes of session ids: the one that was
// found for such an id before. A wrong guess costs a search, nothing else.
type guesses [64]uint16

// own is the lane of a session that has a name, -1 when there is none.
func (l *Link) own(session []byte) int {
	guess := &l.guesses[(len(session)<<3^int(session[len(session)-1]))&63]
	if l.lanes[*guess].tracker.Session() == string(session) {
		return int(*guess)
	}
	return l.find(session, guess)
}

// find looks for the lane of a session, and keeps it as the next guess.
func (l *Link) find(session []byte, guess *uint16) int {
	for i := range l.lanes {
		if l.lanes[i].tracker.Session() == string(session) {
			*guess = uint16(i)
			return i
		}
	}
	return -1
}

// pass is deliver for an event that nothing goes before.
func (l *Link) pass(i int, recorded bool) {
	a := &l.handed
	a.Kind, a.Lane, a.Session = Draft, i, nil
	a.Data, a.Seq = l.frame.Data, l.event.Seq
	l.waiting = true
	if recorded {
		a.Kind = Deliver
		l.accepted(i)
	} else if ln := &l.lanes[i]; !ln.drafts && l.profile.IsEphemeral(&l.event) {
		ln.drafts, ln.moved = true, true
	}
}

// accepted is what a recorded event means to its lane and to the connection.
func (l *Link) accepted(i int) {
	ln := &l.lanes[i]
	ln.connected()
	ln.holds(&l.event, l.frame.Data)
	l.conn.progress()
	if len(l.profile.Terminal) > 0 && l.profile.IsTerminal(l.event.Type) {
		l.end(i, Terminal)
		l.rest()
	}
}
