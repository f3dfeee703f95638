// Package fanout hands published events to the subscribers of one session.
//
// [Hub.Publish] never waits: each tail has a buffer of its own, bounded in events
// and bytes, and one that is full is cut off with sessionlog.CutSlow. A cut tail
// still hands out what was published before the cut, so that nothing is missing
// without notice. A Hub and its tails may be used by several goroutines.
package fanout

import (
	"sync"

	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

// Limits bounds the buffer of one tail. A zero member takes the default.
type Limits struct {
	Events int // default 4096
	Bytes  int // of event text, default 8 MiB; one event always fits
}

func (l Limits) orDefault() Limits {
	if l.Events <= 0 {
		l.Events = 4096
	}
	if l.Bytes <= 0 {
		l.Bytes = 8 << 20
	}
	return l
}

// Hub is the set of tails of one session.
type Hub struct {
	session string
	limits  Limits
	mu      sync.Mutex
	tails   map[*Tail]struct{}
	over    *sessionlog.Cut // set once no tail can begin any more
}

// New makes the hub of a session.
func New(session string, limits Limits) *Hub {
	return &Hub{session: session, limits: limits.orDefault(), tails: map[*Tail]struct{}{}}
}

// Subscribe begins a tail; the cut when the hub is closed.
func (h *Hub) Subscribe() (*Tail, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over != nil {
		return nil, h.over
	}
	t := &Tail{hub: h, wake: make(chan struct{}, 1)}
	h.tails[t] = struct{}{}
	return t, nil
}

// Publish puts events into every tail, in this order. Callers that publish from
// several goroutines order themselves.
func (h *Hub) Publish(batch ...sessionlog.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for t := range h.tails {
		for _, e := range batch {
			if !t.push(e, h.limits) {
				delete(h.tails, t)
				t.cut(h.cause(sessionlog.CutSlow, nil))
				break
			}
		}
	}
}

// Cut ends all tails of this moment; new ones may begin.
func (h *Hub) Cut(reason sessionlog.CutReason, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cutAll(h.cause(reason, err))
}

// Close ends all tails and lets none begin any more.
func (h *Hub) Close(reason sessionlog.CutReason) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over == nil {
		h.over = h.cause(reason, nil)
	}
	h.cutAll(h.over)
}

// Empty reports whether nobody listens.
func (h *Hub) Empty() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.tails) == 0
}

func (h *Hub) cutAll(cut *sessionlog.Cut) {
	for t := range h.tails {
		t.cut(cut)
	}
	clear(h.tails)
}

func (h *Hub) cause(reason sessionlog.CutReason, err error) *sessionlog.Cut {
	return &sessionlog.Cut{Session: h.session, Reason: reason, Err: err}
}

func (h *Hub) drop(t *Tail) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.tails, t)
	t.cut(h.cause(sessionlog.CutClosed, nil))
}
