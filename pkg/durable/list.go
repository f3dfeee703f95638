package durable

import (
	"context"
	"errors"
	"slices"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// List answers the checkpoints of a turn, oldest first: those that a record
// commits and that are in the store. One that cannot be read is named apart, with
// its fault.
func (s *Session) List(ctx context.Context, turn string) (Listed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.follow(ctx); err != nil {
		return Listed{}, err
	}
	return s.list(ctx, turn)
}

func (s *Session) list(ctx context.Context, turn string) (Listed, error) {
	ids, err := s.o.Store.IDs(ctx, s.run(turn))
	if err != nil {
		return Listed{}, err
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return !s.reading.ledger.Holds(turn, id) })
	return ReadAll(ctx, s.o.Store, s.run(turn), ids)
}

// Pruned is what a prune did.
type Pruned struct {
	Gone       []string     // ids of what was taken away, oldest first
	Unreadable []Unreadable // left alone, by id
}

// Prune takes the oldest checkpoints of a turn away, beyond the number to keep, of
// which 1 is the least. One that an unsettled park refers to, outstanding or
// expired, stays, and no other goes in its place. What was taken away is recorded,
// once; when nothing was, nothing is. Only what can be read counts; the rest stays,
// and is reported.
//
// When it fails in between, Gone says what is gone, and that is recorded.
func (s *Session) Prune(ctx context.Context, turn string, keep int) (Pruned, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.caughtUp(ctx); err != nil {
		return Pruned{}, err
	}
	if err := s.holdsLease(ctx); err != nil {
		return Pruned{}, err
	}
	list, err := s.list(ctx, turn)
	if err != nil {
		return Pruned{}, err
	}
	gone, err := s.take(ctx, turn, checkpoint.PrunePlan(list.Entries, keep, s.referred))
	return Pruned{gone, list.Unreadable}, err
}

// take takes checkpoints away and records which of them are gone.
func (s *Session) take(ctx context.Context, turn string, ids []string) (gone []string, err error) {
	for _, id := range ids {
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
