package decision

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

func parse(t *testing.T, raw string) Decision {
	t.Helper()
	d, err := Parse([]byte(raw))
	require.NoError(t, err, raw)
	require.Equal(t, raw, string(d.Raw))
	return d
}

func text(s string) *string { return &s }

// every known action with the members that it may have.
func TestKnownActions(t *testing.T) {
	for _, c := range []struct {
		raw      string
		want     Decision
		approves bool
	}{
		{`{"action":"continue"}`, Decision{Action: Continue}, false},
		{`{"action":"approve_plan"}`, Decision{Action: ApprovePlan}, true},
		{`{"action":"approve_plan","feedback":"well\u0021"}`, Decision{Action: ApprovePlan, Feedback: text("well!")}, true},
		{`{"action":"approve_plan","feedback":null}`, Decision{Action: ApprovePlan}, true},
		{`{"feedback":"no","action":"reject_plan"}`, Decision{Action: RejectPlan, Feedback: text("no")}, false},
		{`{"action":"approve_tools"}`, Decision{Action: ApproveTools}, true},
		{`{"action":"approve_tools","remember":null}`, Decision{Action: ApproveTools}, true},
		{`{"action":"approve_tools","remember":[]}`, Decision{Action: ApproveTools, Remember: []string{}}, true},
		{`{"action":"approve_tools","remember":["bash","a:1"]}`, Decision{Action: ApproveTools, Remember: []string{"bash", "a:1"}}, true},
		{`{"action":"modify_tools","modifications":[{"x": 1},2]}`, Decision{Action: ModifyTools, Modifications: [][]byte{[]byte(`{"x": 1}`), []byte(`2`)}}, true},
		{`{"action":"reject_tools","feedback":""}`, Decision{Action: RejectTools, Feedback: text("")}, false},
		{`{"action":"pause"}`, Decision{Action: Pause}, false},
		{`{"action":"pause","reason":"later"}`, Decision{Action: Pause, Reason: text("later")}, false},
		{` { "action" : "abort", "who": {"a":[1]} } `, Decision{Action: Abort}, false},
		// A member of another action says nothing, whatever its form.
		{`{"action":"continue","remember":["bash"],"feedback":7}`, Decision{Action: Continue}, false},
	} {
		got := parse(t, c.raw)
		require.True(t, got.Known, c.raw)
		require.Equal(t, c.approves, got.Approves(), c.raw)
		c.want.Known, c.want.Raw = true, got.Raw
		require.Equal(t, c.want, got, c.raw)
	}
	require.Len(t, variants, 8)
}

// an action that is not known is kept byte for byte, and approves nothing,
// however it is spelt.
func TestUnknownActions(t *testing.T) {
	for _, raw := range []string{
		`{"action":"answer_question","answers":[1,{"b": 2.50}],"answered":true}`,
		`{"action":"approve","remember":["bash"]}`, `{"action":"approve_tools ","remember":["bash"]}`,
		`{"action":"Approve_Plan"}`, `{"action":"approve_all"}`, `{"action":"\u0430pprove_tools","x":1,"x":2}`, `{"action":"reject_plan2"}`,
	} {
		d := parse(t, raw)
		require.False(t, d.Known, raw)
		require.False(t, d.Approves(), raw)
		require.Nil(t, d.Remember, raw)
		require.Nil(t, d.Feedback, raw)
	}
	require.Equal(t, ApproveTools, parse(t, `{"\u0061ction":"approve\u005ftools"}`).Action, "the same text, spelt with escapes")
}

// a known action whose members have another form is refused, and so is what
// has no action. The fault names what was expected and what was found.
func TestRefusedDecisions(t *testing.T) {
	for raw, found := range map[string]string{
		``: "ends", `{`: "ends", `{"action":"continue"`: "ends", `{"action":"continue"} x`: "", "{\"action\":\"a\xff\"}": "",
		`"continue"`: "text", `["continue"]`: "a list", `null`: "null", `7`: "a number",
		`{}`: "nothing", `{"action":null}`: "null", `{"action":""}`: "empty text", `{"action":7}`: "a number", `{"action":["continue"]}`: "a list",
		`{"action":"\ud800"}`:                                         "half a character",
		`{"action":"reject_plan"}`:                                    "nothing",
		`{"action":"reject_plan","feedback":null}`:                    "null",
		`{"action":"approve_plan","feedback":7}`:                      "a number",
		`{"action":"reject_tools","feedback":{}}`:                     "an object",
		`{"action":"reject_tools","feedback":["no"]}`:                 "a list",
		`{"action":"approve_tools","remember":"bash"}`:                "text",
		`{"action":"approve_tools","remember":["bash",7]}`:            "a list of something else",
		`{"action":"approve_tools","remember":["\ud800"]}`:            "a list of something else",
		`{"action":"approve_tools","remember":{"0":"bash"}}`:          "an object",
		`{"action":"modify_tools"}`:                                   "nothing",
		`{"action":"modify_tools","modifications":{}}`:                "an object",
		`{"action":"pause","reason":false}`:                           "true or false",
		`{"action":"abort","action":"approve_tools"}`:                 "two of them",
		`{"action":"approve_tools","remember":[],"remember":["x"]}`:   "two of them",
		`{"action":"x","n":` + strings.Repeat("[", 600) + `}`:         "",
		`{"action":"reject_plan","feedback":"a","\u0066eedback":"b"}`: "two of them",
	} {
		d, err := Parse([]byte(raw))
		require.ErrorIs(t, err, fault.BadDecision, raw)
		require.ErrorContains(t, err, found, raw)
		require.Zero(t, d, raw)
	}
}

