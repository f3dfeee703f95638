package park

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/events/catalog"
)

const base = 1767225600000 // 2026-01-01T00:00:00Z

// ask, answer and lapse are records at so many seconds.
func ask(id string, at int, more string) string {
	return fmt.Sprintf(`{"v":1,"type":"decision_requested","seq":%d,"gen":7,"ts":"2026-01-01T00:00:%02d.000Z","turnId":"t1","decisionId":%q,"checkpointId":"c%s","request":{"type":"plan"}%s}`, at+1, at, id, id, more)
}

func answer(id string, at int) string {
	return fmt.Sprintf(`{"v":1,"type":"decision_resolved","seq":%d,"gen":7,"ts":"2026-01-01T00:00:%02d.000Z","turnId":"t9","decisionId":%q,"decision":{"action":"approve_plan"},"resolvedBy":{"kind":"user"}}`, at+1, at, id)
}

func lapse(id string, at int) string {
	return fmt.Sprintf(`{"v":1,"type":"decision_expired","seq":%d,"gen":7,"ts":"2026-01-01T00:00:%02d.000Z","turnId":"t1","decisionId":%q}`, at+1, at, id)
}

const due10 = `,"deadlineAt":"2026-01-01T00:00:10.000Z"`

func folded(records ...string) *Fold {
	f := new(Fold)
	for _, r := range records {
		f.Add([]byte(r))
	}
	return f
}

func ids(parks []*Park) string {
	var names []string
	for _, p := range parks {
		names = append(names, p.DecisionID)
	}
	return strings.Join(names, " ")
}

// a record means what its decisionId says, whatever else it is like.
func TestParksAreMatchedByDecisionAlone(t *testing.T) {
	f := folded(ask("a", 1, ""), strings.Replace(ask("b", 2, ""), `"cb"`, `"ca"`, 1), answer("b", 3))
	require.Equal(t, "a b", ids(f.Parks()))
	assert.False(t, f.Find("a").Resolved)
	assert.True(t, f.Find("b").Resolved)
	assert.Equal(t, "ca", f.Find("b").CheckpointID)
	assert.Nil(t, f.Find("ca"), "a checkpoint is no decision")
}

func TestAParkHoldsWhatTheRecordsSay(t *testing.T) {
	request := `{"type":"x", "n":1.50e+1,"é":["\u0041",{}]}`
	record := strings.Replace(ask("d", 1, due10), `{"type":"plan"}`, request, 1)
	f := folded(record, answer("d", 2))
	assert.Equal(t, Park{
		DecisionID: "d", TurnID: "t1", CheckpointID: "cd", Seq: 2, Generation: "7", Request: []byte(request),
		ParkedAt: base + 1000, DeadlineAt: base + 10_000, HasDeadline: true,
		Resolved: true, ResolvedAt: base + 2000, ResolvedSeq: 3,
		Decision: []byte(`{"action":"approve_plan"}`), ResolvedBy: []byte(`{"kind":"user"}`),
	}, *f.Parks()[0])
	assert.Equal(t, "x", f.Parks()[0].RequestType())
}

func TestAParkIsACopy(t *testing.T) {
	text := []byte(ask("d", 1, ""))
	var f Fold
	f.Add(text)
	clear(text)
	assert.JSONEq(t, `{"state":"outstanding","decisionId":"d","turnId":"t1","checkpointId":"cd","seq":2,"generation":"7","request":{"type":"plan"},"requestType":"plan","parkedAt":1767225601000}`, string(f.Parks()[0].AppendJSON(nil, 0)))
}

// A park is written in one way, and what the record does not say is absent.
func TestAParkAsJSON(t *testing.T) {
	f := folded(ask("a", 1, due10), answer("a", 2), ask("b", 3, due10), lapse("b", 11), `{"type":"decision_requested","ts":"2026-01-01T00:00:01Z","decisionId":"c","request":7}`)
	for i, want := range []string{
		`{"state":"resolved","requestType":"plan","decisionId":"a","turnId":"t1","checkpointId":"ca","seq":2,"generation":"7","request":{"type":"plan"},"parkedAt":1767225601000,"deadlineAt":1767225610000,"resolvedAt":1767225602000,"resolvedSeq":3,"expired":false,"decision":{"action":"approve_plan"},"resolvedBy":{"kind":"user"}}`,
		`{"state":"resolved","requestType":"plan","decisionId":"b","turnId":"t1","checkpointId":"cb","seq":4,"generation":"7","request":{"type":"plan"},"parkedAt":1767225603000,"deadlineAt":1767225610000,"resolvedAt":1767225611000,"resolvedSeq":12,"expired":true,"decision":` + Pause + `}`,
		`{"state":"outstanding","requestType":"","decisionId":"c","turnId":"","checkpointId":"","request":7,"parkedAt":1767225601000}`,
	} {
		assert.Equal(t, want, string(f.Parks()[i].AppendJSON(nil, base)))
	}
}

