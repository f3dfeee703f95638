package logtest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

var pruning = map[string]func(*testing.T, Subject){
	"O-9 prune moves the oldest": pruneMovesOldest,
	"O-9 prune of everything":    pruneAll,
	"O-9 prune never goes back":  pruneNeverBack,
	"O-9 tails live on":          pruneUnderTail,
}

var losing = map[string]func(*testing.T, Subject){
	"O-11 a lost tail lowers the head":  lostTail,
	"O-11 subscribers of a lost log":    lostUnderTail,
	"O-11 lost numbers are given again": lostNumbers,
}

// what is left keeps its numbers, and the head names the first of them.
func pruneMovesOldest(t *testing.T, s Subject) {
	_, log := opened(t, s)
	g := acquired(t, log)
	given := fill(t, log, g, 600)
	require.NoError(t, log.Prune(t.Context(), 301))
	require.Equal(t, sessionlog.Head{LastSeq: 600, Generation: g, OldestSeq: 301}, headOf(t, log))
	require.Equal(t, given[300:], readAll(t, log, 0, 100), "a read from before starts later")
	require.Equal(t, given[300:], readAll(t, log, 300, 0))
	require.Equal(t, given[450:], readAll(t, log, 450, 0))
	require.Equal(t, upTo(601, 601), seqs(fill(t, log, g, 1)))
}

// nothing is left.
func pruneAll(t *testing.T, s Subject) {
	_, log := opened(t, s)
	g := acquired(t, log)
	fill(t, log, g, 3)
	require.NoError(t, log.Prune(t.Context(), events.MaxSeq))
	require.Equal(t, sessionlog.Head{LastSeq: 3, Generation: g, OldestSeq: 4}, headOf(t, log))
	require.Empty(t, readAll(t, log, 0, 0))
	require.Equal(t, upTo(4, 4), seqs(fill(t, log, g, 1)))
	require.Equal(t, sessionlog.Head{LastSeq: 4, Generation: g, OldestSeq: 4}, headOf(t, log))
	require.Equal(t, events.Generation("2"), acquired(t, log), "O-8: a prune forgets no generation")
}

func pruneNeverBack(t *testing.T, s Subject) {
	_, log := opened(t, s)
	fill(t, log, "", 5)
	require.NoError(t, log.Prune(t.Context(), 4))
	for _, before := range []events.Seq{0, 1, 4} {
		require.NoError(t, log.Prune(t.Context(), before))
		require.Equal(t, events.Seq(4), headOf(t, log).OldestSeq)
	}
}

func pruneUnderTail(t *testing.T, s Subject) {
	_, log := opened(t, s)
	tail := subscribed(t, log)
	fill(t, log, "", 3)
	require.NoError(t, log.Prune(t.Context(), 3))
	fill(t, log, "", 1)
	require.Equal(t, upTo(1, 4), seqs(collect(t, tail, 4)))
}

func lostTail(t *testing.T, s Subject) {
	store, log := opened(t, s)
	given := fill(t, log, "", 20)
	s.Lose(t, store, session, 12)
	require.Equal(t, sessionlog.Head{LastSeq: 12, OldestSeq: 1}, headOf(t, log))
	require.Equal(t, given[:12], readAll(t, log, 0, 5))
	page, err := log.Read(t.Context(), 15, 5)
	require.NoError(t, err)
	require.Empty(t, page.Events, "nothing is made up for what is gone")
}

func lostUnderTail(t *testing.T, s Subject) {
	store, log := opened(t, s)
	tail := subscribed(t, log)
	fill(t, log, "", 20)
	s.Lose(t, store, session, 12)
	got, cut := untilCut(t, tail)
	require.Equal(t, sessionlog.CutReplaced, cut.Reason)
	require.Equal(t, upTo(1, 20), seqs(got))
	again := subscribed(t, log)
	fill(t, log, "", 1)
	require.Equal(t, upTo(13, 13), seqs(collect(t, again, 1)))
}

func lostNumbers(t *testing.T, s Subject) {
	store, log := opened(t, s)
	fill(t, log, "", 5)
	s.Lose(t, store, session, 0)
	require.Equal(t, sessionlog.Head{OldestSeq: 1}, headOf(t, log))
	require.Equal(t, upTo(1, 3), seqs(fill(t, log, "", 3)))
	require.Equal(t, upTo(1, 3), seqs(readAll(t, log, 0, 0)))
}