// What was sent stays what it was when the buffer that it came in is used again.
func TestDecisionKeepsItsOwnBytes(t *testing.T) {
	buffer := []byte(`{"action":"modify_tools","modifications":[{"x":1}]}`)
	d, err := Parse(buffer)
	require.NoError(t, err)
	for i := range buffer {
		buffer[i] = 'z'
	}
	require.Equal(t, `{"x":1}`, string(d.Modifications[0]))
}

// the name of the tool, and "tool:" with the canonical JSON of the input.
func TestKeys(t *testing.T) {
	for _, c := range []struct{ tool, input, want string }{
		{"bash", ` { "cmd" : "git status", "n": 1.0 } `, `bash:{"cmd":"git status","n":1}`},
		{"bash", `{"n":1e0,"cmd":"\u0067it status"}`, `bash:{"cmd":"git status","n":1}`},
		{"fs:read", `{"path":"/a"}`, `fs:read:{"path":"/a"}`},
		{"noop", `null`, `noop:null`},
		{"noop", `{}`, `noop:{}`},
		{"x:", `"a:1"`, `x::"a:1"`},
	} {
		keys, err := Keys(c.tool, []byte(c.input))
		require.NoError(t, err)
		require.Equal(t, [2]string{c.tool, c.want}, keys)
	}
}

// what has no keys of its own is refused. A tool that is called like a single
// call of another would turn a grant for that call into one for all of its own.
func TestCallsWithoutKeys(t *testing.T) {
	for _, c := range []struct{ tool, input string }{
		{"", `{}`}, {"b\xff", `{}`}, {"bash", ``}, {"bash", `{`}, {"bash", `{"a":1,"a":2}`}, {"bash", `9007199254740993`}, {"bash", `"\ud800"`},
		{`bash:{"cmd":"ls"}`, `{}`}, {"a:1", `{}`}, {`a:b:"c"`, `{}`}, {`a: [1] `, `{}`}, {`a:null`, `{}`}, {`::{}`, `1`},
	} {
		keys, err := Keys(c.tool, []byte(c.input))
		require.ErrorIs(t, err, fault.BadInput, "%q", c)
		require.Zero(t, keys)
	}
}

// FuzzKeys: two calls have a key in common only when they are the same call of the
// same tool, or one key is the name of that tool.
func FuzzKeys(f *testing.F) {
	f.Add("bash", `{"a":1}`, "bash", `{ "a": 1.0 }`)
	f.Add("a", `"b:1"`, `a:"b`, `1`)
	f.Add("a", `1`, "a:1", `2`)
	f.Fuzz(func(t *testing.T, tool, input, tool2, input2 string) {
		a, err := Keys(tool, []byte(input))
		b, err2 := Keys(tool2, []byte(input2))
		if err != nil || err2 != nil {
			return
		}
		require.NotEqual(t, a[0], b[1])
		require.NotEqual(t, a[1], b[0])
		require.Equal(t, tool == tool2, a[0] == b[0])
		if a[1] == b[1] {
			require.Equal(t, tool, tool2)
		}
	})
}

// FuzzParse: no text makes it panic, what is refused is a BadDecision, and what is
// read keeps its text and approves only under a name that says so.
func FuzzParse(f *testing.F) {
	for action := range variants {
		f.Add([]byte(`{"action":"` + action + `","feedback":"f","reason":"r","remember":["k"],"modifications":[{}]}`))
	}
	f.Add([]byte(`{"action":"other","x":1,"x":2}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := Parse(raw)
		if err != nil {
			require.ErrorIs(t, err, fault.BadDecision)
			require.Zero(t, d)
			return
		}
		require.Equal(t, string(raw), string(d.Raw))
		if d.Approves() {
			require.True(t, d.Known)
			require.Contains(t, []string{ApprovePlan, ApproveTools, ModifyTools}, d.Action)
		}
		if d.Remember != nil {
			require.Equal(t, ApproveTools, d.Action)
		}
	})
}
