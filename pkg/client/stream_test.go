package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/flaky"
	"github.com/tidemark-stream/tidemark/pkg/client"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// says is a server that sends a text as an event stream, and then what after does.
func says(text string, after func(w http.ResponseWriter, r *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, text)
		_ = http.NewResponseController(w).Flush()
		if after != nil {
			after(w, r)
		}
	}
}

// hangs holds a connection open until it is given up.
func hangs(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// records are the frames of records from first to last of session s.
func records(first, last int) string {
	var frames strings.Builder
	for n := first; n <= last; n++ {
		fmt.Fprintf(&frames, "data: {\"type\":\"note\",\"sessionId\":\"s\",\"seq\":%d}\n\n", n)
	}
	return frames.String()
}

func open(t *testing.T, ctx context.Context, handler http.Handler, o client.Options) *client.Stream {
	o.Client = over(handler).Client
	address := one("s")
	if len(o.Sessions) > 0 {
		address = one(o.Sessions[0])
	}
	stream, err := client.Open(ctx, address, o)
	require.NoError(t, err)
	return stream
}

func next(t *testing.T, stream *client.Stream) client.Item {
	item, err := stream.Next(t.Context())
	require.NoError(t, err)
	return item
}

// What is handed over is applied once the next item is asked for, and not before.
func TestTwoMarks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stream := open(t, t.Context(), flaky.New(flaky.Script{}), client.Options{Sessions: flaky.Sessions()})
		defer stream.Close()
		taken := map[string]string{"a": "a:0", "team:b": "team:b:0", "née": "née:0"} // the token of the last record that was asked past
		var last client.Item
		for {
			item, err := stream.Next(t.Context())
			if e, ok := last.(client.Event); ok {
				taken[e.Session] = flaky.Records(e.Session)[e.Seq-1].ID
			}
			for _, session := range flaky.Sessions() {
				require.Equal(t, taken[session], applied(stream, session))
			}
			if last = item; errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
		}
		require.Equal(t, map[string]string{"a": "a:8@7", "team:b": "team:b:5", "née": "née:4@w%2F1%20%C3%BC"}, taken)
		_, ok := stream.Applied("another")
		require.False(t, ok)
	})
}

// applied is the token of what was, "" for nothing.
func applied(stream *client.Stream, session string) string {
	c, _ := stream.Applied(session)
	return c.Token
}

// A cursor without a generation is saved with the proof of its event, and a log that
// was lost and has grown again is refused by it; what was handed over may have been
// changed since.
func TestASavedProof(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		team := client.Options{Sessions: []string{"team:b"}}
		stream := open(t, t.Context(), flaky.New(flaky.Script{}), team)
		for seq := int64(0); seq < 3; {
			if e, ok := next(t, stream).(client.Event); ok {
				seq = e.Seq
				clear(e.JSON)
			}
		}
		saved, ok := stream.Applied("team:b")
		require.True(t, ok)
		require.Equal(t, "team:b:2", saved.Token)
		require.Len(t, saved.Proof, 32)
		require.NoError(t, stream.Close())

		team.Cursors = []client.Cursor{saved}
		honest := flaky.New(flaky.Script{})
		stream = open(t, t.Context(), honest, team)
		for seq := int64(3); seq <= 5; {
			if e, ok := next(t, stream).(client.Event); ok {
				require.Equal(t, seq, e.Seq)
				seq++
			}
		}
		require.Equal(t, []string{"cursor=team:b:1"}, honest.Asked(""))
		require.NoError(t, stream.Close())

		stream = open(t, t.Context(), flaky.New(flaky.Script{Faults: []flaky.Fault{{Kind: "rewrite", Record: "team:b:1"}}}), team)
		require.ErrorIs(t, next(t, stream).(client.Refused), fault.HistoryChanged)
		require.NoError(t, stream.Close())

		team.Cursors, team.Proof = []client.Cursor{{Token: saved.Token}}, link.Require
		stream = open(t, t.Context(), honest, team)
		require.ErrorIs(t, next(t, stream).(client.Refused), fault.GapUnproven)
		require.NoError(t, stream.Close())

		fenced := open(t, t.Context(), honest, client.Options{Sessions: []string{"a"}})
		defer fenced.Close()
		next(t, fenced)
		next(t, fenced)
		saved, _ = fenced.Applied("a")
		require.Equal(t, client.Cursor{Token: "a:1@7"}, saved)
	})
}

// A loop that is left has not applied the item that it was left at, and can be
// entered again.
func TestLeavingTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stream := open(t, t.Context(), says(records(1, 3), hangs), client.Options{})
		defer stream.Close()
		for item, err := range stream.Items() {
			require.NoError(t, err)
			if item.(client.Event).Seq == 2 {
				break
			}
		}
		require.Equal(t, "s:1", applied(stream, "s"))
		for item, err := range stream.Items() {
			require.NoError(t, err)
			require.EqualValues(t, 3, item.(client.Event).Seq)
			break
		}
		require.Equal(t, "s:2", applied(stream, "s"))
	})
}

// Whoever stops waiting has lost nothing.
func TestNextThatGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stream := open(t, t.Context(), says(records(1, 1), func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(10 * time.Second)
			_, _ = io.WriteString(w, records(2, 2))
			hangs(w, r)
		}), client.Options{})
		defer stream.Close()
		require.EqualValues(t, 1, next(t, stream).(client.Event).Seq)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := stream.Next(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.EqualValues(t, 2, next(t, stream).(client.Event).Seq)
	})
}

