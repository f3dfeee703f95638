package park

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// A fold that was saved and restored after any record goes on as if nothing were.
func TestSavedFold(t *testing.T) {
	records := []string{
		ask("a", 1, due10), ask("b", 2, ""), `{"type":"message"}`, answer("a", 3), lapse("b", 4), ask("a", 5, `,"deadlineAt":"1969-12-31T23:59:59Z"`),
		`{"type":"decision_requested","ts":"1960-01-01T00:00:00Z","decisionId":"c","request":{"type":"é\u0000"}}`, `{"type":"decision_resolved","ts":"1961-01-01T00:00:00Z","decisionId":"c"}`,
	}
	for cut := range len(records) + 1 {
		whole, saved, second := new(Fold), new(Fold), new(Fold)
		whole.Reset("")
		for i, r := range records {
			if i == cut {
				require.NoError(t, second.Restore(saved.AppendState(nil)))
				saved = second
			}
			assert.Equal(t, whole.Add([]byte(r)), saved.Add([]byte(r)))
		}
		assert.Equal(t, whole.Parks(), saved.Parks(), "saved before record %d", cut)
		assert.Equal(t, string(whole.AppendState(nil)), string(saved.AppendState(nil)))
	}
}

// A fold that an earlier version saved, without the ids that a record did not name, and
// with 0 for the places that it did not say.
func TestAnEarlierSavedFold(t *testing.T) {
	const earlier = `{"v":1,"parks":[{"decisionId":"a","seq":0,"request":7,"parkedAt":1,"resolvedAt":2,"expired":true,"resolvedSeq":0,"decision":{}}]}`
	var f, again Fold
	require.NoError(t, f.Restore([]byte(earlier)))
	assert.Equal(t, Park{DecisionID: "a", Request: []byte("7"), ParkedAt: 1, Resolved: true, ResolvedAt: 2, Expired: true, Decision: []byte("{}")}, *f.Parks()[0])
	require.NoError(t, again.Restore(f.AppendState(nil)))
	assert.Equal(t, f.Parks(), again.Parks())
}

func TestSavedFoldKeepsItsTurn(t *testing.T) {
	var f, g Fold
	f.Reset("t2")
	require.NoError(t, g.Restore(f.AppendState(nil)))
	assert.Equal(t, Ignored, g.Add([]byte(ask("a", 1, ""))))
	assert.Equal(t, `{"v":1,"turn":"t2","parks":[]}`, string(g.AppendState(nil)))
}

func TestWhatIsNoSavedFold(t *testing.T) {
	for _, state := range []string{
		``, `null`, `[]`, `{}`, `{"v":2,"parks":[]}`, `{"v":1,"parks":{}}`, `{"v":1,"parks":[7]}`, `{"v":1,"more":1}`, `{"v":1,"turn":7}`,
		`{"v":1,"parks":[{"decisionId":"a"}]}`, `{"v":1,"parks":[{"request":{}}]}`, `{"v":1,"parks":[{"decisionId":"a","request":{},"seq":-1}]}`,
		`{"v":1,"parks":[{"decisionId":"a","request":{},"parkedAt":"now"}]}`, `{"v":1,"parks":[{"decisionId":"a","request":{},"deadlineAt":1.5}]}`, `{"v":1,"parks":[{"decisionId":"a","request":{},"resolvedAt":-}]}`,
	} {
		f := folded(ask("a", 1, ""))
		require.ErrorIs(t, f.Restore([]byte(state)), fault.BadRecord, state)
		assert.Empty(t, f.Parks())
		assert.Equal(t, Opened, f.Add([]byte(ask("a", 1, ""))))
	}
}

func TestSavedFoldIsTrimmed(t *testing.T) {
	var f Fold
	f.Keep(2)
	for i := range 3 {
		f.Add([]byte(ask(fmt.Sprint(i), i, "")))
		f.Add([]byte(answer(fmt.Sprint(i), i)))
	}
	var g Fold
	require.NoError(t, g.Restore(f.AppendState(nil)))
	assert.Equal(t, "1 2", ids(g.Parks()))
}
