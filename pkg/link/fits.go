package link

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// fits hands over an event that is just what comes next in its session, which
// nearly every event is. It decides nothing of its own: whatever is not plain is
// left to the long way, with nothing changed.
func (l *Link) fits() bool {
	i := l.own(l.event.Session)
	if i < 0 || l.options.Report || l.profile.Position != profile.InPayload {
		return false
	}
	ln := &l.lanes[i]
	if ln.phase > live || ln.owes || l.early(ln) {
		return false
	}
	if len(l.frame.ID) > 0 && !cursor.Confirms(l.frame.ID, &l.event, l.profile.Base) {
		return false
	}
	verdict := ln.tracker.Advance(&l.event)
	if verdict == cursor.NoVerdict {
		return false
	}
	l.lane = i
	l.pass(ln, verdict == cursor.Accept)
	return true
}

// own is the lane of a session, -1 when there is none. Lanes are few and events
// come in runs, so the search begins where the last one ended.
func (l *Link) own(session []byte) int {
	n := len(session)
	if n == 0 {
		return -1
	}
	i := l.lane
	for range l.lanes {
		// Two bytes tell most sessions apart before the whole is compared.
		if name := l.lanes[i].tracker.Session(); len(name) == n && name[n-1] == session[n-1] && name == string(session) {
			return i
		}
		if i++; i == len(l.lanes) {
			i = 0
		}
	}
	return -1
}

// pass is deliver for an event that nothing goes before.
func (l *Link) pass(ln *lane, recorded bool) {
	a := &l.handed
	a.Kind, a.Lane, a.Session = Draft, l.lane, nil
	a.Data, a.Seq = l.frame.Data, l.event.Seq
	l.waiting = true
	if !recorded {
		if !ln.drafts && l.profile.IsEphemeral(&l.event) {
			ln.drafts, ln.moved = true, true
		}
		return
	}
	a.Kind = Deliver
	ln.connected()
	l.conn.progress()
	if len(l.profile.Terminal) > 0 && l.profile.IsTerminal(l.event.Type) {
		l.end(l.lane, Terminal)
		l.rest()
	}
}
