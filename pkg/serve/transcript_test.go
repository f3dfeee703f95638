package serve_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

func get(handler http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	handler.ServeHTTP(w, r)
	return w
}

// The fold stops at the head that was read first, over any number of pages, however
// much the log grows meanwhile.
func TestAFoldStopsAtItsHead(t *testing.T) {
	for _, records := range []int{0, 1, 9, sessionlog.DefaultPage, 2*sessionlog.DefaultPage + 7} {
		store := memory.New(memory.Options{})
		log := created(t, store, "s", records)
		grows := &growing{Store: store, log: func() { grow(t, log, sessionlog.DefaultPage) }}
		fold := func(string) serve.State { return &counting{first: func() error { return nil }} }
		w := get(serve.New(grows, serve.Options{Fold: fold}), "/v1/sessions/s/transcript")
		require.Equal(t, http.StatusOK, w.Code)
		require.Equal(t, fmt.Sprintf("{\"state\":%d,\"cursor\":\"s:%d\",\"firstSeq\":1}\n", records, records), w.Body.String())
		require.Equal(t, fmt.Sprintf(`"s:%d"`, records), w.Header().Get("ETag"))
	}
}

// growing is a store whose log grows by some records behind each look at its head.
type growing struct {
	sessionlog.Store
	log func()
}

type growingLog struct {
	sessionlog.Log
	grow func()
}

func (s *growing) Open(ctx context.Context, session string) (sessionlog.Log, error) {
	log, err := s.Store.Open(ctx, session)
	return &growingLog{log, s.log}, err
}

func (l *growingLog) Head(ctx context.Context) (sessionlog.Head, error) {
	head, err := l.Log.Head(ctx)
	l.grow()
	return head, err
}

// holey is a log that lacks a record and does not know it.
type holey struct{ sessionlog.Store }

type holeyLog struct{ sessionlog.Log }

func (s holey) Open(ctx context.Context, session string) (sessionlog.Log, error) {
	log, err := s.Store.Open(ctx, session)
	return holeyLog{log}, err
}

func (l holeyLog) Read(ctx context.Context, since events.Seq, limit int) (sessionlog.Page, error) {
	page, err := l.Log.Read(ctx, since, limit)
	if since < 3 {
		page.Events = append(page.Events[:2:2], page.Events[3:]...)
	}
	return page, err
}

// A state lacks nothing of what its cursor stands for, or there is none.
func TestAFoldThatLacksARecord(t *testing.T) {
	inner := memory.New(memory.Options{})
	created(t, inner, "s", 9)
	for name, store := range map[string]sessionlog.Store{
		"in the middle": holey{inner},
		"at the end":    &tampered{Store: inner, heads: []sessionlog.Head{{LastSeq: 12, OldestSeq: 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			var told []error
			handler := serve.New(store, serve.Options{OnError: func(_ string, err error) { told = append(told, err) }})
			w := get(handler, "/v1/sessions/s/transcript")
			require.Equal(t, http.StatusInternalServerError, w.Code)
			require.Empty(t, w.Header().Get("ETag"))
			require.Len(t, told, 1)
		})
	}
}

// The token is the ETag, whatever stands in it; a copy is kept by whoever asked,
// and asked about before it is used.
func TestTheTagOfATranscript(t *testing.T) {
	const session = `one, "two" / ü`
	store := memory.New(memory.Options{})
	log := created(t, store, session, 0)
	generation, err := log.Acquire(t.Context())
	require.NoError(t, err)
	handler := serve.New(store, serve.Options{})
	const path = "/v1/sessions/one,%20%22two%22%20%2F%20%C3%BC/transcript"
	tag := get(handler, path).Header().Get("ETag")
	require.Equal(t, `"one%2C%20%22two%22%20%2F%20%C3%BC:0@1"`, tag)

	for name, c := range map[string]struct {
		header []string
		status int
	}{
		"the same":        {[]string{tag}, http.StatusNotModified},
		"anything":        {[]string{"*"}, http.StatusNotModified},
		"one of many":     {[]string{`"x", W/` + tag + `, "y"`}, http.StatusNotModified},
		"in two headers":  {[]string{`"x"`, tag}, http.StatusNotModified},
		"another":         {[]string{`"one:0@1"`}, http.StatusOK},
		"without quotes":  {[]string{tag[1 : len(tag)-1]}, http.StatusOK},
		"nothing":         {[]string{""}, http.StatusOK},
		"not even header": {nil, http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			var header []string
			for _, value := range c.header {
				header = append(header, "If-None-Match", value)
			}
			w := get(handler, path, header...)
			require.Equal(t, c.status, w.Code)
			require.Equal(t, tag, w.Header().Get("ETag"))
			require.Equal(t, "private, no-cache", w.Header().Get("Cache-Control"))
			require.Equal(t, c.status == http.StatusOK, w.Body.Len() > 0)
		})
	}
	_, err = log.Append(t.Context(), generation, []byte(`{"type":"turn_started","turnId":"t"}`))
	require.NoError(t, err)
	w := get(handler, path, "If-None-Match", tag)
	require.Equal(t, http.StatusOK, w.Code)
	at := cursor.Cursor{Session: session, Seq: 1, Generation: "1"}
	require.Contains(t, w.Body.String(), fmt.Sprintf(`"cursor":%q`, at.Token(1)))
}
