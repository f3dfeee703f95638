package serve

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/ask"
	"github.com/tidemark-stream/tidemark/pkg/sse"
)

// stream is one open response. Its lanes write to it in turn; a frame is never
// split between two of them.
type stream struct {
	options *Options
	out     http.ResponseWriter
	control *http.ResponseController
	cancel  context.CancelFunc // ends every lane
	mu      sync.Mutex
}

// errNoFlush tells who runs the server why every stream of it ends at once.
var errNoFlush = errors.New("serve: the response writer cannot flush: give the one that wraps it an Unwrap, see http.ResponseController")

// write puts whole frames on the wire and flushes them. A client that takes none
// of them in time is given up, and with it the stream.
func (s *stream) write(frames []byte) error {
	if len(frames) == 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.control.SetWriteDeadline(time.Now().Add(s.options.WriteTimeout)) // not every writer has deadlines
	_, err := s.out.Write(frames)
	if err == nil {
		err = s.control.Flush()
	}
	if errors.Is(err, http.ErrNotSupported) {
		s.options.OnError("", errNoFlush)
	}
	if err != nil {
		s.cancel()
	}
	return err
}

// beat writes a comment from time to time, until ctx is done.
func (s *stream) beat(ctx context.Context) {
	ticker := time.NewTicker(s.options.Heartbeat)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if s.write(sse.AppendComment(nil, nil)) != nil {
				return
			}
		}
	}
}

// serveEvents answers the events route.
func (h *Handler) serveEvents(w http.ResponseWriter, r *http.Request) {
	sessions := sessionsOf(r, h.options.MaxSessions)
	if len(sessions) > h.options.MaxSessions {
		writeFault(w, tooManySessions(h.options.MaxSessions))
		return
	}
	if !h.admit(w, r, sessions) {
		return
	}
	asks, err := readAsks(r, sessions)
	if err == nil {
		err = h.open.Err()
	}
	if err != nil {
		h.fail(w, sessions[0], err)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(h.open, cancel)()
	s := &stream{options: &h.options, out: w, control: http.NewResponseController(w), cancel: cancel}
	lanes, err := h.openLanes(ctx, s, asks)
	defer closeLanes(lanes)
	switch {
	case err != nil:
		h.fail(w, sessions[len(lanes)], err)
	case allOver(ctx, lanes):
		w.WriteHeader(http.StatusNoContent)
	default:
		s.run(ctx, r.Method, lanes)
	}
}

// openLanes subscribes and judges every session before the answer has a status.
func (h *Handler) openLanes(ctx context.Context, s *stream, asks []ask.Ask) (lanes []*lane, err error) {
	for _, a := range asks {
		log, err := h.store.Open(ctx, a.Cursor.Session)
		if err != nil {
			return lanes, err
		}
		ln := newLane(s, log, a)
		if err := ln.attach(ctx); err != nil {
			return lanes, err
		}
		lanes = append(lanes, ln)
	}
	return lanes, nil
}

func closeLanes(lanes []*lane) {
	for _, ln := range lanes {
		ln.tail.Close()
	}
}

// allOver reports whether nothing will ever come of any session.
func allOver(ctx context.Context, lanes []*lane) bool {
	for _, ln := range lanes {
		if _, ended := ln.ended(ctx); !ended || !ln.atHead() {
			return false
		}
	}
	return true
}

// run sends the heads in the order asked for, then each session on its own, until
// all are over or the client is gone.
func (s *stream) run(ctx context.Context, method string, lanes []*lane) {
	header := s.out.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store, no-transform")
	header.Set("X-Accel-Buffering", "no")
	if method == http.MethodHead {
		return // there is no body, and nobody would see its end
	}
	var heads []byte
	for _, ln := range lanes {
		heads = ln.appendHead(heads)
	}
	if s.write(heads) != nil {
		return
	}
	var running, beating sync.WaitGroup
	beating.Go(func() { s.beat(ctx) })
	for _, ln := range lanes {
		running.Go(func() { ln.run(ctx) })
	}
	running.Wait()
	s.cancel()
	beating.Wait()
	_ = s.control.SetWriteDeadline(time.Time{}) // the connection may serve another request
}
