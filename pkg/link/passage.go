package link

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// Span is a range of the bytes of one connection, which begins at 0.
type Span struct{ From, To int64 }

// passage is the account of which frames go on, for whoever passes bytes on.
type passage struct {
	handed bool   // the frame that is being judged does
	cuts   []Span // those that do not, since the last input
}

// Settled is how many bytes of the connection are judged, or belong to no frame.
// Behind them stands what has not ended.
func (l *Link) Settled() int64 { return l.decoder.Settled() }

// Span is where the frame lies that was judged last.
func (l *Link) Span() Span { return Span{l.frame.Start, l.frame.End} }

// Cuts are the frames that are not to go on, of those that were judged since the last
// input, in order: duplicates, what came too early or for a session that is over,
// what was refused, and frames of the protocol that are of no use. Only with
// [Options.Passage]; valid until the next input.
func (l *Link) Cuts() []Span { return l.passage.cuts }

// First is where the first line of the connection begins: behind its byte order mark.
func (l *Link) First() int64 { return l.decoder.First() }

// Midway says that the bytes to come are not the first of the connection.
func (l *Link) Midway() { l.decoder.Midway() }

// Run judges events without handing them over, as long as each is just what comes next
// and stands whole in what has come: for a driver that passes bytes on, and needs no more
// of an event than that it may pass. It stands for the calls of [Link.Next] that would
// hand those events over; Next goes on behind them, with the Position of each lane that
// [Link.Stepped] did not take. False: Next has to judge the rest.
func (l *Link) Run() bool {
	for l.reads() {
		if !l.fits() {
			l.judge(events.NoProblem)
			return false
		}
		l.waiting = false
	}
	return len(l.queue) == 0
}

// Stepped takes the Position of a lane of which nothing but the number has changed since
// the last one. False: there is none, or Next has to tell it.
func (l *Link) Stepped(lane int) (events.Seq, bool) {
	ln := &l.lanes[lane]
	if !ln.moved || !ln.steps || ln.phase == waiting || ln.phase == resyncing {
		return 0, false
	}
	ln.moved = false
	return ln.tracker.Place().Seq, true
}

// Moved reports whether a Position is still to be told.
func (l *Link) Moved() bool {
	for i := range l.lanes {
		if l.lanes[i].moved {
			return true
		}
	}
	return false
}

// account notes the frame that was judged, unless it goes on.
func (l *Link) account() {
	if l.options.Passage && (!l.passage.handed || l.misleads()) {
		l.passage.cuts = append(l.passage.cuts, l.Span())
	}
}

// misleads reports whether the id of the frame names a place of a session that is not
// where the session stands: a browser would go on from there, whatever lies between.
func (l *Link) misleads() bool {
	var id cursor.ID
	id.Read(l.frame.ID, l.profile.Base)
	bare := id.Session == nil && l.profile.Position == profile.InID && len(l.lanes) == 1
	if !id.OK || l.profile.Continuity != profile.Contiguous {
		return false
	}
	for i := range l.lanes {
		if ln := &l.lanes[i]; bare || ln.session() == string(id.Session) {
			return ln.done() || ln.tracker.Anchored() && id.Seq != ln.tracker.Place().Seq
		}
	}
	return false
}
