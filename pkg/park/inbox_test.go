package park

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// One session's trouble is not another's, and a row says where its answer belongs.
func TestSessionsStandAlone(t *testing.T) {
	b := stage{now: base + 5000}
	for _, s := range []string{"s2", "s1"} {
		b.Begin(s)
		b.Live(s, true)
	}
	readsOf("s1", "7", ask("a", 3, ""))(&b)
	readsOf("s2", "9", ask("a", 3, ""))(&b)
	readsOf("s2", "9", ask("b", 4, due10))(&b)
	readsOf("s1", "7", ask("c", 5, ""))(&b)
	assert.Equal(t, "s1/a pending, s2/a pending, s2/b pending, s1/c pending", show(&b.Inbox, b.now))
	b.Lost("s2", Refused)
	assert.Equal(t, "s1/a pending, s2/a unknown(pending), s2/b unknown(pending), s1/c pending; s2 refused", show(&b.Inbox, b.now))
	assert.Equal(t, []Standing{{Session: "s2", Why: Refused}, {Session: "s1", Pending: 2}}, b.Standings(b.now))
	row := b.Rows(b.now)[2]
	assert.Equal(t, []any{events.Seq(5), events.Generation("9"), "b"}, []any{row.Seq, row.Generation, row.DecisionID})
}

// The order of a session is that of its log, whatever the times of its records are.
func TestOrderOfRows(t *testing.T) {
	b := stage{now: base}
	for _, s := range []string{"s1", "s2", "s3"} {
		b.Begin(s)
		b.Live(s, true)
	}
	for seq, r := range []string{"s1 a 9", "s1 b 2", "s2 c 5", "s3 d 1", "s2 e 9", "s3 f 30"} {
		var s, id string
		var second int
		fmt.Sscan(r, &s, &id, &second)
		b.Event(s, events.Seq(seq+1), "7", []byte(ask(id, second, "")))
	}
	assert.Equal(t, "s3/d pending, s2/c pending, s1/a pending, s1/b pending, s2/e pending, s3/f pending", show(&b.Inbox, b.now))
}

func TestWake(t *testing.T) {
	b := stage{}
	_, ok := b.Wake(0)
	assert.False(t, ok)
	begins(&b)
	reads(ask("a", 1, ""))(&b)
	reads(ask("b", 2, `,"deadlineAt":"2026-01-01T00:00:30Z"`))(&b)
	reads(ask("c", 3, due10))(&b)
	for now, want := range map[int64]int64{base: base + 10_000, base + 9999: base + 10_000, base + 10_000: base + 30_000} {
		at, ok := b.Wake(now)
		assert.True(t, ok)
		assert.Equal(t, want, at)
	}
	_, ok = b.Wake(base + 30_000)
	assert.False(t, ok)
	reads(answer("c", 4))(&b)
	at, _ := b.Wake(base)
	assert.Equal(t, int64(base+30_000), at, "what is settled has no deadline")
}

func TestInboxKeepsSettledRowsWithinBounds(t *testing.T) {
	var b stage
	begins(&b)
	live(&b)
	for i := range 40 {
		b.Event("s", events.Seq(2*i+1), "7", []byte(ask(fmt.Sprint(i), 1, "")))
		b.Event("s", events.Seq(2*i+2), "7", []byte(answer(fmt.Sprint(i), 2)))
	}
	assert.Len(t, b.Rows(0), 40)
	b.Keep(3)
	assert.Equal(t, "s/37 answered, s/38 answered, s/39 answered", show(&b.Inbox, 0))
	b.Event("s", 100, "7", []byte(ask("x", 1, "")))
	begins(&b)
	assert.Equal(t, "s/37 unknown(answered), s/38 unknown(answered), s/39 unknown(answered), s/x unknown(pending); s catching_up", show(&b.Inbox, 0))
}

func TestResumeSaysWhatIsWrong(t *testing.T) {
	var b, c Inbox
	b.Begin("s")
	state, ok := b.AppendState(nil, "s", 5, "7")
	require.True(t, ok)
	require.Nil(t, c.Resume("s", state, 5, "7"))
	err := c.Resume("s", state, 6, "")
	require.ErrorIs(t, err, fault.BadRecord)
	assert.Contains(t, err.Error(), "one of another cursor")
	for _, text := range []string{``, `{}`, `{"v":2,"seq":5,"generation":"7","fold":{"v":1,"parks":[]}}`, `{"v":1,"seq":5,"generation":"7"}`, `{"v":1,"seq":5,"generation":"7","fold":{"v":1,"parks":[]},"x":1}`} {
		require.ErrorIs(t, c.Resume("s", []byte(text), 5, "7"), fault.BadRecord, text)
		assert.Equal(t, "; s elsewhere", show(&c, 0), text)
	}
	_, ok = b.AppendState(nil, "other", 5, "7")
	assert.False(t, ok, "nothing is known of it")
	b.BeginElsewhere("s")
	_, ok = b.AppendState(nil, "s", 5, "7")
	assert.False(t, ok)
}

