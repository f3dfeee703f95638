package durable_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/durable/disk"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
	logmemory "github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

// a store that cannot list refuses; it answers no empty page.
func TestStoreThatCannotList(t *testing.T) {
	_, err := durable.ListerOf(struct{ durable.Store }{})
	require.ErrorIs(t, err, fault.CannotList)
	var f *fault.Fault
	require.ErrorAs(t, err, &f)
	require.Equal(t, fault.CodeCapabilityUnavailable, f.Rule().Code)
}

// row is the one row of the world's store, now.
func (w *world) row() listing.Entry {
	w.t.Helper()
	store := w.store
	if w.dir != "" {
		var err error
		store, err = disk.New(filepath.Join(w.dir, "runs"), disk.Options{Of: scope, Parks: durable.ParksOf(w.log)})
		require.NoError(w.t, err)
	}
	l, err := durable.ListerOf(store)
	require.NoError(w.t, err)
	page, err := l.List(w.t.Context(), scope, listing.Options{Now: w.now})
	require.NoError(w.t, err)
	require.Len(w.t, page.Entries, 1)
	require.Equal(w.t, run("t1"), page.Entries[0].RunScope)
	return page.Entries[0]
}

// a row follows what the session does and what others record.
func TestRowOfASession(t *testing.T) {
	for name, begin := range map[string]func(*testing.T) *world{"memory": inMemory, "disk": onDisk} {
		t.Run(name, func(t *testing.T) {
			w := begin(t)
			w.add(message("m1", userSays))
			made := w.commit(0)
			require.Nil(t, w.row().Park, "it never parked")

			ttl := int64(1000)
			p, err := w.Park(t.Context(), durable.Question{TurnID: "t1", CheckpointID: made.Receipt.CheckpointID, Request: []byte(`{"type":"plan_approval"}`), TTL: &ttl})
			require.NoError(t, err)
			require.Equal(t, park.Outstanding, w.row().Park.State)
			require.Equal(t, "plan_approval", w.row().Park.RequestType)
			w.now = p.DeadlineAt
			require.Equal(t, park.Expired, w.row().Park.State)
			_, err = w.Sweep(t.Context())
			require.NoError(t, err)
			require.Equal(t, park.Resolved, w.row().Park.State)

			w.add(`decision_requested,"decisionId":"d2","checkpointId":"c9","request":{"type":"other"}`)
			all, err := w.Parks(t.Context()) // another writer's: the session has to look
			require.NoError(t, err)
			require.Len(t, all, 2)
			require.Equal(t, "c9", w.row().Park.CheckpointID)
			_, err = w.Answer(t.Context(), "d2", durable.Fence{Seq: all[1].Seq, Generation: all[1].Generation}, []byte(`{"action":"continue"}`), park.By{Kind: "user"})
			require.NoError(t, err)
			require.Equal(t, park.Resolved, w.row().Park.State)
			require.Equal(t, 1, w.row().CheckpointCount)
		})
	}
}

// What Parks hands out is the caller's.
func TestParksAreCopies(t *testing.T) {
	w := inMemory(t)
	w.add(`decision_requested,"decisionId":"d1","request":{"type":"x"}`)
	for range 2 {
		all, err := w.Parks(t.Context())
		require.NoError(t, err)
		require.False(t, all[0].Resolved)
		all[0].Resolved = true
	}
}

// A question that is asked again in another turn leaves the first one, and one that
// its log lost is gone.
func TestParksThatMove(t *testing.T) {
	w := inMemory(t)
	w.add(message("m1", userSays))
	w.commit(0)
	w.add(`decision_requested,"decisionId":"d1","request":{"type":"x"}`)
	_, err := w.Parks(t.Context())
	require.NoError(t, err)
	require.NotNil(t, w.row().Park)
	_, err = w.log.Append(t.Context(), w.lease, []byte(`{"type":"decision_requested","turnId":"t2","decisionId":"d1","request":{"type":"x"}}`))
	require.NoError(t, err)
	_, err = w.Parks(t.Context())
	require.NoError(t, err)
	require.Nil(t, w.row().Park)
	_, err = w.log.Append(t.Context(), w.lease, []byte(`{"type":"decision_requested","turnId":"t1","decisionId":"d2","request":{"type":"x"}}`))
	require.NoError(t, err)
	all, err := w.Parks(t.Context())
	require.NoError(t, err)
	require.NotNil(t, w.row().Park)
	w.log.(*logmemory.Log).Lose(all[1].Seq - 1)
	_, err = w.Parks(t.Context())
	require.NoError(t, err)
	require.Nil(t, w.row().Park)
}
