package serve_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

// gated is a response whose client takes a frame only when it is let.
type gated struct {
	*httptest.ResponseRecorder
	before func(frames string)
}

func (g *gated) Write(b []byte) (int, error) {
	g.before(string(b))
	return g.ResponseRecorder.Write(b)
}

// holding answers a gate that closes before the first write that holds mark.
func holding(mark string) (w *gated, reached, release chan struct{}) {
	reached, release = make(chan struct{}), make(chan struct{})
	first := true
	return &gated{httptest.NewRecorder(), func(frames string) {
		if first && strings.Contains(frames, mark) {
			first = false
			close(reached)
			<-release
		}
	}}, reached, release
}

func requireOnce(t *testing.T, body string, seqs int) {
	for seq := 1; seq <= seqs; seq++ {
		require.Equal(t, 1, strings.Count(body, fmt.Sprintf("id: s:%d\n", seq)), "seq %d", seq)
	}
	require.NotContains(t, body, fmt.Sprintf("id: s:%d\n", seqs+1))
}

// A reader that is too slow for its buffer loses its connection, not an event: up
// to the cut everything is there, and its cursor connects to the rest.
func TestAReaderThatIsTooSlow(t *testing.T) {
	store := memory.New(memory.Options{TailEvents: 4})
	log := created(t, store, "s", 1)
	w, reached, release := holding("tidemark.live")
	done := make(chan struct{})
	go func() {
		defer close(done)
		serve.New(store, serve.Options{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/sessions/s/events", nil))
	}()
	<-reached
	grow(t, log, 10)
	close(release)
	<-done
	requireOnce(t, w.Body.String(), 5)
}

// During a long replay the log may grow by more than a buffer holds; the stream
// then goes on all the same.
func TestALogThatGrowsDuringItsReplay(t *testing.T) {
	store := memory.New(memory.Options{TailEvents: 4})
	log := created(t, store, "s", 6)
	handler := serve.New(store, serve.Options{PageSize: 2})
	w, reached, release := holding("id: s:1\n")
	last := make(chan struct{})
	gate := w.before
	w.before = func(frames string) {
		gate(frames)
		if strings.Contains(frames, "tidemark.live") {
			grow(t, log, 1)
		}
		if strings.Contains(frames, "id: s:17\n") {
			close(last)
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/sessions/s/events", nil))
	}()
	<-reached
	grow(t, log, 10)
	close(release)
	select {
	case <-last:
	case <-done:
	}
	handler.Close()
	<-done
	requireOnce(t, w.Body.String(), 17)
}
