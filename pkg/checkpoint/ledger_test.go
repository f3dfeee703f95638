package checkpoint_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

func commit(seq int, id string) []byte {
	return []byte(line(seq, `checkpoint_written,"checkpointId":"`+id+`","sha256":"`+strings.Repeat("0f", 32)+`","throughSeq":1,"throughSha256":"`+strings.Repeat("1e", 32)+`"`))
}

// what is committed and not pruned, in the order of the log.
func TestALedgerThatGoesOn(t *testing.T) {
	records := [][]byte{
		commit(2, "c2"), commit(3, "c1"), commit(4, "c3"),
		[]byte(line(5, `checkpoint_pruned,"checkpointIds":["c2"]`)), commit(6, "c1"),
	}
	for cut := range len(records) + 1 {
		var before, after checkpoint.Ledger
		for _, r := range records[:cut] {
			before.Add(r)
		}
		require.NoError(t, after.Restore(before.AppendState(nil)))
		require.Equal(t, before.Committed(), after.Committed())
		for _, r := range records[cut:] {
			after.Add(r)
		}
		var ids []string
		for _, w := range after.Committed() {
			ids = append(ids, w.CheckpointID)
		}
		require.Equal(t, []string{"c3", "c1"}, ids, "cut at %d", cut)
		require.True(t, after.Holds("t1", "c1"))
		require.False(t, after.Holds("t2", "c1"))
		require.False(t, after.Holds("t1", "c2"))
	}
}

func TestWhatIsNoSavedLedger(t *testing.T) {
	var l checkpoint.Ledger
	l.Add(commit(2, "c"))
	good := string(l.AppendState(nil))
	for _, state := range []string{"", "{}", "null", "7", "[7]", "[{}]", good[1:], strings.Replace(good, "0f", "0F", 1)} {
		require.ErrorIs(t, l.Restore([]byte(state)), fault.BadRecord, state)
		require.Empty(t, l.Committed())
	}
}
