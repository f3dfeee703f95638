package serve

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/replay"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

// serveRecords answers the lines of the log above since=, byte for byte, up to the
// head as the request found it.
func (h *Handler) serveRecords(w http.ResponseWriter, r *http.Request) {
	var since events.Seq
	log, ok := h.opened(w, r, func(string) (err error) {
		since, err = readSince(r)
		return err
	})
	if !ok {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(h.open, cancel)()
	t := &transfer{options: &h.options, log: log, next: since + 1}
	verdict, err := t.begin(ctx)
	switch {
	case err != nil:
		h.fail(w, log.Session(), err)
	case verdict.Outcome == replay.Unavailable:
		writeRefusal(w, &verdict.Refusal)
	default:
		h.sendRecords(ctx, w, t, r.Method == http.MethodHead)
	}
}

func readSince(r *http.Request) (events.Seq, error) {
	query, err := queryOf(r)
	if err != nil {
		return 0, err
	}
	named := query["since"]
	if len(named) == 0 || len(named) == 1 && named[0] == "0" {
		return 0, nil
	}
	if seq, ok := events.ParseSeq([]byte(named[0])); ok && len(named) == 1 {
		return seq, nil
	}
	return 0, fault.New(fault.InvalidOptions, "since= as a seq, once", strconv.Quote(fault.Clip([]byte(named[len(named)-1]))))
}

// transfer is the records of one log on their way out.
type transfer struct {
	options *Options
	log     sessionlog.Log
	head    sessionlog.Head
	next    events.Seq // to come
	page    []byte     // lines that were read and not sent
}

// begin begins, again when the log became another one while it was looked at: until
// something was sent, that does no harm. What fails here still has a status.
func (t *transfer) begin(ctx context.Context) (v replay.Verdict, err error) {
	since := t.next
	for range maxFolds {
		t.next = since
		if v, err = t.beginOnce(ctx); err == nil || againIfReplaced(err) != errAgain && !errors.Is(err, errUnsteady) {
			break
		}
	}
	return v, err
}

// beginOnce reads the head, judges the place to start against it, and reads the
// first page.
func (t *transfer) beginOnce(ctx context.Context) (v replay.Verdict, err error) {
	if t.head, err = t.log.Head(ctx); err != nil {
		return v, err
	}
	from := cursor.Cursor{Session: t.log.Session(), Seq: t.next - 1}
	head := replay.Head{LastSeq: t.head.LastSeq, Generation: t.head.Generation, OldestSeq: t.head.OldestSeq}
	if v = replay.Judge(&profile.Session, &from, &head); v.Outcome == replay.Unavailable {
		return v, nil
	}
	return v, t.read(ctx)
}

// read reads the next page. errUnsteady: the log is no longer the one that the head
// was of, and what it holds now does not go on from what was sent.
func (t *transfer) read(ctx context.Context) error {
	t.page = t.page[:0]
	if t.next > t.head.LastSeq {
		return nil
	}
	lines, _, err := t.log.Records(ctx, t.next-1, t.options.PageSize)
	if err != nil {
		return err
	}
	for _, line := range lines {
		if t.next > t.head.LastSeq {
			break
		}
		if checkpoint.SeqOf(line) != t.next {
			return errUnsteady
		}
		t.page = append(append(t.page, line...), '\n')
		t.next++
	}
	after, err := t.log.Head(ctx)
	if err == nil && (len(t.page) == 0 || after.LastSeq < t.head.LastSeq || after.Generation != t.head.Generation) {
		return errUnsteady
	}
	return err
}

// sendRecords sends page by page, each once the client took the one before. When it
// cannot go on, the connection is cut, so that nobody takes a part for the whole.
func (h *Handler) sendRecords(ctx context.Context, w http.ResponseWriter, t *transfer, headOnly bool) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	if headOnly {
		return
	}
	out := &stream{options: &h.options, out: w, control: http.NewResponseController(w), cancel: func() {}}
	var err error
	for err == nil && len(t.page) > 0 {
		if out.write(t.page) != nil {
			panic(http.ErrAbortHandler)
		}
		err = t.read(ctx)
	}
	if err != nil {
		if ctx.Err() == nil {
			h.options.OnError(t.log.Session(), err)
		}
		panic(http.ErrAbortHandler)
	}
	_ = out.control.SetWriteDeadline(time.Time{}) // the connection may serve another request
}
