package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/flaky"
	"github.com/tidemark-stream/tidemark/pkg/client"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

// tide is a session log behind a server, in virtual time.
type tide struct {
	t       *testing.T
	log     *memory.Log
	lease   events.Generation
	handler *serve.Handler
}

func newTide(t *testing.T, records int) *tide {
	store := memory.New(memory.Options{})
	log, err := store.Create(t.Context(), "s")
	require.NoError(t, err)
	all := &tide{t: t, log: log.(*memory.Log), handler: serve.New(store, serve.Options{})}
	all.acquire()
	all.grow(records)
	return all
}

func (a *tide) acquire() {
	lease, err := a.log.Acquire(a.t.Context())
	require.NoError(a.t, err)
	a.lease = lease
}

func (a *tide) grow(records int) {
	for range records {
		_, err := a.log.Append(a.t.Context(), a.lease, []byte(`{"type":"turn_started","turnId":"t"}`))
		require.NoError(a.t, err)
	}
}

// cache is a transport that keeps answers of the transcript route for some requests
// without asking, as a cache does that was told to.
type cache struct {
	http.RoundTripper
	kept  []byte
	stale int // requests that are answered from it
	asked int
}

func (c *cache) RoundTrip(r *http.Request) (*http.Response, error) {
	if c.asked++; c.kept != nil && c.stale > 0 {
		c.stale--
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(c.kept)), Request: r}, nil
	}
	response, err := c.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	c.kept, err = io.ReadAll(response.Body)
	response.Body = io.NopCloser(bytes.NewReader(c.kept))
	return response, err
}

// transcript is a Load from the transcript route.
func transcript(through *cache) client.Load {
	return func(ctx context.Context, r client.LoadRequest) (client.Loaded, error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://tide.test/v1/sessions/"+r.Session+"/transcript", nil)
		if err != nil {
			return client.Loaded{}, err
		}
		response, err := (&http.Client{Transport: through}).Do(request)
		if err != nil {
			return client.Loaded{}, err
		}
		defer response.Body.Close()
		var answer struct {
			State  struct{ Turns []struct{ Seq int } }
			Cursor string
		}
		err = json.NewDecoder(response.Body).Decode(&answer)
		return client.Loaded{State: answer.State.Turns[0].Seq, Cursor: answer.Cursor}, err
	}
}

// A transcript out of a cache is refused when the log does not continue it, and
// loaded once more; one that is merely old connects.
func TestAStaleTranscript(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(a *tide)
		refused   error // nil: it connects
		cursor    string
	}{
		"the log has only grown":     {func(a *tide) { a.grow(3) }, nil, "s:5@1"},
		"it was taken over":          {func(a *tide) { a.acquire(); a.grow(1) }, fault.GenerationChanged, "s:6@2"},
		"it has lost its end":        {func(a *tide) { a.log.Lose(3) }, fault.CursorAhead, "s:3@1"},
		"it was pruned beyond that":  {func(a *tide) { a.grow(5); require.NoError(a.t, a.log.Prune(a.t.Context(), 9)) }, fault.GapPruned, "s:10@1"},
		"it was pruned up to there":  {func(a *tide) { a.grow(5); require.NoError(a.t, a.log.Prune(a.t.Context(), 6)) }, nil, "s:5@1"},
		"it was taken over, and not": {func(a *tide) { a.acquire() }, fault.GenerationChanged, "s:5@2"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := newTide(t, 5)
				through := &cache{RoundTripper: flaky.Transport(a.handler), stale: 1}
				load := transcript(through)
				_, err := load(t.Context(), client.LoadRequest{Session: "s"}) // by a page before, say
				require.NoError(t, err)
				c.meanwhile(a)

				stream := open(t, t.Context(), a.handler, client.Options{Load: load})
				defer stream.Close()
				first := next(t, stream).(client.State)
				require.Equal(t, []any{"s:5@1", 5, link.First}, []any{first.Cursor, first.State, first.Why})
				if c.refused != nil {
					require.ErrorIs(t, next(t, stream).(client.Refused), c.refused)
					rebuilt := next(t, stream).(client.State)
					require.Equal(t, []any{c.cursor, link.Rebuilt}, []any{rebuilt.Cursor, rebuilt.Why})
					require.True(t, bytes.HasPrefix([]byte(c.cursor), fmt.Appendf(nil, "s:%d@", rebuilt.State)), "%s has the state of seq %d", c.cursor, rebuilt.State)
				}
				a.grow(1)
				for {
					if e, ok := next(t, stream).(client.Event); ok {
						if head, err := a.log.Head(t.Context()); err == nil && int64(head.LastSeq) == e.Seq {
							break
						}
					}
				}
			})
		})
	}
}

// A cache that never lets go of its copy is found out: one reload, then the fault.
func TestATranscriptThatStaysStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newTide(t, 5)
		through := &cache{RoundTripper: flaky.Transport(a.handler), stale: 100}
		load := transcript(through)
		_, err := load(t.Context(), client.LoadRequest{Session: "s"})
		require.NoError(t, err)
		a.acquire()

		o := over(a.handler)
		o.Sessions, o.Load = nil, load
		got := follow(t, t.Context(), one("s"), o)
		require.ErrorIs(t, got.err, fault.LoadLoop)
		require.Equal(t, 3, through.asked)
		require.Empty(t, got.log)
	})
}
