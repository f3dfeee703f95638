package logtest

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

// session is an id that is awkward in every way an id may be.
const session = `tenant:7/chat "é" 100%@x`

// recordTime is the time every test's store records at.
var recordTime = time.Date(2026, 2, 3, 4, 5, 6, 7_000_000, time.FixedZone("east", 3600))

const recordTimeText = "2026-02-03T03:05:06.007Z"

func fixed() time.Time { return recordTime }

// opened is a fresh store with one log.
func opened(t *testing.T, s Subject) (sessionlog.Store, sessionlog.Log) {
	store := s.New(t, Options{Now: fixed})
	return store, created(t, store, session)
}

func created(t *testing.T, store sessionlog.Store, id string) sessionlog.Log {
	log, err := store.Create(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, id, log.Session())
	return log
}

// numbered is an event whose payload says which one it is.
func numbered(n int) []byte {
	return fmt.Appendf(nil, `{"type":"iteration_started","turnId":"t1","iteration":%d}`, n)
}

// fill appends n events under a generation.
func fill(t *testing.T, log sessionlog.Log, generation events.Generation, n int) []sessionlog.Event {
	out := make([]sessionlog.Event, n)
	for i := range out {
		var err error
		out[i], err = log.Append(t.Context(), generation, numbered(i))
		require.NoError(t, err)
	}
	return out
}

func subscribed(t *testing.T, log sessionlog.Log) sessionlog.Tail {
	tail, err := log.Subscribe(t.Context())
	require.NoError(t, err)
	t.Cleanup(tail.Close)
	return tail
}

// patience is how long a test waits for what has to come; it decides nothing but
// how soon a broken store fails.
const patience = 20 * time.Second

// next waits for one batch of a tail.
func next(t *testing.T, tail sessionlog.Tail) ([]sessionlog.Event, error) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return tail.Next(ctx)
}

// collect takes n events off a tail.
func collect(t *testing.T, tail sessionlog.Tail, n int) []sessionlog.Event {
	var out []sessionlog.Event
	for len(out) < n {
		batch, err := next(t, tail)
		require.NoError(t, err)
		require.NotEmpty(t, batch)
		out = append(out, batch...)
	}
	return out
}

// untilCut takes events off a tail until it is cut.
func untilCut(t *testing.T, tail sessionlog.Tail) ([]sessionlog.Event, *sessionlog.Cut) {
	var out []sessionlog.Event
	for {
		batch, err := next(t, tail)
		if err != nil {
			var cut *sessionlog.Cut
			require.ErrorAs(t, err, &cut)
			_, again := next(t, tail)
			require.Equal(t, err, again, "a cut stays")
			return out, cut
		}
		out = append(out, batch...)
	}
}

func headOf(t *testing.T, log sessionlog.Log) sessionlog.Head {
	h, err := log.Head(t.Context())
	require.NoError(t, err)
	return h
}

// readAll pages through a log.
func readAll(t *testing.T, log sessionlog.Log, since events.Seq, limit int) []sessionlog.Event {
	out := []sessionlog.Event{}
	for {
		page, err := log.Read(t.Context(), since, limit)
		require.NoError(t, err)
		out = append(out, page.Events...)
		if !page.More {
			return out
		}
		require.NotEmpty(t, page.Events, "a page that promises more has to bring some")
		if limit > 0 {
			require.LessOrEqual(t, len(page.Events), limit)
		}
		since = page.Events[len(page.Events)-1].Seq
	}
}

func seqs(list []sessionlog.Event) []events.Seq {
	out := make([]events.Seq, len(list))
	for i, e := range list {
		out[i] = e.Seq
	}
	return out
}

// upTo is from … to.
func upTo(from, to events.Seq) []events.Seq {
	out := []events.Seq{}
	for ; from <= to; from++ {
		out = append(out, from)
	}
	return out
}

func members(t *testing.T, text []byte) map[string]any {
	var m map[string]any
	require.NoError(t, json.Unmarshal(text, &m), "%s", text)
	return m
}

// requireFault checks the rule, the session and that there are words for it.
func requireFault(t *testing.T, err error, id fault.ID) {
	t.Helper()
	require.ErrorIs(t, err, id)
	var f *fault.Fault
	require.ErrorAs(t, err, &f)
	require.NotEmpty(t, f.Expected)
	require.NotEmpty(t, f.Found)
}
