// Package memory keeps checkpoint documents in memory: for tests, demos and
// sessions that need not outlive their process.
//
//	store := memory.New()
//
// It implements durable.Store, durable.Lister and durable.ParkKeeper. A run whose documents were all deleted is gone.
package memory

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// Store implements durable.Store.
type Store struct {
	mu    sync.Mutex
	runs  map[listing.Key]map[string][]byte
	index listing.Index
}

// New makes an empty store.
func New() *Store { return &Store{runs: map[listing.Key]map[string][]byte{}} }

// Put keeps a copy of the document.
func (s *Store) Put(ctx context.Context, run listing.RunScope, id string, document []byte) (checkpoint.Receipt, error) {
	receipt, err := durable.CheckPut(run, id, document)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return checkpoint.Receipt{}, err
	}
	d, err := checkpoint.Parse(document)
	if err != nil {
		return checkpoint.Receipt{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.index.Put(run, listing.Checkpoint{ID: id, CreatedAt: d.CreatedAt}); err != nil {
		return checkpoint.Receipt{}, err
	}
	documents := s.runs[run.Key()]
	if documents == nil {
		documents = map[string][]byte{}
		s.runs[run.Key()] = documents
	}
	documents[id] = bytes.Clone(document)
	return receipt, nil
}

// Get answers a copy of the document.
func (s *Store) Get(ctx context.Context, run listing.RunScope, id string) ([]byte, error) {
	if err := usable(ctx, run); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	document, ok := s.runs[run.Key()][id]
	if !ok {
		return nil, durable.Unknown(run, id)
	}
	return bytes.Clone(document), nil
}

// IDs answers the ids in byte order.
func (s *Store) IDs(ctx context.Context, run listing.RunScope) ([]string, error) {
	if err := usable(ctx, run); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.runs[run.Key()])), nil
}

// Delete removes the document, and the run with its last one.
func (s *Store) Delete(ctx context.Context, run listing.RunScope, id string) error {
	if err := usable(ctx, run); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.index.Delete(run, id)
	delete(s.runs[run.Key()], id)
	if len(s.runs[run.Key()]) == 0 {
		delete(s.runs, run.Key())
	}
	return nil
}

// List answers a page of the runs that have documents, with how their questions
// stand as far as [Store.SetParks] was told. A page costs what is on it.
func (s *Store) List(ctx context.Context, scope listing.Scope, o listing.Options) (listing.Page, error) {
	if err := ctx.Err(); err != nil {
		return listing.Page{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.index.Page(scope, o)
}

// SetParks keeps copies of all parks of a run, in place of those before. It
// implements durable.ParkKeeper.
func (s *Store) SetParks(run listing.RunScope, parks []*park.Park) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.index.SetParks(run, parks)
}

func usable(ctx context.Context, run listing.RunScope) error {
	if err := run.Check(); err != nil {
		return err
	}
	return ctx.Err()
}
