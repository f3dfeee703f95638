package durable_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
)

// a turn's own, oldest first.
func TestList(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		require.Empty(t, w.listed())
		w.add("session_started")
		w.ids = 7
		for range 4 {
			w.commit(1)
		}
		require.Equal(t, "c8 c9 c10 c11", w.listed())
		list, err := w.List(t.Context(), "t1")
		require.NoError(t, err)
		require.Equal(t, checkpoint.Entry{ID: "c8", SessionID: "s1", TurnID: "t1", Iteration: 1, CreatedAt: start + 1000, ThroughSeq: 1}, list.Entries[0])
		list, err = w.List(t.Context(), "t2")
		require.NoError(t, err)
		require.Empty(t, list.Entries)
		require.NoError(t, w.store.Delete(t.Context(), run("t1"), "c9"))
		require.Equal(t, "c8 c10 c11", w.listed(), "a record without its document lists nothing")
	})
}

func (w *world) prune(keep int) string {
	pruned, err := w.Prune(w.t.Context(), "t1", keep)
	require.NoError(w.t, err)
	require.Empty(w.t, pruned.Unreadable)
	return strings.Join(pruned.Gone, " ")
}

// the oldest, at least one stays, recorded once; nothing gone, nothing
// recorded.
func TestPrune(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		w.add("session_started")
		for range 5 {
			w.commit(1)
		}
		before := len(w.records())
		require.Empty(t, w.prune(5))
		require.Empty(t, w.prune(9))
		require.Len(t, w.records(), before)
		require.Equal(t, "c1 c2", w.prune(3))
		require.Contains(t, w.records()[before], `"type":"checkpoint_pruned"`)
		require.Contains(t, w.records()[before], `"turnId":"t1","checkpointIds":["c1","c2"]}`)
		require.Equal(t, "c3 c4 c5", w.listed())
		require.Equal(t, "c3 c4", w.prune(0), "the newest stays")
		require.Empty(t, w.prune(-1))
		require.Len(t, w.records(), before+2)
		ids, err := w.store.IDs(t.Context(), run("t1"))
		require.NoError(t, err)
		require.Equal(t, []string{"c5"}, ids)
		_, err = w.Restore(t.Context(), "t1", "c1")
		requireFault(t, err, fault.UnknownCheckpoint)
		_, err = w.Restore(t.Context(), "t1", "c5")
		require.NoError(t, err)
	})
}

// what an unsettled park refers to stays, outstanding or expired, and no
// other goes in its place.
func TestPruneKeepsWhatIsReferredTo(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		w.add("session_started")
		for range 6 {
			w.commit(1)
		}
		w.ask("c1", 0)
		w.ask("c2", 1)
		w.ask("c3", 0)
		w.add(`decision_requested,"decisionId":"other","checkpointId":"c4","request":{"type":"x"}`)
		w.now += 1000
		_, err := w.Unpark(t.Context(), "c3", []byte(approve), human)
		require.NoError(t, err)
		require.Equal(t, "c3 c5", w.prune(1))
		require.Equal(t, "c1 c2 c4 c6", w.listed())
		_, err = w.Sweep(t.Context())
		require.NoError(t, err)
		require.Equal(t, "c2", w.prune(1), "it is settled now")
		require.Equal(t, "c1 c4 c6", w.listed())
	})
}

// stuck is a store that deletes so many documents and no more.
type stuck struct {
	durable.Store
	left *int
}

func (s stuck) Delete(ctx context.Context, r listing.RunScope, id string) error {
	if *s.left == 0 {
		return errCrash
	}
	*s.left--
	return s.Store.Delete(ctx, r, id)
}

// What is gone is recorded, also when the rest could not go.
func TestAPruneThatFails(t *testing.T) {
	w := inMemory(t)
	w.add("session_started")
	for range 4 {
		w.commit(1)
	}
	left := 2
	w.o.Store = stuck{w.store, &left}
	pruned, err := w.anew().Prune(t.Context(), "t1", 1)
	require.ErrorIs(t, err, errCrash)
	require.Equal(t, []string{"c1", "c2"}, pruned.Gone)
	require.Contains(t, w.records()[len(w.records())-1], `"checkpointIds":["c1","c2"]`)
	before := w.types()
	pruned, err = w.Prune(t.Context(), "t1", 1)
	require.ErrorIs(t, err, errCrash)
	require.Empty(t, pruned.Gone)
	require.Equal(t, before, w.types())
}

// A prune that died between the two leaves documents that are gone and a record that
// is not there; the next one goes on.
func TestACrashInAPrune(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		w.add("session_started")
		for range 3 {
			w.commit(1)
		}
		w.o.Log = crashing{w.log, "checkpoint_pruned"}
		pruned, err := w.anew().Prune(t.Context(), "t1", 2)
		require.ErrorIs(t, err, errCrash)
		require.Equal(t, []string{"c1"}, pruned.Gone)
		w.o.Log = w.log
		require.Equal(t, "c2 c3", w.anew().listed())
		require.Equal(t, "c2", w.prune(1))
	})
}
