package link

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

// Stood is where a session stood in the middle of a connection that another link goes
// on reading. Its cursor is one of Places.
type Stood struct {
	Session string
	Head    replay.Head
	Headed  bool                // the connection has brought Head
	Settled bool                // it has come to its head, so that a generation that comes later is its own
	Over    bool                // the session was refused or has ended
	Seen    []events.Generation // passed by the cursor while it has none, oldest first
	Seq     events.Seq          // the last one where numbers live with the connection: there no cursor can say it; 0: none
	Proof   cursor.Proof        // of the event at the cursor, while that is still to be shown; it is one of Proofs then
}

// resume puts the sessions where they stood.
func (l *Link) resume(all []Stood) {
	for i := range all {
		s := &all[i]
		for j := range l.lanes {
			if ln := &l.lanes[j]; ln.session() == s.Session {
				l.heads = l.heads || s.Headed
				ln.resume(s)
			}
		}
	}
}

func (ln *lane) resume(s *Stood) {
	if ln.local && s.Seq > 0 {
		ln.tracker.Reset(&cursor.Cursor{Session: s.Session, Seq: s.Seq})
	}
	if s.Headed {
		ln.head, ln.headed, ln.bare, ln.phase = s.Head, true, !s.Head.Generation.IsSet(), replaying
		ln.tracker.Begin(s.Head.Generation, s.Head.LastSeq)
	}
	ln.tracker.Saw(s.Seen)
	if s.Settled {
		ln.tracker.Settle()
	}
	if s.Over {
		ln.phase = ended
	}
}

// Stands is where a session stands now, for a link that goes on with the connection.
func (l *Link) Stands(lane int) Stood {
	ln := &l.lanes[lane]
	s := Stood{
		Session: ln.session(), Head: ln.head, Headed: ln.headed, Settled: ln.headed && ln.tracker.Settled(), Over: ln.done(),
		Seen: ln.tracker.Seen(),
	}
	if ln.local {
		s.Seq = ln.tracker.Place().Seq
	}
	if ln.join == overlaps {
		s.Proof = ln.proof
	}
	return s
}
