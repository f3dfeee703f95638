package serve

import (
	"context"
	"errors"
	"strconv"

	"github.com/tidemark-stream/tidemark/pkg/ask"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/replay"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/wire"
)

// lane is one session of a stream. Its tracker stands where the consumer does
// that read everything the lane has sent, so that ids and takeovers are judged as
// the consumer will judge them.
type lane struct {
	stream  *stream
	log     sessionlog.Log
	tail    sessionlog.Tail
	scanner *events.Scanner
	tracker cursor.Tracker
	now     bool // the head is to set the position

	head    replay.Head
	verdict replay.Verdict
	paged   events.Seq // last seq that was read as a page
	joined  bool       // the tail has passed it: what comes now is no double
	again   bool       // the log was read again and nothing was sent since
	frames  []byte     // to be written
}

func newLane(s *stream, log sessionlog.Log, a ask.Ask) *lane {
	l := &lane{stream: s, log: log, now: a.Now, scanner: profile.Session.NewScanner()}
	l.tracker.Start(&profile.Session, &a.Cursor)
	return l
}

// attach subscribes, then reads the head, then judges: in this order nothing
// falls between page and tail.
func (l *lane) attach(ctx context.Context) error {
	if err := l.subscribe(ctx); err != nil {
		return err
	}
	h, err := l.log.Head(ctx)
	if err != nil {
		l.tail.Close()
		return err
	}
	l.head = replay.Head{LastSeq: h.LastSeq, Generation: h.Generation, OldestSeq: h.OldestSeq}
	if l.now {
		l.tracker.Reset(&cursor.Cursor{Session: l.log.Session(), Seq: h.LastSeq, Generation: h.Generation})
		l.now = false
	}
	l.verdict = replay.Judge(&profile.Session, l.tracker.Place(), &l.head)
	l.tracker.Begin(l.head.Generation, l.head.LastSeq)
	return nil
}

// subscribe begins a tail in place of the one there was.
func (l *lane) subscribe(ctx context.Context) error {
	tail, err := l.log.Subscribe(ctx)
	if err != nil {
		return err
	}
	if l.tail != nil {
		l.tail.Close()
	}
	l.tail = tail
	return nil
}

func (l *lane) appendHead(dst []byte) []byte {
	return wire.AppendHead(dst, l.log.Session(), &l.head, &l.verdict)
}

func (l *lane) atHead() bool { return l.verdict.Outcome == replay.Complete }

func (l *lane) ended(ctx context.Context) (reason string, ended bool) {
	if l.stream.options.Ended == nil {
		return "", false
	}
	return l.stream.options.Ended(ctx, l.log.Session())
}

// What a lane does next.
var (
	errAgain    = errors.New("read head and page again")
	errReplaced = errors.Join(errAgain, errors.New("the log is another one"))
	errUnshown  = errors.New("only another connection can show whether the log goes on")
	errOver     = errors.New("nothing more of this session will be sent")
)

// run sends one session from its judged head on. It returns when nothing more of
// it will come; a failure takes the whole stream down, so that the consumer comes
// back for it.
func (l *lane) run(ctx context.Context) {
	defer func() { l.tail.Close() }()
	err := l.send(ctx)
	for errors.Is(err, errAgain) {
		if err = l.reattach(ctx, errors.Is(err, errReplaced)); err == nil {
			l.frames = l.appendHead(l.frames)
			err = l.send(ctx)
		}
	}
	if errors.Is(err, errOver) {
		return
	}
	var cut *sessionlog.Cut
	expected := ctx.Err() != nil || errors.Is(err, errUnshown) || (errors.As(err, &cut) && cut.Reason != sessionlog.CutDamaged)
	if !expected {
		l.stream.options.OnError(l.log.Session(), err)
	}
	l.stream.cancel()
}

// reattach judges anew, on the same connection. It fails when the log was replaced and
// the numbers fit all the same, while no generation tells one log from the other: a
// consumer that comes back can ask for the event it stands on.
func (l *lane) reattach(ctx context.Context, replaced bool) error {
	if err := l.attach(ctx); err != nil {
		return err
	}
	at := l.tracker.Place()
	told := at.Seq == 0 || at.Generation.IsSet() && l.head.Generation.IsSet() || l.verdict.Outcome == replay.Unavailable
	if replaced && !told {
		return errUnshown
	}
	return nil
}

// send is the refusal, or replay and tail. It ends with an error in any case.
func (l *lane) send(ctx context.Context) error {
	if l.verdict.Outcome == replay.Unavailable {
		l.frames = wire.AppendRefused(l.frames, &l.verdict.Refusal, wireBase)
		return errors.Join(l.flush(), errOver)
	}
	if err := l.replay(ctx); err != nil {
		return err
	}
	l.tracker.Settle()
	l.frames = wire.AppendLive(l.frames, l.log.Session(), max(l.head.LastSeq, l.paged))
	if err := l.flushOrEnd(ctx); err != nil {
		return err
	}
	return l.follow(ctx)
}