// A context that ends, ends the stream: with an end of each session, and its cause.
func TestTheContextOfAStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("the job was called off")
		ctx, cancel := context.WithCancelCause(t.Context())
		stream := open(t, ctx, says(records(1, 2), hangs), client.Options{})
		next(t, stream)
		time.AfterFunc(time.Minute, func() { cancel(why) })
		next(t, stream)
		require.Equal(t, client.End{Session: "s", Cause: 3}, next(t, stream))
		for range 2 {
			_, err := stream.Next(t.Context())
			require.ErrorIs(t, err, why)
		}
		require.Equal(t, "s:2", applied(stream, "s"))
	})
}

// After Close nothing comes but ends, whatever had arrived.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stream := open(t, t.Context(), says(records(1, 9), hangs), client.Options{})
		next(t, stream)
		require.NoError(t, stream.Close())
		require.NoError(t, stream.Close())
		require.Equal(t, client.End{Session: "s", Cause: 3}, next(t, stream))
		_, err := stream.Next(t.Context())
		require.Equal(t, io.EOF, err)
		require.Equal(t, "s:1", applied(stream, "s"))
	})
}

func TestCloseWhileSomebodyWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, handler := range map[string]http.Handler{
			"for an event":  says("", hangs),
			"for an answer": http.HandlerFunc(hangs),
			"for a retry":   flaky.New(flaky.Script{Faults: []flaky.Fault{{Kind: "status", Status: 503, RetryAfter: "3600"}}}),
		} {
			stream := open(t, t.Context(), handler, client.Options{Sessions: []string{"a"}})
			time.AfterFunc(time.Second, func() { _ = stream.Close() })
			require.Equal(t, client.End{Session: "a", Cause: 3}, next(t, stream), name)
			_, err := stream.Next(t.Context())
			require.Equal(t, io.EOF, err)
		}
	})
}

// While nobody asks, no more is read than two buffers hold.
func TestBackPressure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var written atomic.Int64
		stream := open(t, t.Context(), says("", func(w http.ResponseWriter, _ *http.Request) {
			for n := 1; n <= 20_000; n++ {
				sent, err := io.WriteString(w, records(n, n))
				if written.Add(int64(sent)); err != nil {
					return
				}
			}
		}), client.Options{})
		defer stream.Close()
		next(t, stream)
		synctest.Wait()
		before := written.Load()
		require.Less(t, before, int64(128<<10))
		time.Sleep(time.Hour)
		require.Equal(t, before, written.Load())
		for n := int64(2); n <= 20_000; n++ {
			require.Equal(t, n, next(t, stream).(client.Event).Seq)
		}
		require.Zero(t, stream.Stats().Reconnects)
	})
}

// The silence of a consumer is not the server's, and what waits is heard before a
// watchdog is.
func TestASlowConsumer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stream := open(t, t.Context(), says("", func(w http.ResponseWriter, r *http.Request) {
			for n := 1; ; n++ {
				if _, err := io.WriteString(w, records(n, n)); err != nil {
					return
				}
				time.Sleep(20 * time.Second)
			}
		}), client.Options{})
		defer stream.Close()
		for n := int64(1); n < 20; n++ {
			require.Equal(t, n, next(t, stream).(client.Event).Seq)
			time.Sleep(10 * time.Minute)
		}
		require.Zero(t, stream.Stats().Reconnects)
	})
}

func TestStats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := flaky.New(flaky.Script{Faults: []flaky.Fault{cut, {Kind: "lose", Record: "a:2"}}})
		stream := open(t, t.Context(), server, client.Options{Sessions: flaky.Sessions()})
		defer stream.Close()
		for _, err := range stream.Items() {
			require.NoError(t, err)
		}
		stats := stream.Stats()
		require.EqualValues(t, 4+5+4, stats.Events)
		require.EqualValues(t, 1, stats.Reconnects)
		require.Equal(t, "map[cursor_ahead:1]", fmt.Sprint(stats.Refusals))
		require.Greater(t, stats.Bytes, int64(cut.At))
		require.Greater(t, stats.Drafts, int64(4))
		require.Equal(t, map[string]int64{"a": 0, "team:b": 0, "née": 0}, stats.Lag)
	})
	synctest.Test(t, func(t *testing.T) {
		server := flaky.New(flaky.Script{Faults: []flaky.Fault{{Kind: "double", Record: "a:2"}, {Kind: "drop", Record: "a:3"}}})
		stream := open(t, t.Context(), server, client.Options{Sessions: []string{"a"}})
		defer stream.Close()
		require.Empty(t, stream.Stats().Lag)
		next(t, stream)
		require.Equal(t, map[string]int64{"a": 4}, stream.Stats().Lag)
		next(t, stream)
		next(t, stream)
		next(t, stream)
		next(t, stream)
		require.EqualValues(t, 1, stream.Stats().Duplicates)
		require.Zero(t, stream.Stats().Resyncs)
	})
	synctest.Test(t, func(t *testing.T) {
		stream := open(t, t.Context(), flaky.New(flaky.Script{Faults: []flaky.Fault{{Kind: "drop", Record: "a:3"}}}), client.Options{Sessions: []string{"a"}})
		defer stream.Close()
		for _, err := range stream.Items() {
			require.NoError(t, err)
		}
		require.EqualValues(t, 1, stream.Stats().Resyncs)
	})
}

// Over sockets, too, nothing is left running.
func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	server := httptest.NewServer(says(records(1, 5), hangs))
	for range 5 {
		stream, err := client.Open(t.Context(), server.URL+"/v1/sessions/s/events", client.Options{Client: server.Client()})
		require.NoError(t, err)
		next(t, stream)
		require.NoError(t, stream.Close())
	}
	server.Close()
	server.Client().CloseIdleConnections()
	for tries := 0; runtime.NumGoroutine() > before; tries++ {
		require.Less(t, tries, 10_000, "goroutines that were not there before")
		time.Sleep(time.Millisecond) // those of net/http take a moment to notice
	}
}
