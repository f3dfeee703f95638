package guardrail

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events/typed"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// answers is a guardrail that always answers the same.
func answers(name string, v Verdict) Guardrail {
	return Guardrail{Name: name, Check: func(context.Context, Context) (Verdict, error) { return v, nil }}
}

// appends is a guardrail that rewrites the text to itself and more.
func appends(name, more string) Guardrail {
	return Guardrail{Name: name, Check: func(_ context.Context, c Context) (Verdict, error) {
		return Verdict{Action: Rewrite, Output: c.Text + more, Reason: "more"}, nil
	}}
}

func never(t *testing.T) Guardrail {
	return Guardrail{Name: "never", Check: func(context.Context, Context) (Verdict, error) {
		t.Error("a guardrail ran behind a block")
		return Verdict{Action: Pass}, nil
	}}
}

var pass = Verdict{Action: Pass}

func user(text string) []byte { return []byte(`{"role":"user","content":"` + text + `"}`) }

// in the given order, each on what the one before left, to the first block.
func TestChain(t *testing.T) {
	for _, c := range []struct {
		name      string
		chain     Chain
		action    string
		text      string
		triggered []Triggered
	}{
		{"none", nil, Pass, "x", nil},
		{"R-412: a pass leaves no trace", Chain{answers("a", pass), answers("b", Verdict{Action: Pass, Reason: "fine", Output: "y"})}, Pass, "x", nil},
		{"rewrites follow each other", Chain{appends("a", "1"), answers("b", pass), appends("", "2")}, Rewrite, "x12",
			[]Triggered{{"t", Output, Rewrite, "a", "more"}, {"t", Output, Rewrite, "", "more"}}},
		{"the first block ends it", Chain{appends("a", "1"), answers("b", Verdict{Action: Block, Reason: "no"}), never(t)}, Block, "x1",
			[]Triggered{{"t", Output, Rewrite, "a", "more"}, {"t", Output, Block, "b", "no"}}},
		{"a block without a reason blocks", Chain{answers("a", Verdict{Action: Block}), never(t)}, Block, "x", []Triggered{{"t", Output, Block, "a", ""}}},
		{"R-413: an output that is rewritten to nothing", Chain{answers("a", Verdict{Action: Rewrite})}, Rewrite, "", []Triggered{{"t", Output, Rewrite, "a", ""}}},
	} {
		history := [][]byte{user("q")}
		r, err := c.chain.Output(t.Context(), Context{TurnID: "t", Text: "x", Messages: history})
		require.NoError(t, err, c.name)
		require.Equal(t, Result{Action: c.action, Text: c.text, Messages: history, Triggered: c.triggered}, r, c.name)
		require.Equal(t, c.action != Block, r.Passes(), c.name)
	}
}

// what fails, panics, ends without an answer, has no check or answers an
// action that is not known blocks, and nothing behind it runs.
func TestGuardrailsThatDoNotJudge(t *testing.T) {
	broken := errors.New("secret of the check")
	check := func(f func() (Verdict, error)) Guardrail {
		return Guardrail{Name: "g", Check: func(context.Context, Context) (Verdict, error) { return f() }}
	}
	for name, g := range map[string]Guardrail{
		"an error":             check(func() (Verdict, error) { return Verdict{}, broken }),
		"an error beside pass": check(func() (Verdict, error) { return pass, broken }),
		"an error and rewrite": check(func() (Verdict, error) { return Verdict{Action: Rewrite, Output: "y"}, broken }),
		"a panic":              check(func() (Verdict, error) { panic(broken) }),
		"a nil dereference":    check(func() (Verdict, error) { var v *Verdict; return *v, nil }),
		"an end":               check(func() (Verdict, error) { runtime.Goexit(); return pass, nil }),
		"no check":             {Name: "g"},
		"the zero verdict":     answers("g", Verdict{}),
		"an unknown action":    answers("g", Verdict{Action: "allow", Output: "y"}),
		"another case":         answers("g", Verdict{Action: "Pass"}),
	} {
		for stage, run := range map[Stage]func(Chain, context.Context, Context) (Result, error){Input: Chain.Input, Output: Chain.Output} {
			r, err := run(Chain{g, never(t)}, t.Context(), Context{TurnID: "t", Text: "x", Messages: [][]byte{user("x")}})
			require.NoError(t, err, name)
			require.Equal(t, Block, r.Action, name)
			require.False(t, r.Passes(), name)
			require.Error(t, r.Err, name)
			require.Equal(t, "x", r.Text, name)
			require.Equal(t, []Triggered{{"t", stage, Block, "g", failedReason}}, r.Triggered, name)
			require.NotContains(t, string(r.Triggered[0].AppendEvent(nil)), "secret", name)
		}
	}
}

