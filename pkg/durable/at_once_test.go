package durable_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Answers, sweeps, commits and reads of one session at once.
func TestAllAtOnce(t *testing.T) {
	w := inMemory(t)
	w.add("session_started")
	var all sync.WaitGroup
	for i := range 8 {
		id := fmt.Sprint("q", i)
		asked := w.ask(id, 1)
		all.Go(func() { _, _ = w.Answer(t.Context(), id, fence(asked), []byte(approve), human) })
		all.Go(func() { _, _ = w.Sweep(t.Context()) })
		all.Go(func() { _, _ = w.Commit(t.Context(), state(int64(i))) })
		all.Go(func() { _, _ = w.List(t.Context(), "t1") })
		all.Go(func() { _, _ = w.Restore(t.Context(), "t1", "c1") })
		all.Go(func() { _, _ = w.Pending(t.Context(), "") })
	}
	all.Wait()
	require.Equal(t, 8, strings.Count(w.types(), "decision_resolved")+strings.Count(w.types(), "decision_expired"))
	require.Equal(t, 8, strings.Count(w.types(), "checkpoint_written"))
}
