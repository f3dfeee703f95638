package memory

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/internal/fanout"
)

// Options of a store. The zero value works.
type Options struct {
	MaxRecords int              // events retained per session; above it the oldest are pruned; 0: all
	MaxBytes   int              // limit of one event's text; 0: sessionlog.MaxRecord
	TailEvents int              // events that wait for one subscriber before it is cut; 0: 4096
	TailBytes  int              // bytes that wait for one subscriber before it is cut; 0: 8 MiB
	Now        func() time.Time // record time; nil: time.Now
}

// Store implements sessionlog.Store.
type Store struct {
	options Options
	mu      sync.Mutex
	logs    map[string]*Log
	closed  bool
}

// New makes an empty store.
func New(o Options) *Store {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Store{options: o, logs: map[string]*Log{}}
}

// Open answers an existing log.
func (s *Store) Open(ctx context.Context, session string) (sessionlog.Log, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.logs[session]
	if log == nil {
		return nil, unknown(session)
	}
	return log, ctx.Err()
}

// Create makes a log.
func (s *Store) Create(ctx context.Context, session string) (sessionlog.Log, error) {
	if err := sessionlog.CheckSession(session); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, fault.New(fault.BadInput, "an open store", "a closed one")
	}
	if s.logs[session] != nil {
		f := fault.New(fault.BadInput, "a session that has no log yet", "one that has")
		f.Session = session
		return nil, f
	}
	log := &Log{session: session, options: s.options, oldest: 1, hub: fanout.New(session, fanout.Limits{
		Events: s.options.TailEvents, Bytes: s.options.TailBytes,
	})}
	s.logs[session] = log
	return log, ctx.Err()
}

// List answers the ids in byte order.
func (s *Store) List(ctx context.Context) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := make([]string, 0, len(s.logs))
	for id := range s.logs {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids, ctx.Err()
}

// Delete removes a log.
func (s *Store) Delete(ctx context.Context, session string) error {
	s.mu.Lock()
	log := s.logs[session]
	delete(s.logs, session)
	s.mu.Unlock()
	if log == nil {
		return unknown(session)
	}
	log.end(sessionlog.CutDeleted)
	return ctx.Err()
}

// Close ends every tail and forgets every log.
func (s *Store) Close() error {
	s.mu.Lock()
	logs := s.logs
	s.logs, s.closed = map[string]*Log{}, true
	s.mu.Unlock()
	for _, log := range logs {
		log.end(sessionlog.CutClosed)
	}
	return nil
}

func unknown(session string) error {
	f := fault.New(fault.UnknownSession, "a session with a log", "none")
	f.Session = session
	return f
}
