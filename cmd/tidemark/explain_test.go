package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

func TestExplainPrintsRules(t *testing.T) {
	code, out, _ := invoke("explain", "stream.gap.hole")
	assert.Equal(t, exitOK, code)
	assert.Contains(t, out, fault.RuleOf(fault.GapHole).Message)

	code, out, _ = invoke("explain")
	assert.Equal(t, exitOK, code)
	for r := range fault.All() {
		assert.Contains(t, out, r.Name+"\n")
	}

	code, out, errs := invoke("explain", "mood")
	assert.Equal(t, exitUsage, code)
	assert.Empty(t, out)
	assert.Contains(t, errs, "tidemark explain: there is no rule “mood”")
}
