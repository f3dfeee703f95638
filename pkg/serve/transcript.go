package serve

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

// serveTranscript answers the transcript route: the state folded from all that
// the log held when the request came, and the cursor of exactly that place.
// The cursor is the ETag, so that a consumer which has it gets 304.
func (h *Handler) serveTranscript(w http.ResponseWriter, r *http.Request) {
	log, ok := h.opened(w, r, func(string) error { return nil })
	if !ok {
		return
	}
	session := log.Session()
	head, err := log.Head(r.Context())
	if err != nil {
		h.fail(w, session, err)
		return
	}
	if tag := etag(placeOf(session, head)); matches(r.Header.Values("If-None-Match"), tag) {
		keepFresh(w.Header(), tag)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	f, err := h.fold(r.Context(), log, head)
	if err != nil {
		h.fail(w, session, err)
		return
	}
	keepFresh(w.Header(), etag(f.cursor))
	writeJSON(w, f.json())
}

// keepFresh lets whoever asked keep a copy, to be asked about before each use. A
// copy that is used without asking is what a stream refuses most often.
func keepFresh(header http.Header, tag string) {
	header.Set("ETag", tag)
	header.Set("Cache-Control", "private, no-cache")
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

var errUnsteady = errors.New("the log was taken over, lost or pruned while it was read")

// fold folds the log up to a head. A takeover, loss or prune in the meantime would
// put the state of one log under the cursor of another; then it begins anew, with
// the head as it is then.
func (h *Handler) fold(ctx context.Context, log sessionlog.Log, head sessionlog.Head) (*folded, error) {
	for range maxFolds {
		f := &folded{state: h.options.Fold(log.Session()), first: head.OldestSeq, cursor: placeOf(log.Session(), head)}
		if s, ok := f.state.(interface{ Start(first events.Seq) }); ok {
			s.Start(head.OldestSeq)
		}
		err := foldTo(ctx, log, head, f.state)
		if err != nil && againIfReplaced(err) != errAgain {
			return nil, err
		}
		after, failed := log.Head(ctx)
		switch {
		case failed != nil:
			return nil, failed
		case err == nil && goesOn(head, after):
			if s, ok := f.state.(interface{ End(at cursor.Cursor) }); ok {
				s.End(f.cursor)
			}
			return f, nil
		}
		head = after
	}
	return nil, errUnsteady
}

// goesOn reports whether a log that stood at one head has only grown since.
func goesOn(before, after sessionlog.Head) bool {
	return after.Generation == before.Generation && after.LastSeq >= before.LastSeq && after.OldestSeq == before.OldestSeq
}

// foldTo adds exactly the records that the log retains up to a head, each once and
// in order. What is appended meanwhile is not among them. errAgain: the log has not
// got what its head has promised.
func foldTo(ctx context.Context, log sessionlog.Log, head sessionlog.Head, state State) error {
	next := max(head.OldestSeq, 1)
	for next <= head.LastSeq {
		page, err := log.Read(ctx, next-1, 0)
		if err != nil {
			return err
		}
		if len(page.Events) == 0 {
			return errAgain
		}
		for _, e := range page.Events {
			if next > head.LastSeq {
				break
			}
			if e.Seq != next {
				return errAgain
			}
			if err := state.Add(e); err != nil {
				return err
			}
			next++
		}
	}
	return nil
}

func placeOf(session string, h sessionlog.Head) cursor.Cursor {
	return cursor.Cursor{Session: session, Seq: h.LastSeq, Generation: h.Generation}
}

// etag is the token as an entity tag, which holds no quotes, commas or space.
func etag(c cursor.Cursor) string { return `"` + url.PathEscape(c.Token(wireBase)) + `"` }

// matches reports whether If-None-Match names the tag. It compares weakly: whoever
// compresses an answer on its way weakens its tag.
func matches(header []string, tag string) bool {
	for one := range strings.SplitSeq(strings.Join(header, ","), ",") {
		if one = strings.TrimSpace(one); one == "*" || strings.TrimPrefix(one, "W/") == tag {
			return true
		}
	}
	return false
}