// replay sends pages until the log has no more. Behind a long one the tail begins
// anew, because a buffer is not meant to hold what comes in the meantime.
func (l *lane) replay(ctx context.Context) error {
	l.paged, l.joined = l.tracker.Place().Seq, false
	pages, err := l.sendPages(ctx)
	if err != nil || pages < 2 {
		return err
	}
	if err = l.subscribe(ctx); err != nil {
		return err
	}
	_, err = l.sendPages(ctx)
	return err
}

func (l *lane) sendPages(ctx context.Context) (pages int, err error) {
	for more := true; more; pages++ {
		page, err := l.log.Read(ctx, l.paged, l.stream.options.PageSize)
		if err != nil {
			return pages, againIfReplaced(err)
		}
		for _, e := range page.Events {
			if err := l.recorded(e); err != nil {
				return pages, err
			}
			l.paged = e.Seq
		}
		if err := l.flush(); err != nil {
			return pages, err
		}
		more = page.More && len(page.Events) > 0
	}
	return pages, nil
}

// recorded takes one recorded event into the frames. An event that contradicts
// the head's generation is a reason to read again, once; if the log says the same
// then, the event goes out as it is.
func (l *lane) recorded(e sessionlog.Event) error {
	var envelope events.Envelope
	var d cursor.Decision
	l.tracker.Observe(&d, &envelope, l.scanner.Scan(e.Text, &envelope))
	switch d.Verdict {
	case cursor.GenerationChanged:
		if !l.again {
			l.again = true
			return errors.Join(l.flush(), errAgain)
		}
		l.tracker.Force(&envelope)
	case cursor.Gap:
		l.tracker.Force(&envelope)
	}
	l.again = false
	at := cursor.Cursor{Session: l.log.Session(), Seq: e.Seq, Generation: l.tracker.Place().Generation}
	var err error
	l.frames, err = appendEvent(l.frames, at.AppendToken(nil, wireBase), e.Text)
	return err
}

// follow sends the tail.
func (l *lane) follow(ctx context.Context) error {
	for {
		batch, err := l.next(ctx)
		if err != nil {
			return againIfReplaced(err)
		}
		for _, e := range l.withoutDoubles(batch) {
			if e.Seq > 0 {
				err = l.recorded(e)
			} else {
				l.frames, err = appendEvent(l.frames, nil, e.Text)
			}
			if err != nil {
				return err
			}
		}
		if err := l.flushOrEnd(ctx); err != nil {
			return err
		}
	}
}

// next waits for the tail; without an event only to ask whether the session has
// ended meanwhile.
func (l *lane) next(ctx context.Context) ([]sessionlog.Event, error) {
	if l.stream.options.Ended == nil {
		return l.tail.Next(ctx)
	}
	waiting, cancel := context.WithTimeout(ctx, l.stream.options.Heartbeat)
	defer cancel()
	batch, err := l.tail.Next(waiting)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil, nil
	}
	return batch, err
}

// flushOrEnd writes what is there, with the end of the session behind it if it is
// one.
func (l *lane) flushOrEnd(ctx context.Context) error {
	reason, ended := l.ended(ctx)
	if !ended {
		return l.flush()
	}
	l.frames = wire.AppendEnd(l.frames, l.log.Session(), reason)
	return errors.Join(l.flush(), errOver)
}

// keepFrames is how large a buffer outlives a write, in bytes.
const keepFrames = 256 << 10

func (l *lane) flush() error {
	frames := l.frames
	l.frames = l.frames[:0]
	if cap(frames) > keepFrames {
		l.frames = nil
	}
	return l.stream.write(frames)
}

// againIfReplaced: a log that is another one now has to be judged anew.
func againIfReplaced(err error) error {
	var cut *sessionlog.Cut
	if errors.As(err, &cut) && cut.Reason == sessionlog.CutReplaced {
		return errReplaced
	}
	return err
}

// withoutDoubles leaves out what the pages have brought already: recorded events
// up to where they ended, and the ephemeral ones before those, whose content they
// hold. Behind the seam nothing is left out, whatever its number: a log that
// repeats itself is for the consumer to see.
func (l *lane) withoutDoubles(batch []sessionlog.Event) []sessionlog.Event {
	if l.joined {
		return batch
	}
	seam, last := len(batch), -1
	for i, e := range batch {
		if e.Seq > l.paged {
			seam, l.joined = i, true
			break
		}
		if e.Seq > 0 {
			last = i
		}
	}
	var rest []sessionlog.Event
	for i, e := range batch[:seam] {
		if e.Seq == 0 && (i > last || !l.ephemeral(e)) {
			rest = append(rest, e)
		}
	}
	return append(rest, batch[seam:]...)
}

func (l *lane) ephemeral(e sessionlog.Event) bool {
	var envelope events.Envelope
	problem := l.scanner.Scan(e.Text, &envelope)
	return problem == events.NoProblem && profile.Session.IsEphemeral(&envelope)
}

func tooManySessions(most int) *fault.Fault {
	return fault.New(fault.InvalidOptions, "at most "+strconv.Itoa(most)+" sessions on one stream", "more")
}
