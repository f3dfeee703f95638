package fanout

import (
	"context"
	"sync"

	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

// Tail is one subscription of a [Hub]. It implements sessionlog.Tail.
type Tail struct {
	hub   *Hub
	wake  chan struct{} // holds one token while there may be something to take
	mu    sync.Mutex
	queue []sessionlog.Event
	bytes int
	over  *sessionlog.Cut
}

// Next waits for events or a cut.
func (t *Tail) Next(ctx context.Context) ([]sessionlog.Event, error) {
	for {
		batch, err := t.take()
		if len(batch) > 0 || err != nil {
			return batch, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-t.wake:
		}
	}
}

// Close ends the tail.
func (t *Tail) Close() { t.hub.drop(t) }

// take answers what waits; the cut only when nothing does.
func (t *Tail) take() ([]sessionlog.Event, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.queue) > 0 {
		batch := t.queue
		t.queue, t.bytes = nil, 0
		return batch, nil
	}
	if t.over != nil {
		return nil, t.over
	}
	return nil, nil
}

// push reports whether the event found room.
func (t *Tail) push(e sessionlog.Event, l Limits) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	full := len(t.queue) >= l.Events || t.bytes+len(e.Text) > l.Bytes
	if full && len(t.queue) > 0 {
		return false
	}
	t.queue = append(t.queue, e)
	t.bytes += len(e.Text)
	t.signal()
	return true
}

// cut ends the tail; the first cause stays.
func (t *Tail) cut(c *sessionlog.Cut) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over == nil {
		t.over = c
	}
	t.signal()
}

func (t *Tail) signal() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}