// What a record means.
func TestEffects(t *testing.T) {
	f := folded(ask("open", 1, ""), ask("done", 2, ""), answer("done", 3))
	for text, want := range map[string]Effect{
		`{"type":"message","seq":9}`:          None,
		``:                                    None,
		`[]`:                                  None,
		`{}`:                                  None,
		`{"type":7}`:                          None,
		`{"type":"Decision_requested"}`:       None,
		`{"type":"decision_reopened"}`:        None,
		`{"x":{"type":"decision_expired"}}`:   None,
		`{"x":tru,"type":"decision_expired"}`: None,
		`{"type":"message","type":"decision_expired"}`: None,
		ask("new", 4, ""): Opened,
		strings.Replace(ask("new", 4, ""), `"type":"decision_requested"`, `"\u0074ype":"decision_request\u0065d"`, 1): Opened,
		strings.Replace(ask("new", 4, ""), `"t1"`, `null`, 1):                                                         Opened,
		strings.Replace(ask("new", 4, ""), `"turnId":"t1",`, ``, 1):                                                   Opened,
		strings.Replace(ask("new", 4, ""), `"checkpointId":"cnew",`, ``, 1):                                           Opened,
		strings.Replace(ask("new", 4, ""), `,"request":{"type":"plan"}`, ``, 1):                                       Damaged,
		strings.Replace(ask("new", 4, ""), `{"type":"plan"}`, `null`, 1):                                              Damaged,
		strings.Replace(ask("new", 4, ""), `"new"`, `""`, 1):                                                          Damaged,
		strings.Replace(ask("new", 4, ""), `"new"`, `7`, 1):                                                           Damaged,
		strings.Replace(ask("new", 4, ""), `"new"`, `"\ud800"`, 1):                                                    Damaged,
		strings.Replace(ask("new", 4, ""), `"decisionId":"new",`, ``, 1):                                              Damaged,
		strings.Replace(ask("new", 4, ""), `"t1"`, `7`, 1):                                                            Damaged,
		strings.Replace(ask("new", 4, ""), `"seq":5`, `"seq":0`, 1):                                                   Damaged,
		strings.Replace(ask("new", 4, ""), `"gen":7`, `"gen":-7`, 1):                                                  Damaged,
		strings.Replace(ask("new", 4, ""), `"gen":7`, `"gen":7,"generation":7`, 1):                                    Damaged,
		strings.Replace(ask("new", 4, ""), `"gen":7`, `"gen":null,"generation":7`, 1):                                 Opened,
		ask("new", 4, `,"request":{"type":"other"}`):                                                                  Damaged,
		ask("new", 4, `,"type":"message"`):                                                                            Damaged,
		ask("new", 4, "")[:90]:                                                                                        Damaged,
		ask("new", 4, "") + "x":                                                                                       Damaged,
		strings.Replace(answer("open", 5), "2026-01-01T00:00:05.000Z", "then", 1):                                     Damaged,
		strings.Replace(answer("open", 5), `"2026-01-01T00:00:05.000Z"`, "1767225605000", 1):                          Damaged,
		strings.Replace(answer("open", 5), `"ts":"2026-01-01T00:00:05.000Z",`, "", 1):                                 Damaged,
		answer("done", 5): Ignored, lapse("done", 5): Ignored, answer("never", 5): Ignored, lapse("never", 5): Ignored,
	} {
		f.Add([]byte(ask("new", 4, "")))
		assert.Equal(t, want, f.Add([]byte(text)), text)
	}
	assert.Equal(t, Answered, f.Add([]byte(answer("open", 6))))
	assert.Equal(t, TimedOut, f.Add([]byte(lapse("new", 7))))
}

// a deadline that is no date-time text is none.
func TestADeadlineThatIsNoDate(t *testing.T) {
	for _, deadline := range []string{`"soon"`, `7`, `null`, `{}`, `"2026-02-30T00:00:00Z"`} {
		p := folded(ask("d", 1, `,"deadlineAt":`+deadline)).Find("d")
		require.NotNil(t, p, deadline)
		assert.False(t, p.HasDeadline, deadline)
		assert.Equal(t, Outstanding, p.State(1<<60), deadline)
	}
}

// the first settlement counts, and a request under an old id is the newest.
func TestTheFirstSettlementCounts(t *testing.T) {
	f := folded(ask("a", 1, due10), lapse("a", 2), answer("a", 3), lapse("a", 4))
	p := f.Find("a")
	assert.True(t, p.Expired)
	assert.Equal(t, Pause, string(p.Decision))
	assert.Equal(t, int64(base+2000), p.ResolvedAt)
	p = folded(ask("a", 1, due10), answer("a", 2), lapse("a", 11)).Find("a")
	assert.False(t, p.Expired, "an expiry takes back no answer")
	assert.Equal(t, `{"action":"approve_plan"}`, string(p.Decision))
	assert.Equal(t, int64(base+2000), p.ResolvedAt)
	f = folded(answer("a", 0), ask("a", 1, ""), ask("b", 2, ""), answer("a", 3), ask("a", 4, due10))
	assert.Equal(t, "b a", ids(f.Parks()))
	assert.Equal(t, Outstanding, f.Find("a").State(base))
	assert.Equal(t, events.Seq(5), f.Find("a").Seq)
}

