package serve_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

// tampered is a store with one log whose tail, and maybe head, are made up.
type tampered struct {
	sessionlog.Store
	batches [][]sessionlog.Event
	cuts    int               // times that the tail ends because the log was replaced, before it ends for good
	heads   []sessionlog.Head // answered one by one, the last for good; none: the log's own
}

type tamperedLog struct {
	sessionlog.Log
	store *tampered
}

type madeUpTail struct{ store *tampered }

func (s *tampered) Open(ctx context.Context, session string) (sessionlog.Log, error) {
	log, err := s.Store.Open(ctx, session)
	return &tamperedLog{log, s}, err
}

func (l *tamperedLog) Head(ctx context.Context) (sessionlog.Head, error) {
	if len(l.store.heads) == 0 {
		return l.Log.Head(ctx)
	}
	head := l.store.heads[0]
	if len(l.store.heads) > 1 {
		l.store.heads = l.store.heads[1:]
	}
	return head, nil
}

func (l *tamperedLog) Subscribe(context.Context) (sessionlog.Tail, error) {
	return &madeUpTail{l.store}, nil
}

func (m *madeUpTail) Next(context.Context) ([]sessionlog.Event, error) {
	if len(m.store.batches) == 0 && m.store.cuts > 0 {
		m.store.cuts--
		return nil, &sessionlog.Cut{Session: "s", Reason: sessionlog.CutReplaced}
	}
	if len(m.store.batches) == 0 {
		return nil, &sessionlog.Cut{Session: "s", Reason: sessionlog.CutClosed}
	}
	batch := m.store.batches[0]
	m.store.batches = m.store.batches[1:]
	return batch, nil
}

func (m *madeUpTail) Close() {}

func recorded(seq int, more string) sessionlog.Event {
	return sessionlog.Event{Seq: events.Seq(seq), Text: fmt.Appendf(nil, `{"type":"turn_started","seq":%d%s}`, seq, more)}
}

func live(kind string) sessionlog.Event {
	return sessionlog.Event{Text: []byte(`{"type":"` + kind + `","turnId":"t"}`)}
}

// sent is what a made-up tail behind a log of two events comes to on the wire:
// the data of each frame, with its id in front.
func sent(t *testing.T, store *tampered) []string {
	memoryStore := memory.New(memory.Options{})
	created(t, memoryStore, "s", 2)
	store.Store = memoryStore
	w := httptest.NewRecorder()
	serve.New(store, serve.Options{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/sessions/s/events?from=now", nil))
	_, rest, found := strings.Cut(w.Body.String(), "event: tidemark.live\ndata: {\"sessionId\":\"s\",\"lastSeq\":2}\n\n")
	require.True(t, found, w.Body.String())
	var out []string
	for frame := range strings.SplitSeq(strings.TrimSuffix(rest, "\n\n"), "\n\n") {
		frame = strings.ReplaceAll(strings.ReplaceAll(frame, "id: ", ""), "data: ", "")
		out = append(out, strings.ReplaceAll(frame, "\n", " "))
	}
	return out
}

// The tail overlaps the page: what the page brought is left out, with the
// ephemeral output it holds already; nothing else is.
func TestTheSeamOfPageAndTail(t *testing.T) {
	got := sent(t, &tampered{batches: [][]sessionlog.Event{
		{live("text_delta"), recorded(1, ""), live("agent_pending"), live("tool_progress"), recorded(2, ""), live("text_delta")},
		{live("reasoning_delta"), recorded(2, ""), recorded(3, "")},
	}})
	require.Equal(t, []string{
		`{"type":"agent_pending","turnId":"t"}`, `{"type":"text_delta","turnId":"t"}`,
		`s:3 {"type":"turn_started","seq":3}`,
	}, got)
}

// Behind the seam the server passes on what the log says, right or wrong.
func TestAWrongTailIsPassedOn(t *testing.T) {
	got := sent(t, &tampered{batches: [][]sessionlog.Event{
		{recorded(3, ""), recorded(3, ""), recorded(1, "")},
		{recorded(2, ""), recorded(6, ""), recorded(7, "")},
	}})
	require.Equal(t, []string{
		`s:3 {"type":"turn_started","seq":3}`, `s:3 {"type":"turn_started","seq":3}`, `s:1 {"type":"turn_started","seq":1}`,
		`s:2 {"type":"turn_started","seq":2}`, `s:6 {"type":"turn_started","seq":6}`, `s:7 {"type":"turn_started","seq":7}`,
	}, got)
}

// A log whose events are of a generation its head never has: it is read again
// once, and then passed on, so that a consumer can refuse it.
func TestAHeadThatNeverCatchesUp(t *testing.T) {
	store := &tampered{
		heads: []sessionlog.Head{{LastSeq: 2, Generation: "4", OldestSeq: 1}},
		batches: [][]sessionlog.Event{
			{recorded(3, `,"generation":9`)}, {recorded(3, `,"generation":9`), recorded(4, `,"generation":9`)},
		},
	}
	got := sent(t, store)
	require.Equal(t, []string{
		`event: tidemark.head {"sessionId":"s","lastSeq":2,"generation":4,"oldestSeq":1,"verdict":"complete","from":3}`,
		`event: tidemark.live {"sessionId":"s","lastSeq":2}`,
		`s:3 {"type":"turn_started","seq":3,"generation":9}`, `s:4 {"type":"turn_started","seq":4,"generation":9}`,
	}, got)
}

// A page may run past the head that was read before it; the tail then begins
// behind the page.
func TestAPageBeyondItsHead(t *testing.T) {
	inner := memory.New(memory.Options{})
	created(t, inner, "s", 3)
	store := &tampered{Store: inner, heads: []sessionlog.Head{{LastSeq: 1, OldestSeq: 1}}}
	w := httptest.NewRecorder()
	serve.New(store, serve.Options{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/sessions/s/events", nil))
	require.Contains(t, w.Body.String(), "id: s:3\n")
	require.Contains(t, w.Body.String(), `"sessionId":"s","lastSeq":3}`)
}

// the log was taken over between head and page.
func TestATakeoverBetweenHeadAndPage(t *testing.T) {
	inner := memory.New(memory.Options{})
	log := created(t, inner, "s", 0)
	for range 2 {
		g, err := log.Acquire(t.Context())
		require.NoError(t, err)
		_, err = log.Append(t.Context(), g, []byte(`{"type":"turn_started","turnId":"t"}`))
		require.NoError(t, err)
	}
	old, now := sessionlog.Head{LastSeq: 1, Generation: "1", OldestSeq: 1}, sessionlog.Head{LastSeq: 2, Generation: "2", OldestSeq: 1}
	ask := func(heads ...sessionlog.Head) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		handler := serve.New(&tampered{Store: inner, heads: heads}, serve.Options{})
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/sessions/s/log", nil))
		return w
	}
	w := ask(old, now)
	require.Equal(t, http.StatusOK, w.Code)
	require.Contains(t, w.Body.String(), `{"head":{"lastSeq":2,"generation":2,`)
	w = ask(old)
	require.Equal(t, http.StatusConflict, w.Code)
	require.Contains(t, w.Body.String(), `"detail":"event_generation"`)
}
