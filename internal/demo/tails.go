package demo

import (
	"context"
	"sync"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

// bentStore is the store that all routes are served from. It is the agent's own,
// but for the tails of the session: there an event can be dropped or repeated.
type bentStore struct {
	sessionlog.Store
	session string
	fan     *fan
}

// Open answers the log of a session.
func (s *bentStore) Open(ctx context.Context, session string) (sessionlog.Log, error) {
	log, err := s.Store.Open(ctx, session)
	if err != nil || session != s.session {
		return log, err
	}
	return &bentLog{Log: log, fan: s.fan}, nil
}

type bentLog struct {
	sessionlog.Log
	fan *fan
}

// Subscribe begins a tail that can be bent.
func (l *bentLog) Subscribe(ctx context.Context) (sessionlog.Tail, error) {
	inner, err := l.Log.Subscribe(ctx)
	if err != nil {
		return nil, err
	}
	head, err := l.Log.Head(ctx)
	if err != nil {
		inner.Close()
		return nil, err
	}
	t := &bentTail{Tail: inner, fan: l.fan, taken: head.LastSeq}
	l.fan.add(t)
	return t, nil
}

// fan is all open tails of the session.
type fan struct {
	mu    sync.Mutex
	tails map[*bentTail]struct{}
	moved chan struct{} // closed, and made anew, whenever a tail got on
}

func newFan() *fan {
	return &fan{tails: map[*bentTail]struct{}{}, moved: make(chan struct{})}
}

func (f *fan) add(t *bentTail) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tails[t] = struct{}{}
}

func (f *fan) remove(t *bentTail) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.tails, t)
	f.wake()
}

func (f *fan) wake() {
	close(f.moved)
	f.moved = make(chan struct{})
}

// bend arranges that the tails of this moment drop or repeat the event with this
// seq, which must not have been appended yet.
func (f *fan) bend(how bend, seq events.Seq) (tails int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for t := range f.tails {
		t.bend, t.at = how, seq
	}
	return len(f.tails)
}

// settle waits until every tail has been read up to a seq and what was read was
// written to the network, or until that takes too long.
func (f *fan) settle(seq events.Seq, most time.Duration) {
	late := time.NewTimer(most)
	defer late.Stop()
	for {
		f.mu.Lock()
		behind, moved := false, f.moved
		for t := range f.tails {
			behind = behind || t.done < seq
		}
		f.mu.Unlock()
		if !behind {
			return
		}
		select {
		case <-moved:
		case <-late.C:
			return
		}
	}
}

// bend is what happens to one event of a tail.
type bend uint8

const (
	straight bend = iota
	dropped
	repeated
)

// bentTail is one subscription of somebody who watches.
type bentTail struct {
	sessionlog.Tail
	fan   *fan
	taken events.Seq // last seq that was taken from the log or this tail

	// Guarded by the fan.
	done events.Seq // last seq whose writing is over
	bend bend
	at   events.Seq
}

// Next answers what was published, bent. Whoever calls it has done with what the
// call before answered.
func (t *bentTail) Next(ctx context.Context) ([]sessionlog.Event, error) {
	for {
		t.settled()
		batch, err := t.Tail.Next(ctx)
		if err != nil {
			return nil, err
		}
		if batch = t.bent(batch); len(batch) > 0 {
			return batch, nil
		}
	}
}

// Close ends the tail.
func (t *bentTail) Close() {
	t.fan.remove(t)
	t.Tail.Close()
}

func (t *bentTail) settled() {
	t.fan.mu.Lock()
	defer t.fan.mu.Unlock()
	t.done = t.taken
	t.fan.wake()
}

func (t *bentTail) bent(batch []sessionlog.Event) []sessionlog.Event {
	t.fan.mu.Lock()
	how, at := t.bend, t.at
	t.fan.mu.Unlock()
	out := make([]sessionlog.Event, 0, len(batch)+1)
	for _, e := range batch {
		times := 1
		if e.Seq > 0 {
			t.taken = e.Seq
		}
		if e.Seq == at && how != straight {
			times = map[bend]int{dropped: 0, repeated: 2}[how]
		}
		for range times {
			out = append(out, e)
		}
	}
	return out
}
