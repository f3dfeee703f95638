package check_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tidemark-stream/tidemark/pkg/check"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

func TestEveryKind(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range check.Kinds() {
		assert.Regexp(t, regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`), k.String())
		assert.False(t, seen[k.String()], "%s stands twice", k)
		seen[k.String()] = true
		assert.NotEmpty(t, k.Severity().String(), k.String())
		assert.NotEmpty(t, k.About(), k.String())
		rule := fault.RuleOf(k.Rule())
		_, known := fault.Lookup(rule.Name)
		assert.True(t, known, "%s has no rule", k)
		assert.NotEmpty(t, rule.Hint, k.String())
	}
	assert.Len(t, seen, 31)
	for _, k := range []check.Kind{check.NoKind, 200} {
		assert.Empty(t, k.String())
		assert.Empty(t, k.About())
		assert.Zero(t, k.Severity())
		assert.Zero(t, k.Rule())
	}
	assert.Empty(t, check.Severity(9).String())
}

func TestFormatsByName(t *testing.T) {
	for _, f := range []check.Format{check.Auto, check.JSONL, check.SSE, check.HAR} {
		back, ok := check.ParseFormat(f.String())
		assert.True(t, ok)
		assert.Equal(t, f, back)
	}
	_, ok := check.ParseFormat("xml")
	assert.False(t, ok)
	assert.Empty(t, check.Format(9).String())
}
