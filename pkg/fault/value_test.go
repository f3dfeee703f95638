package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

type stringer struct{}

func (stringer) String() string { return "from String" }

// loop unwraps to itself.
type loop struct{}

func (l loop) Error() string { return "loop" }
func (l loop) Unwrap() error { return l }

// bush unwraps to itself, twice.
type bush struct{}

func (b bush) Error() string   { return "bush" }
func (b bush) Unwrap() []error { return []error{b, b} }

func TestNormalizeAnything(t *testing.T) {
	const broken = "a value whose text could not be read"
	tests := []struct {
		name string
		v    any
		want string
	}{
		{"nil", nil, "nil"},
		{"text", "t", "t"},
		{"empty text", "", ""},
		{"bool", true, "true"},
		{"int", -7, "-7"},
		{"int8", int8(-8), "-8"},
		{"int16", int16(-9), "-9"},
		{"int32", int32(-10), "-10"},
		{"int64", int64(-1 << 63), "-9223372036854775808"},
		{"uint", uint(7), "7"},
		{"uint8", uint8(8), "8"},
		{"uint16", uint16(9), "9"},
		{"uint32", uint32(10), "10"},
		{"uint64", uint64(1<<64 - 1), "18446744073709551615"},
		{"float64", 42.5, "42.5"},
		{"float32", float32(0.1), "0.1"},
		{"stringer", stringer{}, "from String"},
		{"value", fault.Value{Text: "[object Object]", Object: true}, "[object Object]"},
		{"no text", struct{ x int }{1}, "a value without a text form"},
		{"func", func() {}, "a value without a text form"},
		{"error", io.EOF, "EOF"},
		{"joined", errors.Join(io.EOF, io.ErrNoProgress), "EOF\nmultiple Read calls return no data or error"},
		{"panics", panics{}, broken},
		{"nil stringer", (*panicsOnNil)(nil), broken},
		{"endless chain", loop{}, "loop"},
		{"endless tree", bush{}, "bush"},
		{"hinted and panics", fault.WithHint(panics{}, "h"), broken},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, fault.PlatformError{Code: "unknown", Message: tt.want}, fault.Normalize(tt.v))
			assert.Equal(t, tt.want, fault.FactsOf(tt.v).Message)
		})
	}
}

type panicsOnNil struct{ text string }

func (p *panicsOnNil) String() string { return p.text }

func TestNormalizeCodeAlone(t *testing.T) {
	got := fault.Normalize(fault.CodeStorageError)
	assert.Equal(t, "storage_error", got.Code)
	assert.True(t, got.Retryable)
	assert.Equal(t, "Durable state could not be read or written", got.Message)
	assert.Equal(t, "storage_error", fmt.Sprint(fault.CodeStorageError))
}
