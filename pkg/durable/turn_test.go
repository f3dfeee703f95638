package durable_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// The time that a turn was created is settled once.
func TestTurnCreatedAt(t *testing.T) {
	w := inMemory(t)
	w.add("session_started")
	fresh := state(0)
	fresh.TurnCreatedAt = 0
	w.now = start + 77
	made, err := w.Commit(t.Context(), fresh)
	require.NoError(t, err)
	require.Equal(t, start+77, made.Document.TurnCreatedAt, "its own start")
	require.Equal(t, start+77, w.commit(1).Document.TurnCreatedAt)
	w.now += 9000
	w.anew()
	_, err = w.Restore(t.Context(), "t1", made.CheckpointID)
	require.NoError(t, err)
	made, err = w.Commit(t.Context(), fresh)
	require.NoError(t, err)
	require.Equal(t, start+77, made.Document.TurnCreatedAt, "that of its checkpoint")
	other := fresh
	other.TurnID = "t2"
	made, err = w.Commit(t.Context(), other)
	require.NoError(t, err)
	require.Equal(t, w.now, made.Document.TurnCreatedAt)
	made, err = w.Commit(t.Context(), fresh)
	require.NoError(t, err)
	require.Equal(t, start+77, made.Document.TurnCreatedAt, "whatever turn came in between")
}

// JSON cannot say an id that is no UTF-8: the checkpoint would be one of another turn.
func TestATurnThatHasNoName(t *testing.T) {
	w := inMemory(t)
	w.add("session_started")
	for name, change := range map[string]func(*checkpoint.State){
		"the turn":    func(s *checkpoint.State) { s.TurnID = "t\xff" },
		"its message": func(s *checkpoint.State) { s.LatestUserMessageID = "\xed\xa0\x80" },
	} {
		bad := state(0)
		change(&bad)
		_, err := w.Commit(t.Context(), bad)
		requireFault(t, err, fault.BadInput, name)
	}
	require.Equal(t, "session_started", w.types())
}
