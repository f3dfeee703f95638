package fault_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

func TestOwnRules(t *testing.T) {
	late := fault.Rule{Name: "app.late", Message: "M.", Hint: "H.", Match: &fault.Match{
		Any: []fault.Condition{{Code: "not_found"}, {StatusMin: 500}},
	}}
	where := fault.Rule{Name: "app.disk", Match: &fault.Match{
		Where: func(f *fault.Facts) bool { return f.Kind == fault.KindCoded },
	}}
	missing := fault.Coded(fault.CodeNotFound, "m")
	id := func(v any, rules ...fault.Rule) string { e, _ := fault.Explain(v, rules...); return e.ID }

	assert.Equal(t, "app.late", id(missing, late, where), "first match wins")
	assert.Equal(t, "app.disk", id(missing, where, late))
	assert.Equal(t, "app.late", id(missing.WithDetails(`{"status":500}`), late), "without ProviderOnly any status counts")
	assert.Empty(t, id(&fault.ProviderError{Code: "auth"}, late), "a list of one's own replaces the catalog")
	assert.Equal(t, "provider.auth", id(&fault.ProviderError{Code: "auth"}, append(fault.DefaultRules(), late)...))
	assert.Equal(t, "stream.gap", id(fault.Gap))
	assert.Empty(t, id(fault.Gap, []fault.Rule{}...), "an empty list explains nothing")
	assert.Empty(t, id("text", fault.Rule{Name: "app.none", Match: &fault.Match{Any: []fault.Condition{{}}}}), "an empty condition never holds")
	assert.Empty(t, id(fault.ID(999), fault.Rule{Name: "app.zero"}))
}

func TestDefaultRulesAreACopy(t *testing.T) {
	rules := fault.DefaultRules()
	require.Equal(t, "hint.from_throw_site", rules[0].Name)
	require.Equal(t, "provider.auth", rules[2].Name)
	rules[2].Match.Any[0].Code = "changed"
	rules[2].Message = "changed"
	assert.Equal(t, "auth", fault.DefaultRules()[2].Match.Any[0].Code)
	assert.NotEqual(t, "changed", fault.DefaultRules()[2].Message)
}

func TestExplanationJSON(t *testing.T) {
	e := fault.Explanation{ID: "a.b", Message: "\"m\"", Hint: "h"}
	assert.Equal(t, `{"id":"a.b","message":"\"m\"","hint":"h"}`, string(e.AppendJSON(nil)))
}
