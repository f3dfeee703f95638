package client

import (
	"encoding/hex"
	"slices"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// Cursor is where a session stands, as it is saved: together with the state it
// belongs to, and with nothing else.
type Cursor struct {
	Token string // <session>:<seq> or <session>:<seq>@<generation>
	Proof string // of the event it stands on, as 32 hexadecimal digits; "" for none
}

// read is the cursor as the link takes it.
func (c Cursor) read(o *link.Options) error {
	at, err := cursor.Parse(c.Token, o.Profile.Base)
	if err != nil {
		return err
	}
	o.Cursors = append(o.Cursors, at)
	if c.Proof == "" {
		return nil
	}
	saved := link.SavedProof{Session: at.Session}
	if n, err := hex.Decode(saved.Digest[:], []byte(c.Proof[:min(len(c.Proof), 32)])); err != nil || n != len(saved.Digest) || len(c.Proof) != 32 {
		return fault.New(fault.InvalidCursor, "a proof of 32 hexadecimal digits", "another text")
	}
	o.Proofs = append(o.Proofs, saved)
	return nil
}

// hand notes what is handed over, which is not applied yet.
func (s *Stream) hand(h handover) Item {
	s.held, s.text = h, s.text[:0]
	switch item := h.item.(type) {
	case State:
		s.applied[h.lane].seq = 0
	case Event:
		if item.Generation == "" {
			s.text = append(s.text, item.JSON...)
		}
	}
	s.show(h.lane, h.lane+1)
	return h.item
}

// apply: what was handed over is taken in.
func (s *Stream) apply() {
	if s.held.seq > 0 {
		last := &s.applied[s.held.lane]
		last.seq = s.held.seq
		last.text, s.text = s.text, last.text
	}
	s.held = handover{}
}

// inputApplied is the number of that input on the seam, which also takes the text
// of an event.
const inputApplied = 14

// Applied is the cursor of what was taken in of a session: of everything up to the
// item before the one that was handed over last, since only asking for the next
// item says that one was. Save it together with the state that it belongs to, and
// only so. False: there is none to save, or a new State was handed
// over and not taken in.
func (s *Stream) Applied(session string) (Cursor, bool) {
	lane := s.lane(session)
	if lane < 0 {
		return Cursor{}, false
	}
	if _, ok := s.held.item.(State); ok && s.held.lane == lane {
		return Cursor{}, false
	}
	s.marked = nil
	last := &s.applied[lane]
	s.link.Give(s.moment(), inputApplied, &link.Given{Lane: lane, Seq: last.seq, Event: string(last.text)})
	for a := s.link.Next(); a != nil; a = s.link.Next() {
		if s.keep(a); s.marked != nil {
			break
		}
	}
	if s.marked == nil || s.marked.Token == "" {
		return Cursor{}, false
	}
	return *s.marked, true
}

// mark is the link's answer to what was applied.
func (s *Stream) mark(a *link.Action) Item {
	s.marked = new(Cursor)
	if a.Cursor.Session != "" {
		s.marked.Token, s.marked.Proof = a.Cursor.Token(s.Profile.Base), a.Proof.String()
	}
	return nil
}

// Reset puts a cursor of your own in force for its session, for any reason:
// what is handed over next goes on from there. What was handed over of the session
// before does not count any more. A session that has ended stays so, and one that
// is not followed is [fault.ForeignSession].
func (s *Stream) Reset(c Cursor) error {
	at, err := cursor.Parse(c.Token, s.Profile.Base)
	if err != nil {
		return err
	}
	lane := s.lane(at.Session)
	if lane < 0 {
		return fault.New(fault.ForeignSession, "a cursor of a session that is followed", "another's")
	}
	s.applied[lane].seq = 0
	s.loads[lane]++
	s.link.Reset(s.moment(), lane, at)
	s.forget(lane)
	return nil
}

// forget drops what was handed over of a session before a reset, and what was on
// its way.
func (s *Stream) forget(lane int) {
	if s.held.lane == lane {
		s.held = handover{}
	}
	s.pending = slices.DeleteFunc(s.pending, func(h handover) bool { return h.lane == lane })
	for a := s.link.Next(); a != nil; a = s.link.Next() {
		if a.Lane != lane || !isDelivery[a.Kind] {
			s.keep(a)
		}
	}
}

// isDelivery has the actions that hand over what stood before a reset.
var isDelivery = map[link.Kind]bool{link.Deliver: true, link.Draft: true, link.Restart: true, link.Live: true, link.State: true}

// lane is that of a session, -1 when it is not followed.
func (s *Stream) lane(session string) int {
	for i := range s.applied {
		if session != "" && s.link.Session(i) == session {
			return i
		}
	}
	return -1
}
