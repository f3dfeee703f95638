package serve_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

// noting is a store that writes down what is asked of its logs; a tail ends at once.
type noting struct {
	sessionlog.Store
	asked []string
}

type notingLog struct {
	sessionlog.Log
	store *noting
}

func (s *noting) Open(ctx context.Context, session string) (sessionlog.Log, error) {
	log, err := s.Store.Open(ctx, session)
	return &notingLog{log, s}, err
}

func (l *notingLog) Head(ctx context.Context) (sessionlog.Head, error) {
	l.store.asked = append(l.store.asked, "head")
	return l.Log.Head(ctx)
}

func (l *notingLog) Read(ctx context.Context, since events.Seq, limit int) (sessionlog.Page, error) {
	l.store.asked = append(l.store.asked, "page")
	return l.Log.Read(ctx, since, limit)
}

func (l *notingLog) Subscribe(context.Context) (sessionlog.Tail, error) {
	l.store.asked = append(l.store.asked, "tail")
	return &madeUpTail{&tampered{}}, nil
}

// A head is read before its page, and the tail is there before either, so that
// nothing falls between them.
func TestAHeadIsReadBeforeItsPage(t *testing.T) {
	for route, want := range map[string][]string{"log": {"head", "page"}, "events": {"tail", "head", "page"}} {
		store := &noting{Store: memory.New(memory.Options{})}
		created(t, store.Store, "s", 2)
		w := httptest.NewRecorder()
		serve.New(store, serve.Options{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/sessions/s/"+route, nil))
		require.Equal(t, http.StatusOK, w.Code)
		require.GreaterOrEqual(t, len(store.asked), len(want), route)
		require.Equal(t, want, store.asked[:len(want)], route)
	}
}
