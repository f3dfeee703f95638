package logtest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

var storing = map[string]func(*testing.T, Subject){
	"create, open, list": createOpenList,
	"delete":             deleted,
	"close":              closed,
}

var reopening = map[string]func(*testing.T, Subject){
	"O-4 the same bytes after a restart": bytesAfterRestart,
	"O-8 a lease outlives a restart":     leaseAfterRestart,
	"O-9 a prune outlives a restart":     pruneAfterRestart,
	"O-13 the same lines after one":      recordsAfterRestart,
}

func createOpenList(t *testing.T, s Subject) {
	store := s.New(t, Options{Now: fixed})
	ids, err := store.List(t.Context())
	require.NoError(t, err)
	require.Empty(t, ids)
	want := []string{" ", ".hidden", "a", "a.jsonl", "b", "c:d/e\\f", "ü"}
	for i := len(want) - 1; i >= 0; i-- {
		created(t, store, want[i])
	}
	ids, err = store.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, want, ids)
	for _, id := range want {
		log, err := store.Open(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, id, log.Session())
		_, err = store.Create(t.Context(), id)
		requireFault(t, err, fault.BadInput)
	}
	for _, id := range []string{"", "a\nb", "\x7f", "\xff"} {
		_, err = store.Create(t.Context(), id)
		requireFault(t, err, fault.BadInput)
	}
	first, err := store.Open(t.Context(), "a")
	require.NoError(t, err)
	fill(t, first, "", 2)
	second, err := store.Open(t.Context(), "a")
	require.NoError(t, err)
	require.Equal(t, events.Seq(2), headOf(t, second).LastSeq, "a session has one log, however often it is opened")
}

func deleted(t *testing.T, s Subject) {
	store, log := opened(t, s)
	tail := subscribed(t, log)
	fill(t, log, "", 2)
	require.NoError(t, store.Delete(t.Context(), session))
	got, cut := untilCut(t, tail)
	require.Equal(t, upTo(1, 2), seqs(got))
	require.Equal(t, sessionlog.CutDeleted, cut.Reason)
	_, err := log.Head(t.Context())
	requireFault(t, err, fault.UnknownSession)
	_, err = log.Append(t.Context(), "", numbered(1))
	requireFault(t, err, fault.UnknownSession)
	_, err = log.Subscribe(t.Context())
	requireFault(t, err, fault.UnknownSession)
	_, err = store.Open(t.Context(), session)
	requireFault(t, err, fault.UnknownSession)
	again := created(t, store, session)
	require.Equal(t, sessionlog.Head{OldestSeq: 1}, headOf(t, again))
}

func closed(t *testing.T, s Subject) {
	store, log := opened(t, s)
	tail := subscribed(t, log)
	require.NoError(t, store.Close())
	_, cut := untilCut(t, tail)
	require.Equal(t, sessionlog.CutClosed, cut.Reason)
	require.NoError(t, store.Close(), "closing twice is closing once")
	_, err := store.Create(t.Context(), "late")
	require.Error(t, err)
}

func reopened(t *testing.T, s Subject, store sessionlog.Store) (sessionlog.Store, sessionlog.Log) {
	store = s.Reopen(t, store, Options{Now: fixed})
	log, err := store.Open(t.Context(), session)
	require.NoError(t, err)
	return store, log
}

func bytesAfterRestart(t *testing.T, s Subject) {
	store, log := opened(t, s)
	given := fill(t, log, acquired(t, log), 300)
	_, log = reopened(t, s, store)
	require.Equal(t, given, readAll(t, log, 0, 0))
	require.Equal(t, sessionlog.Head{LastSeq: 300, Generation: "1", OldestSeq: 1}, headOf(t, log))
	require.Equal(t, upTo(301, 301), seqs(fill(t, log, "1", 1)))
}

func leaseAfterRestart(t *testing.T, s Subject) {
	store, log := opened(t, s)
	fill(t, log, acquired(t, log), 1)
	second := acquired(t, log)
	store, log = reopened(t, s, store)
	require.Equal(t, second, headOf(t, log).Generation, "a lease counts before anything was written under it")
	_, err := log.Append(t.Context(), "1", numbered(0))
	requireFault(t, err, fault.Fenced)
	require.Equal(t, events.Generation("3"), acquired(t, log))
	require.NoError(t, log.Prune(t.Context(), 2))
	_, log = reopened(t, s, store)
	require.Equal(t, events.Generation("4"), acquired(t, log))
}

func pruneAfterRestart(t *testing.T, s Subject) {
	store, log := opened(t, s)
	fill(t, log, "", 5)
	require.NoError(t, log.Prune(t.Context(), 4))
	store, log = reopened(t, s, store)
	require.Equal(t, sessionlog.Head{LastSeq: 5, OldestSeq: 4}, headOf(t, log))
	require.NoError(t, log.Prune(t.Context(), 6))
	_, log = reopened(t, s, store)
	require.Equal(t, sessionlog.Head{LastSeq: 5, OldestSeq: 6}, headOf(t, log))
	require.Equal(t, upTo(6, 6), seqs(fill(t, log, "", 1)))
}
