package typed

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

func typeName(v any) string { return fmt.Sprintf("%T", v) }

const completed = `{ "x":1, "type":"tool_completed","sessionId":"s", "turnId":"t","toolUseId":"u","toolName":"grep","result":"a\/b",` +
	`"isError" : false,"via":{ "tool":"code" , "more":1e3,"toolUseId":"v"},"durationMs":1.50,"outputLength":12345678901234567890, "seq":7,"generation":"7" }`

func TestAChangeTouchesItsOwnMemberOnly(t *testing.T) {
	cases := []struct {
		name      string
		change    func(e *ToolCompleted)
		old, want string
	}{
		{"nothing", func(*ToolCompleted) {}, ``, ``},
		{"the same value", func(e *ToolCompleted) { e.Result = "a/b"; e.Generation = Some(events.Generation("7")) }, ``, ``},
		{"text", func(e *ToolCompleted) { e.Result = "q\"<&>\u2028" }, `"a\/b"`, `"q\"<&>\u2028"`},
		{"boolean", func(e *ToolCompleted) { e.IsError = true }, `false`, `true`},
		{"number", func(e *ToolCompleted) { e.DurationMs = Some(NumberOf(2.5)) }, `1.50`, `2.5`},
		{"integer", func(e *ToolCompleted) { e.OutputLength = Some(Int("98765432109876543210")) }, `12345678901234567890`, `98765432109876543210`},
		{"seq", func(e *ToolCompleted) { e.Seq = Some(events.Seq(8)) }, `"seq":7`, `"seq":8`},
		{"generation", func(e *ToolCompleted) { e.Generation = Some(events.Generation("8")) }, `"generation":"7"`, `"generation":8`},
		{"session", func(e *ToolCompleted) { e.SessionID = "s:2" }, `"sessionId":"s"`, `"sessionId":"s:2"`},
		{"cleared", func(e *ToolCompleted) { e.DurationMs = Opt[Number]{} }, `,"durationMs":1.50`, ``},
		{"cleared shape", func(e *ToolCompleted) { e.Via = Opt[ToolVia]{} }, `,"via":{ "tool":"code" , "more":1e3,"toolUseId":"v"}`, ``},
		{"added", func(e *ToolCompleted) { e.OutputTruncated = Some(false) }, `"7" }`, `"7","outputTruncated":false }`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e, err := Decode([]byte(completed))
			require.NoError(t, err)
			tool := e.(*ToolCompleted)
			c.change(tool)
			assertChanged(t, tool, completed, c.old, c.want)
		})
	}
}

func assertChanged(t *testing.T, e Event, text, old, want string) {
	t.Helper()
	back, err := Encode(e)
	require.NoError(t, err)
	expected := text
	if old != want {
		at := indexOnce(t, text, old)
		expected = text[:at] + want + text[at+len(old):]
	}
	assert.Equal(t, expected, string(back))
}

func indexOnce(t *testing.T, text, part string) int {
	t.Helper()
	found := -1
	for i := 0; i+len(part) <= len(text); i++ {
		if text[i:i+len(part)] == part {
			require.Equal(t, -1, found, "%q stands twice", part)
			found = i
		}
	}
	require.NotEqual(t, -1, found, "%q is missing", part)
	return found
}

func TestAChangeInsideAShapeTouchesOnlyThat(t *testing.T) {
	e, err := Decode([]byte(completed))
	require.NoError(t, err)
	tool := e.(*ToolCompleted)
	via, ok := tool.Via.Get()
	require.True(t, ok)
	via.Tool = "shell"
	via.RuntimeToolCallID = Some("r")
	tool.Via = Some(via)
	assertChanged(t, tool, completed, `{ "tool":"code" , "more":1e3,"toolUseId":"v"}`, `{ "tool":"shell" , "more":1e3,"toolUseId":"v","runtimeToolCallId":"r"}`)
}

