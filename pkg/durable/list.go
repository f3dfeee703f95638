package durable

import (
	"context"
	"errors"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// List answers the checkpoints of a turn, oldest first: those that a record
// commits and that are in the store. A document that cannot be read is
// fault.BadDocument, since nobody knows where it stands.
func (s *Session) List(ctx context.Context, turn string) ([]checkpoint.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.follow(ctx); err != nil {
		return nil, err
	}
	return s.list(ctx, turn)
}

func (s *Session) list(ctx context.Context, turn string) ([]checkpoint.Entry, error) {
	ids, err := s.o.Store.IDs(ctx, s.run(turn))
	if err != nil {
		return nil, err
	}
	var list []checkpoint.Entry
	for _, id := range ids {
		if !s.reading.ledger.Holds(turn, id) {
			continue
		}
		text, err := s.o.Store.Get(ctx, s.run(turn), id)
		if errors.Is(err, fault.UnknownCheckpoint) {
			continue // another process took it away
		}
		if err != nil {
			return nil, err
		}
		d, err := checkpoint.Parse(text)
		if err != nil {
			return nil, err
		}
		list = append(list, d.Entry())
	}
	checkpoint.Sort(list)
	return list, nil
}

// Prune takes the oldest checkpoints of a turn away, beyond the number to keep, of
// which 1 is the least, and answers their ids, oldest first. One that an
// unsettled park refers to, outstanding or expired, stays, and no other goes in its
// place. What was taken away is recorded, once; when nothing was, nothing is.
//
// When it fails in between, the ids say what is gone, and that is recorded.
func (s *Session) Prune(ctx context.Context, turn string, keep int) (gone []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.caughtUp(ctx); err != nil {
		return nil, err
	}
	if err := s.holdsLease(ctx); err != nil {
		return nil, err
	}
	list, err := s.list(ctx, turn)
	if err != nil {
		return nil, err
	}
	for _, id := range checkpoint.PrunePlan(list, keep, s.referred) {
		if err = s.o.Store.Delete(ctx, s.run(turn), id); err != nil {
			break
		}
		gone = append(gone, id)
	}
	if len(gone) == 0 {
		return nil, err
	}
	_, recorded := s.append(context.WithoutCancel(ctx), checkpoint.AppendPruned(nil, turn, gone))
	return gone, errors.Join(err, recorded)
}

// referred reports whether a park that is not settled refers to a checkpoint, of
// whatever turn it is.
func (s *Session) referred(checkpointID string) bool {
	return s.reading.parks.Open(checkpointID) != nil
}

// Pending is the newest park that is outstanding now, of a turn, or of any with
// turn ""; nil when there is none.
func (s *Session) Pending(ctx context.Context, turn string) (*park.Park, error) {
	parks, err := s.parks(ctx, turn)
	if err != nil {
		return nil, err
	}
	return parks.Pending(s.o.Clock()), nil
}

// Expired are the parks that are past their deadline now and not settled, oldest
// first, of a turn, or of any with turn "".
func (s *Session) Expired(ctx context.Context, turn string) ([]*park.Park, error) {
	parks, err := s.parks(ctx, turn)
	if err != nil {
		return nil, err
	}
	return parks.Expired(s.o.Clock()), nil
}

// parks folds the log anew, so that what is handed out is nobody else's.
func (s *Session) parks(ctx context.Context, turn string) (*park.Fold, error) {
	var f park.Fold
	f.Reset(turn)
	_, err := s.each(ctx, 0, func(record []byte) { f.Add(record) })
	return &f, err
}
