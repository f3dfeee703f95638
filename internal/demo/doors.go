package demo

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

// doors know every open stream, and can keep newcomers out while the log is being
// changed under them.
type doors struct {
	session string       // the one whose streams are known
	shut    sync.RWMutex // held by a fault while nobody may come in

	mu      sync.Mutex
	streams map[*connection]struct{}
	awaited int           // how many are still to come back
	back    chan struct{} // closed when they are
	closing context.Context
	close   context.CancelFunc
}

func newDoors(session string) *doors {
	d := &doors{session: session, streams: map[*connection]struct{}{}}
	d.closing, d.close = context.WithCancel(context.Background())
	return d
}

// connection is one open stream.
type connection struct {
	out     *breakable
	control *http.ResponseController
	cancel  context.CancelFunc
	gone    chan struct{} // closed when its handler is done
}

// stream lets a handler of streams be cut off: it comes in when the doors are
// open, and when it was torn its connection is closed without an end of the body.
func (d *doors) stream(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(d.closing, cancel)()
		c := &connection{
			out: &breakable{ResponseWriter: w, broke: cancel}, cancel: cancel,
			control: http.NewResponseController(w), gone: make(chan struct{}),
		}
		defer close(c.gone)
		if d.enter(c, append(r.URL.Query()["session"], r.PathValue("sessionId"))) {
			defer d.leave(c)
		}
		next(c.out, r.WithContext(ctx))
		if c.out.isTorn() {
			panic(http.ErrAbortHandler) // closes the socket as it is
		}
	}
}

// visit lets a handler of short answers in when the doors are open. The answer is
// kept until it is whole, so that a slow reader never holds the doors.
func (d *doors) visit(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		whole := &kept{header: w.Header()}
		func() {
			d.shut.RLock()
			defer d.shut.RUnlock()
			next(whole, r)
		}()
		whole.send(w)
	}
}

// enter waits until the doors are open. It answers whether the stream shows the
// session, and is known from now on.
func (d *doors) enter(c *connection, sessions []string) bool {
	d.shut.RLock()
	defer d.shut.RUnlock()
	if !slices.Contains(sessions, d.session) {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.streams[c] = struct{}{}
	if d.awaited > 0 {
		if d.awaited--; d.awaited == 0 {
			close(d.back)
		}
	}
	return true
}

func (d *doors) leave(c *connection) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.streams, c)
}

// open answers the streams of this moment.
func (d *doors) open() []*connection {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Collect(maps.Keys(d.streams))
}

// expect answers a channel that is closed once n streams have come in; nil when
// there is nobody to wait for.
func (d *doors) expect(n int) <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.awaited = n
	if n == 0 {
		return nil
	}
	d.back = make(chan struct{})
	return d.back
}

// grace is how long a stream may take to end before its writes are stopped.
const grace = time.Second

// end ends streams between two frames, as a server does that is told to stop.
func end(streams []*connection) {
	for _, c := range streams {
		c.cancel()
	}
	wait(streams)
}

// wait returns when the handlers of the streams are done.
func wait(streams []*connection) {
	late := time.NewTimer(grace)
	defer late.Stop()
	for _, c := range streams {
		select {
		case <-c.gone:
			continue
		case <-late.C:
			late.Reset(0)
		}
		c.cancel()
		_ = c.control.SetWriteDeadline(time.Now()) // wakes a write that nobody reads
		<-c.gone
	}
}