// the event, as the typed decoder of the repository reads it.
func TestTheEvent(t *testing.T) {
	for _, c := range []struct {
		in   Triggered
		want string
	}{
		{Triggered{"t1", Input, Block, "secrets", "a key"}, `{"type":"guardrail_triggered","turnId":"t1","stage":"input","action":"block","guardrail":"secrets","reason":"a key"}`},
		{Triggered{"t1", Output, Rewrite, "", ""}, `{"type":"guardrail_triggered","turnId":"t1","stage":"output","action":"rewrite"}`},
	} {
		require.Equal(t, c.want, string(c.in.AppendEvent(nil)))
		var e typed.GuardrailTriggered
		require.NoError(t, e.UnmarshalJSON(append([]byte(`{"sessionId":"s1",`), c.in.AppendEvent(nil)[1:]...)))
		require.Equal(t, c.in.Stage.String(), string(e.Stage))
		require.Equal(t, c.in.Action, string(e.Action))
		require.Equal(t, c.in.Guardrail, e.Guardrail.Or(""))
		require.Equal(t, c.in.Reason, e.Reason.Or(""))
	}
	require.Equal(t, `{"type":"message_replaced","turnId":"t1","targetMessageId":"m1","content":{"role":"assistant"}}`,
		string(AppendReplaced(nil, "t1", "m1", []byte(`{"role":"assistant"}`))))
}

// a rewrite of the input replaces the text of the newest user message, and
// each guardrail sees it replaced.
func TestInputRewrite(t *testing.T) {
	given := [][]byte{user("old"), user("new"), []byte(`{"role":"assistant","content":"hm"}`)}
	var seen []string
	look := Guardrail{Check: func(_ context.Context, c Context) (Verdict, error) {
		seen = append(seen, c.Text, string(c.Messages[1]), c.SystemPrompt)
		return pass, nil
	}}
	r, err := Chain{look, appends("a", "er"), look}.Input(t.Context(), Context{TurnID: "t", Messages: given, SystemPrompt: "sys", Text: "not this"})
	require.NoError(t, err)
	require.Equal(t, Rewrite, r.Action)
	require.Equal(t, "newer", r.Text)
	require.Equal(t, [][]byte{user("old"), user("newer"), given[2]}, r.Messages)
	require.Equal(t, user("new"), given[1], "what was given stays")
	require.Equal(t, []string{"new", string(user("new")), "sys", "newer", string(user("newer")), "sys"}, seen)
}

// with nothing to replace, a rewrite of the input blocks; nothing is made up.
func TestInputRewriteOfNothing(t *testing.T) {
	for _, messages := range [][][]byte{nil, {[]byte(`{"role":"assistant","content":"x"}`)}, {[]byte(`{"role":"user"}`)}, {[]byte(`{"role":"user","content":7}`)}, {[]byte(`{"role":"user","content":{"text":"x"}}`)}} {
		r, err := Chain{appends("a", "1"), never(t)}.Input(t.Context(), Context{Messages: messages})
		require.NoError(t, err)
		require.Equal(t, Block, r.Action)
		require.Error(t, r.Err)
		require.Equal(t, messages, r.Messages)
		r, err = Chain{answers("a", pass)}.Input(t.Context(), Context{Messages: messages})
		require.NoError(t, err)
		require.True(t, r.Passes())
	}
}

// What could be judged as one text and sent as another is refused before anything
// is judged.
func TestMessagesThatAreNone(t *testing.T) {
	for _, bad := range []string{``, `{`, `7`, `[]`, `"x"`, `{"role":"user","content":"a"} x`,
		`{"role":"user","content":"a","content":"b"}`, `{"role":"user","role":"assistant","content":"a"}`, `{"role":"user","content":"a","c\u006fntent":"b"}`,
		`{"role":"user","content":[{"type":"text","text":"a","text":"b"}]}`, `{"role":"user","content":[7]}`} {
		r, err := Chain{never(t)}.Input(t.Context(), Context{Messages: [][]byte{[]byte(bad)}})
		require.ErrorIs(t, err, fault.BadInput, bad)
		require.Zero(t, r, bad)
		require.False(t, r.Passes())
		_, err = WithText([]byte(bad), "x")
		require.ErrorIs(t, err, fault.BadInput, bad)
		_, err = TextOf([]byte(bad))
		require.ErrorIs(t, err, fault.BadInput, bad)
	}
}

