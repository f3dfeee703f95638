package demo

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sse"
)

// plain is a stream of a session as most servers write it today: the id of an
// event is its number, a browser that comes back says the last one it has, and
// gets everything with a higher number, then the live tail. That is all there is:
// no head, no generation, no judgement of whether the log is still the one that
// the number was counted in. It is written with care otherwise (it subscribes
// before it reads, sends nothing twice at the seam, sends life signs), so that
// what goes wrong on it goes wrong by design.
type plain struct {
	out     http.ResponseWriter
	control *http.ResponseController
	tail    sessionlog.Tail
	last    events.Seq // last one of the pages
	seam    bool       // the tail is still within the pages
	frames  []byte
}

// Times of the plain route, as they are common.
const (
	plainRetry     = 1000 // milliseconds until a browser comes back
	plainHeartbeat = 15 * time.Second
	plainTimeout   = 20 * time.Second
)

// servePlain answers the plain route. Where to start: Last-Event-ID, else
// ?since=, else from the first record that is there. What is no number counts as
// none, as usual.
func (d *Demo) servePlain(w http.ResponseWriter, r *http.Request) {
	log, err := d.store.Open(r.Context(), r.PathValue("sessionId"))
	if err != nil {
		writeFault(w, http.StatusNotFound, fault.New(fault.UnknownSession, "a session with a log", "none"))
		return
	}
	tail, err := log.Subscribe(r.Context())
	if err != nil {
		writeFault(w, http.StatusServiceUnavailable, fault.New(fault.InternalFault, "", ""))
		return
	}
	defer tail.Close()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store, no-transform")
	w.Header().Set("X-Accel-Buffering", "no")
	p := &plain{out: w, control: http.NewResponseController(w), tail: tail}
	p.frames, _ = sse.AppendEvent(nil, sse.Out{Retry: plainRetry, HasRetry: true}) // cannot fail
	if p.replay(r.Context(), log, since(r)) == nil {
		p.follow(r.Context())
	}
}

// since is the last number that a client has, 0 for none.
func since(r *http.Request) events.Seq {
	text := r.Header.Get("Last-Event-ID")
	if text == "" {
		text = r.URL.Query().Get("since")
	}
	seq, err := strconv.ParseUint(text, 10, 53)
	if err != nil {
		return 0
	}
	return events.Seq(seq)
}

func (p *plain) replay(ctx context.Context, log sessionlog.Log, since events.Seq) error {
	for more := true; more; {
		page, err := log.Read(ctx, since, 0)
		if err != nil {
			return err
		}
		for _, e := range page.Events {
			p.add(e)
			since, p.last, p.seam = e.Seq, e.Seq, true
		}
		if err := p.flush(); err != nil {
			return err
		}
		more = page.More
	}
	return nil
}

// follow sends the tail until it ends.
func (p *plain) follow(ctx context.Context) {
	for {
		batch, err := p.next(ctx)
		if err != nil {
			return
		}
		for _, e := range batch {
			if p.seam && 0 < e.Seq && e.Seq <= p.last {
				continue // the pages had it
			}
			p.seam = p.seam && e.Seq == 0
			p.add(e)
		}
		if p.flush() != nil {
			return
		}
	}
}

// next waits for the tail; when nothing comes, a life sign goes out.
func (p *plain) next(ctx context.Context) ([]sessionlog.Event, error) {
	waiting, cancel := context.WithTimeout(ctx, plainHeartbeat)
	defer cancel()
	batch, err := p.tail.Next(waiting)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		p.frames = sse.AppendComment(p.frames, nil)
		return nil, nil
	}
	return batch, err
}

func (p *plain) add(e sessionlog.Event) {
	out := sse.Out{Data: e.Text}
	if e.Seq > 0 {
		out.ID = strconv.AppendUint(nil, uint64(e.Seq), 10)
	}
	p.frames, _ = sse.AppendEvent(p.frames, out) // a record is one line
}

func (p *plain) flush() error {
	if len(p.frames) == 0 {
		return nil
	}
	_ = p.control.SetWriteDeadline(time.Now().Add(plainTimeout)) // not every writer has deadlines
	_, err := p.out.Write(p.frames)
	p.frames = p.frames[:0]
	if err != nil {
		return err
	}
	return p.control.Flush()
}
