package disk

import (
	"context"
	"errors"
	"os"
	"sync"
	"sync/atomic"

	"github.com/tidemark-stream/tidemark/internal/wholefile"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/internal/fanout"
)

// Log implements sessionlog.Log on one file.
type Log struct {
	store   *Store
	session string
	path    string
	hub     *fanout.Hub

	mu        sync.Mutex
	index     index
	info      os.FileInfo // the file as the index knows it; nil before the first look
	stateInfo os.FileInfo
	state     state
	writer    *os.File // nil until the first append
	broken    error    // a write whose outcome is not known
	following bool
	gone      atomic.Bool // deleted, or its store is closed
}

func newLog(s *Store, session, path string) *Log {
	return &Log{store: s, session: session, path: path, hub: fanout.New(session, fanout.Limits{
		Events: s.options.TailEvents, Bytes: s.options.TailBytes,
	})}
}

// Session is the id of the session.
func (l *Log) Session() string { return l.session }

// open looks at the file, the first time repairs its end, and answers whether it
// can be read.
func (l *Log) open(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	fresh := l.info == nil
	if err := l.look(ctx); err != nil {
		return err
	}
	if fresh && l.index.unfinished > 0 && !l.store.options.ReadOnly {
		return l.cutUnfinished()
	}
	return nil
}

// Head answers where the log stands now.
func (l *Log) Head(ctx context.Context) (sessionlog.Head, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.look(ctx); err != nil {
		return sessionlog.Head{}, err
	}
	return l.head(), nil
}

func (l *Log) head() sessionlog.Head {
	h := sessionlog.Head{LastSeq: l.state.PrunedThrough, Generation: l.lease()}
	h.OldestSeq = h.LastSeq + 1
	if l.index.records > 0 {
		h.LastSeq, h.OldestSeq = l.index.last, l.index.first
	}
	return h
}

// most is the limit of a line: an event and what the record envelope adds.
func (l *Log) most() int { return l.store.options.MaxBytes + 4096 }

// lease is the generation of the last record, unless a later lease was taken.
func (l *Log) lease() events.Generation {
	recorded, taken := l.index.generation, l.state.Generation
	if !recorded.IsSet() {
		return taken
	}
	if cmp, ok := taken.Order(recorded); ok && cmp > 0 {
		return taken
	}
	return recorded
}

// Subscribe begins a tail and, with the first one, the watch for what other
// processes append.
func (l *Log) Subscribe(ctx context.Context) (sessionlog.Tail, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.look(ctx); err != nil {
		return nil, err
	}
	tail, err := l.hub.Subscribe()
	if err != nil {
		return nil, err
	}
	if !l.following {
		l.following = true
		l.store.follows.Add(1)
		go l.follow()
	}
	return tail, nil
}

// end closes what the log holds.
func (l *Log) end(reason sessionlog.CutReason) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.endLocked(reason)
}

func (l *Log) endLocked(reason sessionlog.CutReason) error {
	l.gone.Store(true)
	l.hub.Close(reason)
	return l.closeWriter()
}

func (l *Log) remove() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.endLocked(sessionlog.CutDeleted),
		wholefile.RemoveIfThere(l.path), wholefile.RemoveIfThere(statePath(l.path)), wholefile.SyncDir(l.store.dir))
}