func TestTheFirstMemberCanGo(t *testing.T) {
	e, err := Decode([]byte(`{ "turnId":"t", "type":"task_created","sessionId":"s","taskId":"k","subject":"x","status":1,"blockedBy":["a"]}`))
	require.NoError(t, err)
	task := e.(*TaskCreated)
	task.TurnID = Opt[TurnID]{}
	task.BlockedBy = Some([]TaskID{"a", "b\n"})
	back, err := Encode(task)
	require.NoError(t, err)
	assert.Equal(t, `{ "type":"task_created","sessionId":"s","taskId":"k","subject":"x","status":1,"blockedBy":["a","b\n"]}`, string(back))
}

// JSON.parse takes the last of repeated members, and so does this package.
func TestOfRepeatedMembersTheLastCounts(t *testing.T) {
	text := `{"type":"agent_failed","error":"a","sessionId":"s","turnId":"t","taskId":"k","error":"b"}`
	e, err := Decode([]byte(text))
	require.NoError(t, err)
	failed := e.(*AgentFailed)
	assert.Equal(t, "b", failed.Error)
	assertChanged(t, failed, text, ``, ``)
	failed.Error = "c"
	assertChanged(t, failed, text, `"error":"b"`, `"error":"c"`)
	text = `{"type":"sandbox_destroyed","sessionId":"s","sandboxId":"b","v":1,"v":null}`
	e = same(t, Decode, []byte(text))
	assert.True(t, e.Common().V.IsNull())
	e.Common().V = Opt[Int]{}
	back, err := Encode(e)
	require.NoError(t, err)
	assert.Equal(t, `{"type":"sandbox_destroyed","sessionId":"s","sandboxId":"b"}`, string(back))
}

func TestAbsentNullAndZeroAreThreeThings(t *testing.T) {
	const head = `{"type":"tool_progress","sessionId":"s","turnId":"t","toolUseId":"u","toolName":"n","message":""`
	cases := []struct {
		rest      string
		set, null bool
	}{
		{`}`, false, false}, {`,"fraction":null}`, false, true}, {`,"fraction":0}`, true, false}, {`,"fraction":-0.0e1}`, true, false},
	}
	for _, c := range cases {
		e := same(t, Decode, []byte(head+c.rest)).(*ToolProgress)
		assert.Equal(t, c.set, e.Fraction.IsSet(), c.rest)
		assert.Equal(t, c.null, e.Fraction.IsNull(), c.rest)
	}
	e := same(t, Decode, []byte(head+`,"seq":null,"generation":null,"lineage":null,"v":null}`)).(*ToolProgress)
	assert.True(t, e.Seq.IsNull())
	assert.True(t, e.Generation.IsNull())
}

// Null that was read into one event is never written into another.
func TestNullIsNotWrittenAnew(t *testing.T) {
	from := same(t, Decode, []byte(`{"type":"plan_failed","sessionId":"s","turnId":"t","planId":"p","reason":null}`)).(*PlanFailed)
	to := &PlanFailed{Base: Base{SessionID: "s", TurnID: Some(TurnID("t"))}, PlanID: "p", Reason: from.Reason}
	back, err := Encode(to)
	require.NoError(t, err)
	assert.Equal(t, `{"type":"plan_failed","sessionId":"s","turnId":"t","planId":"p"}`, string(back))
}

func TestAnyMayBeNull(t *testing.T) {
	e := same(t, Decode, []byte(`{"type":"tool_executing","sessionId":"s","turnId":"t","toolUseId":"u","toolName":"n","input":null}`))
	assert.Equal(t, "null", e.(*ToolExecuting).Input.String())
}

func TestValuesThatAreNotListedAreKept(t *testing.T) {
	text := `{"type":"tool_review_completed","sessionId":"s","turnId":"t","decision":"postponed"}`
	e := same(t, Decode, []byte(text)).(*ToolReviewCompleted)
	assert.False(t, e.Decision.Known())
	e.Decision = ReviewDecisionModified
	assert.True(t, e.Decision.Known())
	assertChanged(t, e, text, `postponed`, `modified`)
}

