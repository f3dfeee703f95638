package park

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tidemark-stream/tidemark/internal/datetime"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

func TestWhatAWriterAppends(t *testing.T) {
	p := Park{DecisionID: "d\"1", TurnID: "t1", CheckpointID: "c1", Request: []byte(`{"type":"plan","n":1.0}`), DeadlineAt: base, HasDeadline: true}
	asked := string(AppendRequested([]byte("> "), &p))
	assert.Equal(t, `> {"type":"decision_requested","turnId":"t1","decisionId":"d\"1","checkpointId":"c1","request":{"type":"plan","n":1.0},"deadlineAt":"2026-01-01T00:00:00.000Z"}`, asked)
	assert.Equal(t, `{"type":"decision_requested","decisionId":"d","request":{}}`, string(AppendRequested(nil, &Park{DecisionID: "d", Request: []byte("{}")})))
	answered := string(AppendResolved(nil, "t1", `d"1`, []byte(`{"action":"abort"}`), System("ten_a").AppendJSON(nil)))
	assert.Equal(t, `{"type":"decision_resolved","turnId":"t1","decisionId":"d\"1","decision":{"action":"abort"},"resolvedBy":{"kind":"system","role":"sys_approval_policy","tenantId":"ten_a"}}`, answered)
	lapsed := string(AppendExpired(nil, "t1", `d"1`))
	assert.Equal(t, `{"type":"decision_expired","turnId":"t1","decisionId":"d\"1"}`, lapsed)

	stamp := func(text string) string { return strings.TrimSuffix(text, "}") + `,"ts":"2026-01-01T00:00:01Z"}` }
	f := folded(stamp(strings.TrimPrefix(asked, "> ")), stamp(answered))
	assert.Equal(t, `{"action":"abort"}`, string(f.Find(`d"1`).Decision))
	assert.Equal(t, p.DeadlineAt, f.Find(`d"1`).DeadlineAt)
	f = folded(stamp(strings.TrimPrefix(asked, "> ")), stamp(lapsed))
	assert.True(t, f.Find(`d"1`).Expired)
}

// a question needs a type, and only a time to live above zero is one.
func TestWhatCanBeAsked(t *testing.T) {
	assert.NoError(t, CheckRequest([]byte(` {"a":1,"type":"x"} `)))
	for _, request := range []string{``, `{`, `[]`, `"x"`, `{}`, `{"type":""}`, `{"type":7}`, `{"type":null}`, `{"Type":"x"}`, `{"type":"x"}x`, "{\"type\":\"\xff\"}"} {
		assert.ErrorIs(t, CheckRequest([]byte(request)), fault.BadRequest, request)
	}
	for ttl, want := range map[int64]int64{1: base + 1, 1000: base + 1000, math.MaxInt64: datetime.Max} {
		at, ok := Deadline(base, ttl)
		assert.True(t, ok)
		assert.Equal(t, want, at)
	}
	for _, ttl := range []int64{0, -1, math.MinInt64} {
		_, ok := Deadline(base, ttl)
		assert.False(t, ok)
	}
}