// the very millisecond of the deadline is past it.
func TestStates(t *testing.T) {
	p := folded(ask("d", 1, due10)).Find("d")
	assert.Equal(t, Outstanding, p.State(base+9999))
	assert.Equal(t, Expired, p.State(base+10_000))
	assert.Equal(t, Resolved, folded(ask("d", 1, due10), answer("d", 20)).Find("d").State(base+60_000))
	for _, s := range []State{Outstanding, Expired, Resolved} {
		got, ok := ParseState(s.String())
		assert.True(t, ok)
		assert.Equal(t, s, got)
	}
	_, ok := ParseState("pending")
	assert.False(t, ok)
	assert.Equal(t, "unknown", State(9).String())
}

// a filter by turn looks at requests; pending is the newest outstanding park.
func TestQueries(t *testing.T) {
	other := strings.Replace(ask("x", 5, ""), `"t1"`, `"t2"`, 1)
	records := []string{ask("a", 1, ""), ask("b", 2, due10), ask("c", 3, due10), ask("d", 4, ""), answer("d", 6), other}
	f := folded(records...)
	assert.Equal(t, "x", f.Pending(base+20_000).DecisionID)
	assert.Equal(t, "b c", ids(f.Expired(base+20_000)))
	assert.Equal(t, "b", f.Open("cb").DecisionID)
	assert.Nil(t, f.Open("cd"), "it is settled")
	f.Reset("t1")
	assert.Empty(t, f.Parks())
	for _, r := range records {
		f.Add([]byte(r))
	}
	assert.Equal(t, "a b c d", ids(f.Parks()), "the answer to d names another turn")
	assert.Equal(t, "a", f.Pending(base+20_000).DecisionID)
	assert.Equal(t, "c", f.Pending(base).DecisionID)
	assert.Nil(t, folded().Pending(0))
}

// The one that speaks for a log: outstanding before expired before resolved.
func TestSummary(t *testing.T) {
	f := folded(ask("a", 1, ""), ask("b", 2, due10), ask("c", 3, ""), answer("c", 4))
	assert.Equal(t, "b", f.Summary(base).DecisionID)
	assert.Equal(t, "a", f.Summary(base+20_000).DecisionID)
	f.Add([]byte(answer("a", 5)))
	assert.Equal(t, "b", f.Summary(base+20_000).DecisionID)
	f.Add([]byte(lapse("b", 6)))
	assert.Equal(t, "c", f.Summary(base+20_000).DecisionID)
	assert.Nil(t, folded().Summary(0))
}

func TestAddAtTakesThePlaceAsGiven(t *testing.T) {
	var f Fold
	text := strings.Replace(ask("a", 1, ""), `"seq":2,"gen":7`, `"seq":0,"gen":-1`, 1)
	require.Equal(t, Opened, f.AddAt([]byte(text), 41, "g"))
	require.Equal(t, Answered, f.AddAt([]byte(answer("a", 3)), 42, "g"))
	assert.Equal(t, events.Seq(41), f.Find("a").Seq)
	assert.Equal(t, events.Generation("g"), f.Find("a").Generation)
	assert.Equal(t, events.Seq(42), f.Find("a").ResolvedSeq)
	assert.Equal(t, None, f.AddAt([]byte(`{"type":"message"}`), 43, "g"))
	assert.Equal(t, Damaged, f.AddAt([]byte(`{"type":"decision_expired"}`), 44, "g"))
}

// Kept are all that wait, and of the settled the newest; what is forgotten would not
// have changed anything.
func TestKeep(t *testing.T) {
	var f Fold
	f.Keep(3)
	for i := range 50 {
		id := fmt.Sprintf("d%02d", i)
		f.Add([]byte(ask(id, i, "")))
		if i%10 != 0 {
			f.Add([]byte(answer(id, i)))
			f.Add([]byte(lapse(id, i)))
		}
	}
	assert.LessOrEqual(t, len(f.Parks()), 5+2*3)
	f.trim()
	assert.Equal(t, "d00 d10 d20 d30 d40 d47 d48 d49", ids(f.Parks()))
	assert.Equal(t, Ignored, f.Add([]byte(answer("d01", 51))))
	assert.Equal(t, Opened, f.Add([]byte(ask("d01", 52, ""))))
	for i, p := range f.Parks() {
		assert.Same(t, p, f.Find(p.DecisionID))
		assert.Equal(t, i, p.place)
	}
}

func TestRequestedOverAndOver(t *testing.T) {
	var f Fold
	for i := range 1000 {
		f.Add([]byte(ask(fmt.Sprint("d", i%10), i%60, "")))
		require.LessOrEqual(t, len(f.list), 21)
	}
	assert.Equal(t, "d0 d1 d2 d3 d4 d5 d6 d7 d8 d9", ids(f.Parks()))
}

func TestTypes(t *testing.T) {
	for _, name := range Types() {
		assert.True(t, slices.ContainsFunc(catalog.Records, func(r catalog.RecordType) bool { return r.Name == name }), name)
	}
	Types()[0] = "changed"
	assert.Equal(t, "decision_requested", Types()[0])
}
