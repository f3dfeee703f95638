package durable

import (
	"context"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

// Lister is a store that can say which runs it holds. What a row
// counts are documents; whether a record commits them is for a proof to say.
type Lister interface {
	List(ctx context.Context, scope listing.Scope, o listing.Options) (listing.Page, error)
}

// ListerOf is the listing of a store. One that has none is refused with
// fault.CannotList, since an empty page would say that nothing waits.
func ListerOf(s Store) (Lister, error) {
	if l, ok := s.(Lister); ok {
		return l, nil
	}
	return nil, fault.New(fault.CannotList, "a store that lists its runs", "one that does not")
}

// ParkKeeper is a store that shows how the questions of its runs stand and does not
// read logs. A [Session] tells it all parks of a run whenever they changed, also
// by another writer, as soon as it has read so. Who settles parks past the Session
// makes it read by [Session.Parks].
type ParkKeeper interface {
	SetParks(run listing.RunScope, parks []*park.Park) error
}

// Parks are all questions of the session, of all turns, in the order in which they
// were put, newest last.
func (s *Session) Parks(ctx context.Context) ([]*park.Park, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.follow(ctx); err != nil {
		return nil, err
	}
	return copies(s.reading.parks.Parks(), func(*park.Park) bool { return true }), nil
}

// ParksOf answers the parks of a log whenever it is called, reading on from where
// it was. It is what a store in a folder has to be given (disk.Options).
func ParksOf(log sessionlog.Log) func(context.Context) ([]*park.Park, error) {
	s, err := New(Options{Log: log})
	return func(ctx context.Context) ([]*park.Park, error) {
		if err != nil {
			return nil, err
		}
		return s.Parks(ctx)
	}
}

func copies(parks []*park.Park, which func(*park.Park) bool) (some []*park.Park) {
	for _, p := range parks {
		if which(p) {
			some = append(some, copyOf(p))
		}
	}
	return some
}

// tell reads on after a record about a question was appended, so that a store that
// keeps parks has it. What fails here is done by the next reading.
func (s *Session) tell(ctx context.Context) {
	if _, ok := s.o.Store.(ParkKeeper); ok {
		_ = s.follow(context.WithoutCancel(ctx))
	}
}

// passOn tells the store the parks of each turn that has other ones now.
func (s *Session) passOn() error {
	keeper, ok := s.o.Store.(ParkKeeper)
	for turn := range s.reading.moved {
		if run := s.run(turn); ok && run.Check() == nil {
			mine := copies(s.reading.parks.Parks(), func(p *park.Park) bool { return p.TurnID == turn })
			if err := keeper.SetParks(run, mine); err != nil {
				return err
			}
		}
		delete(s.reading.moved, turn)
	}
	return nil
}
