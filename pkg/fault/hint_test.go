package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

func TestHintOf(t *testing.T) {
	hint := fault.WithHint
	tests := []struct {
		name string
		v    any
		want string
	}{
		{"none", io.EOF, ""},
		{"attached", hint(io.EOF, "a"), "a"},
		{"found along the chain", fmt.Errorf("x: %w", hint(io.EOF, "a")), "a"},
		{"found in a branch", errors.Join(io.ErrNoProgress, hint(io.EOF, "a")), "a"},
		{"outermost wins", hint(fmt.Errorf("x: %w", hint(io.EOF, "a")), "b"), "b"},
		{"empty is none", hint(io.EOF, ""), ""},
		{"empty takes the former away", hint(hint(io.EOF, "a"), ""), ""},
		{"blank counts", hint(io.EOF, " "), " "},
		{"through a cause", fault.Coded(fault.CodeToolError, "m").WithCause(hint(io.EOF, "a")), "a"},
		{"object", fault.Value{Object: true}.WithHint("a"), "a"},
		{"object, replaced", fault.Value{Object: true}.WithHint("a").WithHint("b"), "b"},
		{"object, taken away", fault.Value{Object: true}.WithHint("a").WithHint(""), ""},
		{"primitive", fault.Value{Text: "x"}.WithHint("a"), ""},
		{"no error", "x", ""},
		{"nil", nil, ""},
		{"broken chain", hint(panics{}, "a"), "a"},
		{"broken chain, none", panics{}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, fault.HintOf(tt.v))
			got, ok := fault.Explain(tt.v)
			assert.Equal(t, tt.want != "", ok)
			assert.Equal(t, tt.want, got.Hint)
		})
	}
}

func TestHintChangesNothingElse(t *testing.T) {
	assert.NoError(t, fault.WithHint(nil, "a"))
	assert.NoError(t, fault.WithName(nil, "a"))
	p := &fault.ProviderError{Code: "auth", Message: "m"}
	err := fault.WithHint(p, "a")
	assert.Equal(t, "m", err.Error())
	assert.ErrorIs(t, err, p)
	assert.Equal(t, fault.Normalize(p), fault.Normalize(err))
}

func TestNameIsAFactOnly(t *testing.T) {
	err := fault.WithName(io.EOF, "TypeError")
	assert.Equal(t, "EOF", err.Error())
	assert.ErrorIs(t, err, io.EOF)
	assert.Equal(t, "TypeError", fault.FactsOf(fault.WithHint(err, "a")).Name)
	assert.Equal(t, "Set", fault.FactsOf(fault.Value{Name: "Set"}).Name)
	_, ok := fault.Explain(err)
	assert.False(t, ok)
}
