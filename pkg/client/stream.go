package client

import (
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"sync"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// Stream is what [Open] answers. It belongs to one goroutine, but for Close, Stats
// and Standing.
type Stream struct {
	*settings
	link *link.Link

	ctx     context.Context // done once the stream is closed, or what it was opened with is
	cancel  context.CancelCauseFunc
	running sync.WaitGroup // what runs beside the stream

	connection *connection // nil: there is none
	timer      *time.Timer
	wake       time.Time   // when the link wants a tick; zero: it wants none
	told       chan func() // what runs beside it has something to say
	awaited    int         // that have not said it yet

	loads   []int       // of lanes: how many there were, so that one that is out of date is not heard
	states  map[int]any // of lanes: what a load answered, until its State is handed over
	request Request     // of the latest connection
	fresh   http.Header // what Credentials has just answered, for the next connection; else nil
	pending []handover  // was drained on the way to something else
	held    handover    // was handed over, and is not applied
	text    []byte      // of it, when its proof may be asked for
	applied []taken     // of lanes: the last recorded event that was, since the last state
	marked  *Cursor     // what the link says about it

	tally   tally
	stopped bool  // only ends are handed over
	over    bool  // nothing is
	err     error // what Next answers then
	blame   error // what a callback said, for the fault that it brings about

	mu       sync.Mutex // of what any goroutine may ask for
	shown    tally
	lags     []lag
	standing Standing
	phases   []string
}

// handover is an item on its way. seq is that of a recorded event of the lane.
type handover struct {
	item Item
	lane int
	seq  events.Seq
}

// taken is a recorded event that was applied. The text is there when the event has
// no generation, so that a cursor on it can be proven; it is ours, because what was
// handed over may have been changed since.
type taken struct {
	seq  events.Seq
	text []byte
}

// errClosed is the cause of a stream's end by Close.
var errClosed = errors.New("client: the stream was closed")

// Open begins to follow a stream: the first request, or the first Load, runs when
// it returns. It fails for options that cannot be ([fault.InvalidOptions],
// [fault.InvalidCursor], [fault.ForeignSession]); what the network does is told by
// items.
//
// When ctx ends, so does the stream: with an End of each session, and then with
// the cause of ctx. A stream that is not over holds goroutines until it is closed.
func Open(ctx context.Context, url string, o Options) (*Stream, error) {
	settings, options, err := o.settle(url)
	if err != nil {
		return nil, err
	}
	l, err := link.New(*options)
	if err != nil {
		return nil, err
	}
	s := &Stream{
		settings: settings, link: l, timer: time.NewTimer(0), told: make(chan func()),
		states: map[int]any{}, applied: make([]taken, l.Lanes()), phases: make([]string, l.Lanes()), loads: make([]int, l.Lanes()),
		lags: make([]lag, l.Lanes()), standing: Standing{Connection: "idle"},
	}
	for i := range s.phases {
		s.phases[i] = "waiting"
	}
	s.timer.Stop()
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	l.Start(s.moment())
	s.begin()
	return s, nil
}

// moment is what an input takes from the outside world.
func (s *Stream) moment() link.Moment {
	return link.Moment{Now: link.Millis(time.Now().UnixMilli()), Random: s.random()}
}

// Items are all that is still to come. An error is the last one: it is what
// [Stream.Next] would answer, but for [io.EOF], which just ends them. Whoever
// leaves the loop can come back to it; the item it was left at is applied then.
func (s *Stream) Items() iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		for {
			item, err := s.Next(context.Background())
			if errors.Is(err, io.EOF) || !yield(item, err) || err != nil {
				return
			}
		}
	}
}

// Next applies the item before and waits for the next one. [io.EOF] says that the
// stream is over as it should, any other error why it is; both stay. When ctx is
// done its cause is answered, and the stream can be asked again.
func (s *Stream) Next(ctx context.Context) (Item, error) {
	s.apply()
	if s.ctx.Err() != nil {
		s.stop()
	}
	for fresh := true; ; fresh = false {
		if item := s.drain(); item != nil {
			return item, nil
		}
		s.show(0, len(s.lags))
		if s.over {
			return nil, s.err
		}
		if err := s.wait(ctx, fresh); err != nil {
			return nil, err
		}
	}
}

// Close ends the stream and waits for what runs beside it; a Load or Credentials
// that ignores its context holds it up. What was not asked for yet is dropped:
// after Close there is only an End of each session that had none. Closing twice is
// fine.
func (s *Stream) Close() error {
	s.mu.Lock()
	s.cancel(errClosed)
	s.mu.Unlock()
	s.running.Wait()
	return nil
}

// grace is how long what a consumer left unread is listened to before a watchdog
// is, which was late for the same reason.
const grace = time.Second

// wait waits for one thing to happen, and tells the link. fresh: nobody has
// listened since the item before.
func (s *Stream) wait(ctx context.Context, fresh bool) error {
	s.alarm(fresh)
	defer s.timer.Stop()
	select {
	case what := <-s.said():
		s.hear(what)
	case tell := <-s.told:
		s.awaited--
		tell()
	case <-s.timer.C:
		s.wake = time.Time{}
		s.link.Tick(s.moment())
	case <-s.ctx.Done():
		s.stop()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// wakeAt takes a time of the link's clock over to one that is never set back, so
// that nobody waits for an hour to come twice.
func (s *Stream) wakeAt(at link.Millis) {
	now := time.Now()
	s.wake = now.Add(time.Duration(int64(at)-now.UnixMilli()) * time.Millisecond)
}

// alarm sets the timer for the tick that the link wants.
func (s *Stream) alarm(fresh bool) {
	if s.wake.IsZero() {
		return
	}
	left := time.Until(s.wake)
	if fresh && left <= 0 && s.connection != nil {
		left = grace
	}
	s.timer.Reset(max(left, 0))
}

// start runs something beside the stream. It does not begin once the stream is
// closed, so that Close knows of all there is.
func (s *Stream) start(run func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() == nil {
		s.running.Go(run)
	}
}

// beside runs a callback that may take its time. What it answers is called by the
// goroutine that the stream belongs to.
func (s *Stream) beside(run func() (tell func())) {
	s.awaited++
	s.start(func() {
		tell := run()
		select {
		case s.told <- tell:
		case <-s.ctx.Done():
		}
	})
}

// stop ends every session: the stream was closed, or its context is done.
func (s *Stream) stop() {
	if s.stopped || s.over {
		return
	}
	s.stopped, s.err = true, context.Cause(s.ctx)
	if errors.Is(s.err, errClosed) {
		s.err = io.EOF
	}
	s.pending = nil
	s.link.Stop()
}

// finish: nothing can happen any more.
func (s *Stream) finish() {
	if s.err == nil {
		s.err = io.EOF
	}
	s.over, s.wake = true, time.Time{}
	s.disconnect()
	s.cancel(errClosed)
}
