package serve

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

// serveTranscript answers the transcript route: the state folded from all that
// the log holds, and the cursor of exactly that place. The cursor is the
// ETag, so that a consumer which has it gets 304.
func (h *Handler) serveTranscript(w http.ResponseWriter, r *http.Request) {
	session := r.PathValue("sessionId")
	if !h.admit(w, r, []string{session}) {
		return
	}
	log, err := h.store.Open(r.Context(), session)
	if err != nil {
		h.fail(w, session, err)
		return
	}
	head, err := log.Head(r.Context())
	if err != nil {
		h.fail(w, session, err)
		return
	}
	w.Header().Set("Cache-Control", "no-cache")
	if tag := etag(placeOf(session, head)); matches(r.Header.Values("If-None-Match"), tag) {
		w.Header().Set("ETag", tag)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	f, err := h.fold(r.Context(), log)
	if err != nil {
		h.fail(w, session, err)
		return
	}
	w.Header().Set("ETag", etag(f.cursor))
	writeJSON(w, f.json())
}

// folded is a state and the place it stands at.
type folded struct {
	state  State
	first  events.Seq // first seq that is in the state; above 1 when the log was pruned
	cursor cursor.Cursor
}

func (f *folded) json() []byte {
	w := rawjson.Begin(nil)
	w.Name("state")
	w.Append(f.state.AppendJSON)
	w.Text("cursor", f.cursor.Token(wireBase))
	w.Int("firstSeq", int64(f.first))
	return w.End()
}

// maxFolds bounds how often a fold begins anew because the log changed under it.
const maxFolds = 5

var errUnsteady = errors.New("the log was taken over or replaced each time it was folded")

// fold reads the whole log. A takeover or a loss in the meantime would put the
// state of one log under the cursor of another; then it begins anew.
func (h *Handler) fold(ctx context.Context, log sessionlog.Log) (*folded, error) {
	for range maxFolds {
		f, err := h.foldOnce(ctx, log)
		if err == nil || againIfReplaced(err) != errAgain {
			return f, err
		}
	}
	return nil, errUnsteady
}

func (h *Handler) foldOnce(ctx context.Context, log sessionlog.Log) (*folded, error) {
	before, err := log.Head(ctx)
	if err != nil {
		return nil, err
	}
	f := &folded{state: h.options.Fold(log.Session()), first: before.OldestSeq}
	last, err := foldPages(ctx, log, f.state)
	if err != nil {
		return nil, err
	}
	after, err := log.Head(ctx)
	if err != nil {
		return nil, err
	}
	at := max(last, before.LastSeq)
	if after.Generation != before.Generation || after.LastSeq < at || after.OldestSeq != before.OldestSeq {
		return nil, errAgain
	}
	after.LastSeq = at
	f.cursor = placeOf(log.Session(), after)
	return f, nil
}

func foldPages(ctx context.Context, log sessionlog.Log, state State) (last events.Seq, err error) {
	for {
		page, err := log.Read(ctx, last, 0)
		if err != nil {
			return last, err
		}
		for _, e := range page.Events {
			if err := state.Add(e); err != nil {
				return last, err
			}
			last = e.Seq
		}
		if !page.More || len(page.Events) == 0 {
			return last, nil
		}
	}
}

func placeOf(session string, h sessionlog.Head) cursor.Cursor {
	return cursor.Cursor{Session: session, Seq: h.LastSeq, Generation: h.Generation}
}

// etag is the token as an entity tag, which holds neither quotes nor space.
func etag(c cursor.Cursor) string { return `"` + url.PathEscape(c.Token(wireBase)) + `"` }

func matches(header []string, tag string) bool {
	for _, value := range header {
		if slices.ContainsFunc(strings.Split(value, ","), func(one string) bool {
			return strings.TrimPrefix(strings.TrimSpace(one), "W/") == tag
		}) {
			return true
		}
	}
	return false
}
