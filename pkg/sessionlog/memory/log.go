package memory

import (
	"context"
	"sync"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/internal/fanout"
)

// Log implements sessionlog.Log. The record with seq n is records[n-oldest].
type Log struct {
	session string
	options Options
	hub     *fanout.Hub

	mu         sync.Mutex
	records    []sessionlog.Event
	oldest     events.Seq
	generation events.Generation
	gone       bool // deleted, or its store is closed
}

// Session is the id of the session.
func (l *Log) Session() string { return l.session }

// Append stores, counts up, publishes.
func (l *Log) Append(ctx context.Context, generation events.Generation, text []byte) (sessionlog.Event, error) {
	draft, err := sessionlog.NewDraft(l.session, text, l.options.MaxBytes)
	if err != nil {
		return sessionlog.Event{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.writable(ctx, generation); err != nil {
		return sessionlog.Event{}, err
	}
	seq, ok := sessionlog.Next(l.last())
	if !ok {
		return sessionlog.Event{}, fault.New(fault.BadInput, "a log with numbers left", "seq 9007199254740991")
	}
	event := draft.Event(sessionlog.Stamp{
		Session: l.session, Seq: seq, Generation: generation, Time: l.options.Now(),
	})
	l.records = append(l.records, event)
	if most := l.options.MaxRecords; most > 0 && len(l.records) > most {
		l.drop(len(l.records) - most)
	}
	l.hub.Publish(event)
	return event, nil
}

// Publish hands an event on without storing it.
func (l *Log) Publish(ctx context.Context, generation events.Generation, text []byte) error {
	event, err := sessionlog.Relay(l.session, text, l.options.MaxBytes)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.writable(ctx, generation); err != nil {
		return err
	}
	l.hub.Publish(event)
	return nil
}

// Acquire raises the generation.
func (l *Log) Acquire(ctx context.Context) (events.Generation, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.present(ctx); err != nil {
		return "", err
	}
	l.generation, _ = sessionlog.Raise(l.generation) // always digits: only this raises it
	return l.generation, nil
}

// Head answers where the log stands.
func (l *Log) Head(ctx context.Context) (sessionlog.Head, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.present(ctx); err != nil {
		return sessionlog.Head{}, err
	}
	return sessionlog.Head{LastSeq: l.last(), Generation: l.generation, OldestSeq: l.oldest}, nil
}

// Read answers a page.
func (l *Log) Read(ctx context.Context, since events.Seq, limit int) (sessionlog.Page, error) {
	list, more, err := l.above(ctx, since, limit)
	return sessionlog.Page{Events: list, More: more}, err
}

// Records answers the same as lines.
func (l *Log) Records(ctx context.Context, since events.Seq, limit int) (lines [][]byte, more bool, err error) {
	list, more, err := l.above(ctx, since, limit)
	for _, e := range list {
		lines = append(lines, sessionlog.RecordOf(e.Text))
	}
	return lines, more, err
}

// above is at most limit events above since.
func (l *Log) above(ctx context.Context, since events.Seq, limit int) (list []sessionlog.Event, more bool, err error) {
	if limit <= 0 {
		limit = sessionlog.DefaultPage
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.present(ctx); err != nil || since >= l.last() {
		return nil, false, err
	}
	rest := l.records
	if since >= l.oldest {
		rest = rest[since-l.oldest+1:]
	}
	n := min(limit, len(rest))
	return append(make([]sessionlog.Event, 0, n), rest[:n]...), n < len(rest), nil
}

// Subscribe begins a tail.
func (l *Log) Subscribe(ctx context.Context) (sessionlog.Tail, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.present(ctx); err != nil {
		return nil, err
	}
	tail, err := l.hub.Subscribe()
	if err != nil {
		return nil, err
	}
	return tail, nil
}

// Prune drops from the front.
func (l *Log) Prune(ctx context.Context, before events.Seq) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.present(ctx); err != nil || before <= l.oldest {
		return err
	}
	l.drop(int(min(before, l.last()+1) - l.oldest))
	return nil
}

// Lose drops every event above keep, as a crash would that took the log's tail
// with it. Readers see a lower head, and the next append uses the numbers again.
// It is there to rehearse that accident.
func (l *Log) Lose(keep events.Seq) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if keep >= l.last() {
		return
	}
	if keep < l.oldest-1 {
		l.oldest = keep + 1
	}
	l.records = l.records[: keep+1-l.oldest : keep+1-l.oldest]
	l.hub.Cut(sessionlog.CutReplaced, nil)
}

func (l *Log) last() events.Seq { return l.oldest + events.Seq(len(l.records)) - 1 }

// drop forgets the n oldest records and lets their memory go.
func (l *Log) drop(n int) {
	clear(l.records[:n])
	l.records = l.records[n:]
	l.oldest += events.Seq(n)
}

func (l *Log) present(ctx context.Context) error {
	if l.gone {
		return unknown(l.session)
	}
	return ctx.Err()
}

func (l *Log) writable(ctx context.Context, generation events.Generation) error {
	if err := l.present(ctx); err != nil {
		return err
	}
	return sessionlog.CheckLease(l.session, l.generation, generation)
}

func (l *Log) end(reason sessionlog.CutReason) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gone = true
	l.hub.Close(reason)
}
