package serve

import (
	"context"
	"iter"
	"net/http"
	"strconv"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/ask"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/replay"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/wire"
)

// serveLog answers the log route: one page above a cursor, or the refusal that
// the consumer would come to with it.
func (h *Handler) serveLog(w http.ResponseWriter, r *http.Request) {
	var c cursor.Cursor
	var limit int
	log, ok := h.opened(w, r, func(session string) (err error) {
		c, limit, err = h.readPageAsk(r, session)
		return err
	})
	if !ok {
		return
	}
	a, err := readAnswer(r.Context(), log, c, limit)
	switch {
	case err != nil:
		h.fail(w, log.Session(), err)
	case a.verdict.Outcome == replay.Unavailable:
		writeRefusal(w, &a.verdict.Refusal)
	default:
		writeJSON(w, a.json())
	}
}

// readPageAsk reads cursor= (absent: from the beginning) and limit=.
func (h *Handler) readPageAsk(r *http.Request, session string) (c cursor.Cursor, limit int, err error) {
	query, err := queryOf(r)
	if err != nil {
		return c, 0, err
	}
	asks, f := ask.Read(&ask.Query{Sessions: []string{session}, Cursors: query["cursor"], Base: wireBase})
	if f != nil {
		return c, 0, f
	}
	if err = once(query, "limit"); err != nil {
		return c, 0, err
	}
	limit = min(sessionlog.DefaultPage, h.options.MaxLimit)
	if text := query.Get("limit"); text != "" {
		n, ok := rawjson.Uint([]byte(text))
		if !ok || n == 0 {
			return c, 0, fault.New(fault.InvalidOptions, "limit= as an integer of at least 1", strconv.Quote(text))
		}
		limit = int(min(n, uint64(h.options.MaxLimit)))
	}
	return asks[0].Cursor, limit, nil
}

// answer is a head and the page that was read after it.
type answer struct {
	head    replay.Head
	page    sessionlog.Page
	verdict replay.Verdict
}

// readAnswer reads and judges; once more when the log was taken over, or became
// another one, in between.
func readAnswer(ctx context.Context, log sessionlog.Log, c cursor.Cursor, limit int) (a answer, err error) {
	for range 2 {
		a, err = readOnce(ctx, log, c, limit)
		if againIfReplaced(err) != errAgain && a.verdict.Refusal.Detail != fault.DetailEventGeneration {
			break
		}
	}
	return a, err
}

func readOnce(ctx context.Context, log sessionlog.Log, c cursor.Cursor, limit int) (a answer, err error) {
	h, err := log.Head(ctx)
	if err != nil {
		return a, err
	}
	a.head = replay.Head{LastSeq: h.LastSeq, Generation: h.Generation, OldestSeq: h.OldestSeq}
	if a.verdict = replay.Judge(&profile.Session, &c, &a.head); a.verdict.Outcome != replay.Replayed {
		return a, nil
	}
	if a.page, err = log.Read(ctx, c.Seq, limit); err != nil {
		return a, err
	}
	a.verdict = replay.Resolve(&profile.Session, c, a.head, scanned(a.page.Events), a.page.More)
	return a, nil
}

// scanned are the envelopes of a page.
func scanned(page []sessionlog.Event) iter.Seq2[*events.Envelope, events.Problem] {
	return func(yield func(*events.Envelope, events.Problem) bool) {
		scanner := profile.Session.NewScanner()
		var envelope events.Envelope
		for _, e := range page {
			if problem := scanner.Scan(e.Text, &envelope); !yield(&envelope, problem) {
				return
			}
		}
	}
}

func (a *answer) json() []byte {
	w := rawjson.Begin(nil)
	w.Name("head")
	w.Append(func(dst []byte) []byte {
		head := rawjson.Begin(dst)
		wire.WriteHead(&head, &a.head)
		return head.End()
	})
	w.Name("events")
	w.Append(func(dst []byte) []byte {
		dst = append(dst, '[')
		for i, e := range a.page.Events {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, e.Text...)
		}
		return append(dst, ']')
	})
	w.Bool("more", a.page.More)
	return w.End()
}

func writeJSON(w http.ResponseWriter, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	if w.Header().Get("Cache-Control") == "" {
		w.Header().Set("Cache-Control", "no-store")
	}
	_, _ = w.Write(append(body, '\n')) // the client may be gone; nothing follows
}
