package client

import (
	"time"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// orders are what each action of a link is to the driver: an item to hand over, or
// an order to perform, which answers nil.
var orders = [...]func(s *Stream, a *link.Action) Item{
	link.Deliver: (*Stream).event,
	link.Draft:   (*Stream).draft,
	link.Restart: (*Stream).restart,
	link.Live:    (*Stream).live,
	link.Refused: (*Stream).refused,
	link.End:     (*Stream).end,
	link.State:   (*Stream).state,

	link.Connect:     (*Stream).dial,
	link.Wake:        func(s *Stream, a *link.Action) Item { s.wakeAt(a.At); return nil },
	link.Load:        (*Stream).load,
	link.Credentials: (*Stream).renew,
	link.Close:       func(s *Stream, _ *link.Action) Item { s.disconnect(); s.wake = time.Time{}; return nil },
	link.Fail:        func(s *Stream, a *link.Action) Item { s.err = s.blamed(a.Fault); return nil },
	link.Decided:     func(s *Stream, a *link.Action) Item { s.OnDecision(Decision{a.Report, s.Profile.Base}); return nil },
	link.Connection:  (*Stream).stands,
	link.Phase:       (*Stream).turned,
	link.Mark:        (*Stream).mark,
	link.Position:    func(*Stream, *link.Action) Item { return nil }, // nobody here keeps a copy
}

// afterStop are the actions that still matter when a stream was stopped.
var afterStop = map[link.Kind]bool{
	link.End: true, link.Close: true, link.Connection: true, link.Phase: true, link.Mark: true, link.Decided: true,
}

// perform does what an action orders, or answers what it hands over.
func (s *Stream) perform(a *link.Action) (h handover, ok bool) {
	if s.stopped && !afterStop[a.Kind] {
		return h, false
	}
	h.item = orders[a.Kind](s, a)
	h.lane = a.Lane
	if a.Kind == link.Deliver && h.item.SessionID() == s.link.Session(a.Lane) {
		h.seq = a.Seq
	}
	return h, h.item != nil
}

// begin performs the first orders, so that the network does not wait for whoever
// opened the stream.
func (s *Stream) begin() {
	for a := s.link.Next(); a != nil; a = s.link.Next() {
		s.keep(a)
	}
}

// keep performs an action now, and hands over later what it brings.
func (s *Stream) keep(a *link.Action) {
	if h, ok := s.perform(a); ok {
		s.pending = append(s.pending, h)
	}
}

// drain performs what the link orders, up to the next item. nil: there is none,
// and the link waits for an input, or the stream is over.
func (s *Stream) drain() Item {
	if len(s.pending) > 0 {
		h := s.pending[0]
		s.pending = s.pending[1:]
		return s.hand(h)
	}
	for a := s.link.Next(); a != nil; a = s.link.Next() {
		if h, ok := s.perform(a); ok {
			return s.hand(h)
		}
	}
	if s.err != nil || s.connection == nil && s.wake.IsZero() && s.awaited == 0 {
		s.finish()
	}
	return nil
}

func (s *Stream) dial(a *link.Action) Item {
	s.disconnect()
	s.tally.connections++
	s.request = Request{URL: s.address(a.Asks), Attempt: a.Attempt}
	s.connect()
	return nil
}

func (s *Stream) event(a *link.Action) Item {
	s.tally.events++
	return Event{
		Session: s.sessionOf(a), Type: typeOf(a.Event), Seq: s.wire(a.Seq),
		Generation: string(a.Event.Generation), JSON: append([]byte(nil), a.Data...),
	}
}

func (s *Stream) draft(a *link.Action) Item {
	s.tally.drafts++
	return Draft{
		Session: s.sessionOf(a), Type: typeOf(a.Event),
		Generation: string(a.Event.Generation), JSON: append([]byte(nil), a.Data...),
	}
}

func (s *Stream) restart(a *link.Action) Item {
	return Restart{Session: s.link.Session(a.Lane), AfterSeq: s.wire(a.Seq)}
}

func (s *Stream) live(a *link.Action) Item {
	return Live{Session: s.link.Session(a.Lane), Seq: s.wire(a.Seq), Strength: a.Strength}
}

func (s *Stream) refused(a *link.Action) Item {
	s.tally.refusals[a.Refusal.Reason]++
	return *s.refusal(a)
}

func (s *Stream) refusal(a *link.Action) *Refused {
	return &Refused{Session: s.link.Session(a.Lane), Refusal: a.Refusal, Strength: a.Strength, base: s.Profile.Base}
}

func (s *Stream) end(a *link.Action) Item {
	return End{Session: s.link.Session(a.Lane), Cause: a.Cause, Fault: s.blamed(a.Fault)}
}

func (s *Stream) state(a *link.Action) Item {
	state := s.states[a.Lane]
	delete(s.states, a.Lane)
	return State{Session: s.link.Session(a.Lane), Why: a.Why, State: state, Cursor: a.Cursor.Token(s.Profile.Base)}
}

// sessionOf is the session of an event: of a relayed one what it names.
func (s *Stream) sessionOf(a *link.Action) string {
	if len(a.Session) > 0 {
		return string(a.Session)
	}
	return s.link.Session(a.Lane)
}

// typeOf spares the names of the table a copy.
func typeOf(e *events.Envelope) string {
	if e.Known >= 0 {
		return events.TypeAt(e.Known).Name
	}
	return string(e.Type)
}

// wire is a seq as the wire writes it, -1 before the first event of a stream that
// numbers from 0.
func (s *Stream) wire(seq events.Seq) int64 {
	return int64(cursor.ToWire(seq, s.Profile.Base))
}
