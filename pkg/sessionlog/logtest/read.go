package logtest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

var reading = map[string]func(*testing.T, Subject){
	"O-3 since is exclusive":      sinceIsExclusive,
	"O-3 pages join":              pagesJoin,
	"O-3 nothing above the head":  nothingAboveHead,
	"a default page is bounded":   defaultPage,
	"a canceled read says so":     canceledRead,
	"O-12 sessions that are none": unknownSessions,
}

// in append order, from the next one on, none left out.
func sinceIsExclusive(t *testing.T, s Subject) {
	_, log := opened(t, s)
	given := fill(t, log, "", 9)
	for since := events.Seq(0); since <= 9; since++ {
		require.Equal(t, given[since:], readAll(t, log, since, 0))
	}
}

func pagesJoin(t *testing.T, s Subject) {
	_, log := opened(t, s)
	given := fill(t, log, "", 700)
	for _, limit := range []int{1, 7, 256, 699, 700, 701} {
		require.Equal(t, given, readAll(t, log, 0, limit))
	}
	page, err := log.Read(t.Context(), 690, 10)
	require.NoError(t, err)
	require.False(t, page.More, "the page reaches the head")
	page, err = log.Read(t.Context(), 690, 9)
	require.NoError(t, err)
	require.True(t, page.More)
}

func nothingAboveHead(t *testing.T, s Subject) {
	_, log := opened(t, s)
	for _, since := range []events.Seq{0, 1, events.MaxSeq} {
		page, err := log.Read(t.Context(), since, 5)
		require.NoError(t, err)
		require.Empty(t, page.Events)
		require.False(t, page.More)
	}
	fill(t, log, "", 2)
	page, err := log.Read(t.Context(), events.MaxSeq, 5)
	require.NoError(t, err)
	require.Empty(t, page.Events)
}

func defaultPage(t *testing.T, s Subject) {
	_, log := opened(t, s)
	fill(t, log, "", sessionlog.DefaultPage+1)
	for _, limit := range []int{0, -1} {
		page, err := log.Read(t.Context(), 0, limit)
		require.NoError(t, err)
		require.NotEmpty(t, page.Events)
		require.LessOrEqual(t, len(page.Events), sessionlog.DefaultPage)
		require.True(t, page.More)
	}
}

func canceledRead(t *testing.T, s Subject) {
	_, log := opened(t, s)
	fill(t, log, "", 3)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := log.Read(ctx, 0, 5)
	require.ErrorIs(t, err, context.Canceled)
	_, err = log.Head(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

func unknownSessions(t *testing.T, s Subject) {
	store, _ := opened(t, s)
	for _, id := range []string{"nobody", "", "../x", "a\nb", "a\x00b"} {
		_, err := store.Open(t.Context(), id)
		requireFault(t, err, fault.UnknownSession)
		requireFault(t, store.Delete(t.Context(), id), fault.UnknownSession)
	}
}