func TestANewEvent(t *testing.T) {
	e := &TurnStarted{
		Base:          Base{SessionID: "ses_1", TurnID: Some(TurnID("t")), Generation: Some(events.Generation("07"))},
		UserMessageID: "m", Config: Raw(` {"a":1} `),
	}
	text, err := Encode(e)
	require.NoError(t, err)
	assert.Equal(t, `{"type":"turn_started","sessionId":"ses_1","turnId":"t","generation":"07","userMessageId":"m","config":{"a":1}}`, string(text))
	text, err = Encode(&CheckpointPruned{Base: Base{SessionID: "s", TurnID: Some(TurnID("t")), Seq: Some(events.Seq(1)), TS: "2026-01-01T00:00:00Z"}})
	require.NoError(t, err)
	assert.Equal(t, `{"type":"checkpoint_pruned","sessionId":"s","turnId":"t","seq":1,"ts":"2026-01-01T00:00:00Z","checkpointIds":[]}`, string(text))
}

func TestWhatCanNotBeWritten(t *testing.T) {
	base := func() Base { return Base{SessionID: "s", TurnID: Some(TurnID("t"))} }
	deep := make(Raw, 0, 2*events.MaxDepth)
	for range events.MaxDepth {
		deep = append(deep, '[')
	}
	for range events.MaxDepth {
		deep = append(deep, ']')
	}
	infinite := &ToolProgress{Base: base(), Fraction: Some(NumberOf(1 / zero()))}
	cases := map[string]Event{
		"no event":            nil,
		"no session":          &PlanApproved{Base: Base{TurnID: Some(TurnID("t"))}},
		"control in session":  &PlanApproved{Base: Base{SessionID: "a\nb", TurnID: Some(TurnID("t"))}},
		"no turn":             &PlanApproved{Base: Base{SessionID: "s"}},
		"no raw":              &AgentCompleted{Base: base()},
		"raw is no JSON":      &AgentCompleted{Base: base(), Result: Raw(`{"a":}`)},
		"raw is null":         &AgentCompleted{Base: base(), Result: Raw(`null`)},
		"raw is two values":   &AgentCompleted{Base: base(), Result: Raw(`1,"x":2`)},
		"raw is too deep":     &AgentCompleted{Base: base(), Result: deep},
		"integer of letters":  &IterationStarted{Base: base(), Iteration: "x"},
		"integer by halves":   &IterationStarted{Base: base(), Iteration: "1.5"},
		"infinite":            infinite,
		"seq 0":               &PlanApproved{Base: Base{SessionID: "s", TurnID: Some(TurnID("t")), Seq: Some(events.Seq(0))}},
		"seq 2^53":            &PlanApproved{Base: Base{SessionID: "s", TurnID: Some(TurnID("t")), Seq: Some(events.MaxSeq + 1)}},
		"empty generation":    &PlanApproved{Base: Base{SessionID: "s", TurnID: Some(TurnID("t")), Generation: Some(events.Generation(""))}},
		"no UTF-8":            &PlanApproved{Base: base(), PlanID: "\xff"},
		"no UTF-8 in a list":  &TaskCreated{Base: base(), Status: Raw("1"), BlockedBy: Some([]TaskID{"a", "\xff"})},
		"details no object":   &TurnPaused{Base: base(), Failure: Some(PlatformError{Details: Some(Raw("1"))})},
		"ts on a live event":  &PlanApproved{Base: Base{SessionID: "s", TurnID: Some(TurnID("t")), TS: "x"}},
		"time on a live one":  &PlanApproved{Base: Base{SessionID: "s", TurnID: Some(TurnID("t")), Timestamp: Some(IntOf(1))}},
		"record with lineage": &CheckpointPruned{Base: Base{SessionID: "s", TurnID: Some(TurnID("t")), TS: "x", Seq: Some(events.Seq(1)), Lineage: Some(Raw("{}"))}},
		"no number in a list": &CompactionShed{Base: base(), Messages: []Raw{Raw("1"), nil}},
	}
	for name, e := range cases {
		_, err := Encode(e)
		require.ErrorIs(t, err, fault.BadInput, name)
	}
}

func zero() float64 { return 0 }
