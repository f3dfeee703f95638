package decision_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/decision"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

var questions = []string{
	`{"v":1,"type":"decision_requested","seq":1,"ts":"2026-01-01T00:00:01.000Z","turnId":"t1","decisionId":"d1","request":{"type":"tool_review"}}`,
	`{"v":1,"type":"decision_resolved","seq":2,"ts":"2026-01-01T00:00:02.000Z","decisionId":"d1","decision":{"action":"approve_tools","remember":["bash"]}}`,
	`{"v":1,"type":"decision_requested","seq":3,"ts":"2026-01-01T00:00:03.000Z","turnId":"t2","decisionId":"d2","request":{"type":"tool_review"}}`,
	`{"v":1,"type":"turn_completed","seq":4,"ts":"2026-01-01T00:00:04.000Z","turnId":"t2"}`,
	`{"v":1,"type":"decision_resolved","seq":5,"ts":"2026-01-01T00:00:05.000Z","decisionId":"d2","decision":{"action":"approve_tools","remember":["read"]}}`,
}

// Grants that are saved and go on are those that were never saved, wherever that
// happens.
func TestSavedGrantsGoOn(t *testing.T) {
	for cut := range len(questions) + 1 {
		var whole, before, after decision.Grants
		for i, q := range questions {
			whole.Add([]byte(q))
			if i < cut {
				before.Add([]byte(q))
			}
		}
		require.NoError(t, after.Restore(before.AppendState(nil)))
		for _, q := range questions[cut:] {
			after.Add([]byte(q))
		}
		require.JSONEq(t, string(whole.AppendState(nil)), string(after.AppendState(nil)), "cut at %d", cut)
		bash, err := after.Covers("t1", "bash", []byte(`{}`))
		require.NoError(t, err)
		require.True(t, bash)
		read, err := after.Covers("t2", "read", []byte(`{}`))
		require.NoError(t, err)
		require.False(t, read, "the turn had ended")
	}
}

func TestWhatIsNoSavedGrants(t *testing.T) {
	for _, state := range []string{"", "{", "[]", "{}", `{"fold":{"v":1,"parks":[]}}`, `{"fold":{"v":1,"parks":[]},"asked":{},"keys":[]}`,
		`{"fold":{"v":1,"parks":[]},"asked":[["a"]],"keys":[]}`, `{"fold":{"v":1,"parks":[]},"asked":[],"keys":[["a",1]]}`} {
		var g decision.Grants
		require.ErrorIs(t, g.Restore([]byte(state)), fault.BadRecord, state)
	}
}