func TestTexts(t *testing.T) {
	for _, c := range []struct{ message, text, replaced string }{
		{`{"role":"user","content":"a\u0062"}`, "ab", `{"role":"user","content":"N\""}`},
		{` { "content" : "" , "x":1.50, "role":"user"}`, "", ` { "content" : "N\"" , "x":1.50, "role":"user"}`},
		{`{"content":[]}`, "", `{"content":[{"type":"text","text":"N\""}]}`},
		{`{"content":[{"type":"image","n":1.0},{"type":"text","text":"a","y":1}, {"type":"image"} ,{"text":"b","type":"text"}]}`, "ab",
			`{"content":[{"type":"image","n":1.0},{"type":"text","text":"N\""},{"type":"image"}]}`},
		{`{"content":[{"type":"image"}]}`, "", `{"content":[{"type":"text","text":"N\""},{"type":"image"}]}`},
		{`{"content":["a",{"type":"text"},"b"]}`, "ab", `{"content":[{"type":"text","text":"N\""}]}`},
		{`{"content":[{"type":"thinking","text":"no"}]}`, "", `{"content":[{"type":"text","text":"N\""},{"type":"thinking","text":"no"}]}`},
	} {
		got, err := TextOf([]byte(c.message))
		require.NoError(t, err)
		require.Equal(t, c.text, got, c.message)
		replaced, err := WithText([]byte(c.message), `N"`)
		require.NoError(t, err)
		require.Equal(t, c.replaced, string(replaced))
		got, err = TextOf(replaced)
		require.NoError(t, err)
		require.Equal(t, `N"`, got)
	}
}

// When its context ends the chain breaks off at once, also under a check that does
// not heed it, and lets nothing pass.
func TestCancellation(t *testing.T) {
	over := errors.New("the user left")
	forever := make(chan struct{})
	t.Cleanup(func() { close(forever) })
	for name, check := range map[string]func(context.Context, context.CancelCauseFunc) (Verdict, error){
		"a check that heeds it": func(ctx context.Context, stop context.CancelCauseFunc) (Verdict, error) {
			stop(over)
			<-ctx.Done()
			return Verdict{}, ctx.Err()
		},
		"one that does not": func(_ context.Context, stop context.CancelCauseFunc) (Verdict, error) {
			stop(over)
			<-forever
			return pass, nil
		},
		"one that passes all alike": func(_ context.Context, stop context.CancelCauseFunc) (Verdict, error) { stop(over); return pass, nil },
	} {
		ctx, stop := context.WithCancelCause(t.Context())
		g := Guardrail{Check: func(ctx context.Context, _ Context) (Verdict, error) { return check(ctx, stop) }}
		r, err := Chain{appends("a", "1"), g, never(t)}.Output(ctx, Context{Text: "x"})
		require.ErrorIs(t, err, over, name)
		require.Zero(t, r, name)
		require.False(t, r.Passes(), name)
	}
	ctx, stop := context.WithCancelCause(t.Context())
	stop(over)
	for _, c := range []Chain{nil, {never(t)}} {
		r, err := c.Input(ctx, Context{})
		require.ErrorIs(t, err, over)
		require.Zero(t, r)
	}
}

// A guardrail is shown a copy: nothing but its verdict changes anything.
func TestGuardrailIsShownACopy(t *testing.T) {
	meddles := Guardrail{Check: func(_ context.Context, c Context) (Verdict, error) {
		c.Text, c.TurnID, c.Messages[0] = "other", "other", user("other")
		return pass, nil
	}}
	r, err := Chain{meddles, appends("a", "1")}.Input(t.Context(), Context{TurnID: "t", Messages: [][]byte{user("x")}})
	require.NoError(t, err)
	require.Equal(t, "x1", r.Text)
	require.Equal(t, "t", r.Triggered[0].TurnID)
	require.Equal(t, [][]byte{user("x1")}, r.Messages)
}

// FuzzWithText: no message makes it panic; a text that was put in is the text that
// comes out, and the rest still reads.
func FuzzWithText(f *testing.F) {
	f.Add([]byte(`{"role":"user","content":[{"type":"text","text":"a"},"b",{"type":"x"}]}`), "n")
	f.Add([]byte(`{"content":"a"}`), "\xff")
	f.Add([]byte(`{"content":"a","content":"b"}`), "")
	f.Fuzz(func(t *testing.T, message []byte, text string) {
		said, err := WithText(message, text)
		if err != nil {
			require.ErrorIs(t, err, fault.BadInput)
			return
		}
		got, err := TextOf(said)
		require.NoError(t, err)
		again, err := WithText(said, got)
		require.NoError(t, err)
		require.Equal(t, string(said), string(again))
	})
}
