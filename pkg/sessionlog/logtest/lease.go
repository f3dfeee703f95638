package logtest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

var leasing = map[string]func(*testing.T, Subject){
	"O-7 the fence holds":                    fenceHolds,
	"O-8 generations rise":                   generationsRise,
	"O-8 a takeover keeps the numbers":       takeoverKeepsNumbers,
	"an unfenced start, then a lease":        unfencedThenFenced,
	"subscribers live through a takeover":    tailAcrossTakeover,
	"a lease that nothing was written under": leaseWithoutEvents,
}

func acquired(t *testing.T, log sessionlog.Log) events.Generation {
	g, err := log.Acquire(t.Context())
	require.NoError(t, err)
	return g
}

// whoever had the lease before can append nothing.
func fenceHolds(t *testing.T, s Subject) {
	_, log := opened(t, s)
	old := acquired(t, log)
	fill(t, log, old, 2)
	now := acquired(t, log)
	tail := subscribed(t, log)
	for _, g := range []events.Generation{old, "", "99", "x"} {
		_, err := log.Append(t.Context(), g, numbered(0))
		requireFault(t, err, fault.Fenced)
		requireFault(t, log.Publish(t.Context(), g, []byte(`{"type":"text_delta"}`)), fault.Fenced)
	}
	require.Equal(t, sessionlog.Head{LastSeq: 2, Generation: now, OldestSeq: 1}, headOf(t, log))
	require.Equal(t, upTo(3, 3), seqs(fill(t, log, now, 1)))
	require.Equal(t, upTo(3, 3), seqs(collect(t, tail, 1)), "a refused append is not published")
}

func generationsRise(t *testing.T, s Subject) {
	_, log := opened(t, s)
	last := acquired(t, log)
	require.Equal(t, events.Generation("1"), last)
	for range 12 {
		next := acquired(t, log)
		cmp, ok := next.Order(last)
		require.True(t, ok && cmp > 0, "%s after %s", next, last)
		last = next
	}
}

func takeoverKeepsNumbers(t *testing.T, s Subject) {
	_, log := opened(t, s)
	fill(t, log, acquired(t, log), 2)
	fill(t, log, acquired(t, log), 2)
	all := readAll(t, log, 0, 0)
	require.Equal(t, upTo(1, 4), seqs(all))
	for i, want := range []events.Generation{"1", "1", "2", "2"} {
		require.Equal(t, want, all[i].Generation)
	}
}

func unfencedThenFenced(t *testing.T, s Subject) {
	_, log := opened(t, s)
	fill(t, log, "", 1)
	require.False(t, headOf(t, log).Generation.IsSet())
	g := acquired(t, log)
	_, err := log.Append(t.Context(), "", numbered(0))
	requireFault(t, err, fault.Fenced)
	fill(t, log, g, 1)
	all := readAll(t, log, 0, 0)
	require.NotContains(t, members(t, all[0].Text), "generation")
	require.Equal(t, 1.0, members(t, all[1].Text)["generation"])
}

func tailAcrossTakeover(t *testing.T, s Subject) {
	_, log := opened(t, s)
	tail := subscribed(t, log)
	fill(t, log, acquired(t, log), 1)
	fill(t, log, acquired(t, log), 1)
	got := collect(t, tail, 2)
	require.Equal(t, []events.Generation{"1", "2"}, []events.Generation{got[0].Generation, got[1].Generation})
}

func leaseWithoutEvents(t *testing.T, s Subject) {
	_, log := opened(t, s)
	g := acquired(t, log)
	require.Equal(t, sessionlog.Head{Generation: g, OldestSeq: 1}, headOf(t, log))
}
