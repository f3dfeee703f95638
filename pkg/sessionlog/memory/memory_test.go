package memory_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/logtest"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

func TestObligations(t *testing.T) {
	logtest.Run(t, logtest.Subject{
		New: func(t *testing.T, o logtest.Options) sessionlog.Store {
			store := memory.New(memory.Options{TailEvents: o.TailEvents, Now: o.Now})
			t.Cleanup(func() { require.NoError(t, store.Close()) })
			return store
		},
		Lose: func(t *testing.T, s sessionlog.Store, session string, keep events.Seq) {
			log, err := s.Open(t.Context(), session)
			require.NoError(t, err)
			log.(*memory.Log).Lose(keep)
		},
	})
}

func TestBoundedLogPrunesItsOldest(t *testing.T) {
	store := memory.New(memory.Options{MaxRecords: 3})
	log, err := store.Create(t.Context(), "s")
	require.NoError(t, err)
	for range 10 {
		_, err := log.Append(t.Context(), "", []byte(`{"type":"turn_started"}`))
		require.NoError(t, err)
	}
	head, err := log.Head(t.Context())
	require.NoError(t, err)
	require.Equal(t, sessionlog.Head{LastSeq: 10, OldestSeq: 8}, head)
	page, err := log.Read(t.Context(), 0, 0)
	require.NoError(t, err)
	require.Len(t, page.Events, 3)
	require.Equal(t, events.Seq(8), page.Events[0].Seq)
}

func TestLoseBelowWhatIsRetained(t *testing.T) {
	store := memory.New(memory.Options{})
	log, err := store.Create(t.Context(), "s")
	require.NoError(t, err)
	for range 5 {
		_, err := log.Append(t.Context(), "", []byte(`{"type":"turn_started"}`))
		require.NoError(t, err)
	}
	require.NoError(t, log.Prune(t.Context(), 4))
	log.(*memory.Log).Lose(1)
	head, err := log.Head(t.Context())
	require.NoError(t, err)
	require.Equal(t, sessionlog.Head{LastSeq: 1, OldestSeq: 2}, head)
	log.(*memory.Log).Lose(7)
	again, err := log.Head(t.Context())
	require.NoError(t, err)
	require.Equal(t, head, again)
}