func TestInboxAsJSON(t *testing.T) {
	var b stage
	begins(&b)
	reads(strings.Replace(ask("a", 1, due10), `{"type":"plan"}`, `{"type":"plan", "n":1.0}`, 1))(&b)
	reads(answer("a", 2))(&b)
	reads(`{"type":"decision_requested","seq":4,"ts":"2026-01-01T00:00:03Z","decisionId":"b","request":7}`)(&b)
	reads(lapse("b", 4))(&b)
	b.Event("s", 9, "", []byte(ask("c", 8, due10)))
	live(&b)
	b.Lost("t", Refused)
	assert.Equal(t, `{"rows":[`+
		`{"session":"s","state":"answered","requestType":"plan","decisionId":"a","turnId":"t1","checkpointId":"ca","seq":2,"generation":"7","request":{"type":"plan", "n":1.0},"parkedAt":1767225601000,"deadlineAt":1767225610000,"resolvedAt":1767225602000,"resolvedSeq":3,"expired":false,"decision":{"action":"approve_plan"},"resolvedBy":{"kind":"user"}},`+
		`{"session":"s","state":"expired","requestType":"","decisionId":"b","turnId":"","checkpointId":"","seq":4,"generation":"7","request":7,"parkedAt":1767225603000,"resolvedAt":1767225604000,"resolvedSeq":5,"expired":true,"decision":`+Pause+`},`+
		`{"session":"s","state":"pending","requestType":"plan","decisionId":"c","turnId":"t1","checkpointId":"cc","seq":9,"request":{"type":"plan"},"parkedAt":1767225608000,"deadlineAt":1767225610000}`+
		`],"sessions":[{"session":"s","known":true,"pending":1},{"session":"t","known":false,"why":"refused","pending":0}],"wake":1767225610000}`,
		string(b.AppendJSON(nil, base)))
	b.Lost("s", Disconnected)
	assert.Contains(t, string(b.AppendJSON(nil, base)), `"state":"unknown","was":"answered"`)
	assert.Contains(t, string(b.AppendJSON(nil, base)), `{"session":"s","known":false,"why":"disconnected","pending":0}`)
	assert.Equal(t, `{"rows":[],"sessions":[]}`, string(new(Inbox).AppendJSON(nil, 0)))
}

func TestNamesOfTheInbox(t *testing.T) {
	for w := CatchingUp; w < whyCount; w++ {
		got, ok := WhyNamed(w.String())
		assert.True(t, ok)
		assert.Equal(t, w, got)
	}
	for _, word := range []string{"known", "", "unknown"} {
		_, ok := WhyNamed(word)
		assert.False(t, ok, word)
	}
	assert.Equal(t, "unknown", Why(99).String())
	assert.Equal(t, "unknown", RowState(99).String())
}

// Whatever a state is, restoring it neither panics nor makes an inbox that writes no
// JSON, and what it took it writes again.
func FuzzResume(f *testing.F) {
	var b stage
	begins(&b)
	reads(ask("a", 1, due10))(&b)
	reads(answer("a", 2))(&b)
	reads(lapse("b", 4))(&b)
	reads(ask("b", 5, ""))(&b)
	saves(9)(&b)
	f.Add(string(b.saved))
	f.Add(`{"v":1,"seq":9,"generation":"7","fold":{"v":1,"parks":[{"decisionId":"a","request":[],"parkedAt":-5,"resolvedAt":-0}]}}`)
	f.Fuzz(func(t *testing.T, state string) {
		var b stage
		if b.Resume("s", []byte(state), 9, "7") != nil {
			require.Equal(t, "; s elsewhere", show(&b.Inbox, 0))
			return
		}
		live(&b)
		require.True(t, json.Valid(b.AppendJSON(nil, 0)))
		shown := show(&b.Inbox, 0)
		saves(9)(&b)
		restarts(&b)
		resumes(9, "7")(&b)
		live(&b)
		require.Equal(t, shown, show(&b.Inbox, 0))
	})
}

// A row waits only in a session that began whole, was live since, and was not lost
// since. The order of everything else does not matter.
func TestOnlyWhatIsKnownWaits(t *testing.T) {
	moves := []struct {
		does  func(*stage)
		means func(whole, known bool) (bool, bool)
	}{
		{begins, func(_, _ bool) (bool, bool) { return true, false }},
		{beginsElsewhere, func(_, _ bool) (bool, bool) { return false, false }},
		{live, func(whole, _ bool) (bool, bool) { return whole, whole }},
		{func(b *stage) { b.Live("s", false) }, func(_, _ bool) (bool, bool) { return false, false }},
		{lost(CatchingUp), func(whole, _ bool) (bool, bool) { return whole, false }},
		{lost(Disconnected), func(whole, _ bool) (bool, bool) { return whole, false }},
		{lost(Known), func(whole, known bool) (bool, bool) { return whole, known }},
		{lost(Incomplete), func(_, _ bool) (bool, bool) { return false, false }},
		{lost(Elsewhere), func(_, _ bool) (bool, bool) { return false, false }},
		{lost(Refused), func(_, _ bool) (bool, bool) { return false, false }},
		{resumes(1, "7"), func(_, _ bool) (bool, bool) { return false, false }},
	}
	lot := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var b stage
		whole, known := false, false
		for seq := 1; seq < 12; seq++ {
			b.Event("s", events.Seq(seq), "7", []byte(ask(fmt.Sprint(seq), 1, "")))
			m := moves[lot.IntN(len(moves))]
			m.does(&b)
			whole, known = m.means(whole, known)
			for _, r := range b.Rows(0) {
				require.Equal(t, known, r.State == RowPending)
			}
			require.Equal(t, known, b.Standings(0)[0].Why == Known)
		}
	}
}
