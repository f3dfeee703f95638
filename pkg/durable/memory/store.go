// Package memory keeps checkpoint documents in memory: for tests, demos and
// sessions that need not outlive their process.
//
//	store := memory.New()
//
// It implements durable.Store. A run whose documents were all deleted is gone.
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
)

// Store implements durable.Store.
type Store struct {
	mu   sync.Mutex
	runs map[listing.Key]map[string][]byte
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
	s.mu.Lock()
	defer s.mu.Unlock()
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
	delete(s.runs[run.Key()], id)
	if len(s.runs[run.Key()]) == 0 {
		delete(s.runs, run.Key())
	}
	return nil
}

func usable(ctx context.Context, run listing.RunScope) error {
	if err := run.Check(); err != nil {
		return err
	}
	return ctx.Err()
}
