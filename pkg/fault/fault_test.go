package fault_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

func TestFaultIsAndAs(t *testing.T) {
	f := fault.New(fault.InvalidCursor, "a", "b")
	f.Err = io.ErrUnexpectedEOF
	err := fmt.Errorf("open: %w", f)
	assert.ErrorIs(t, err, fault.InvalidCursor)
	assert.ErrorIs(t, err, fault.New(fault.InvalidCursor, "", ""))
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.NotErrorIs(t, err, fault.InvalidHead)
	assert.NotErrorIs(t, err, fault.New(fault.InvalidHead, "a", "b"))
	assert.NotErrorIs(t, err, fault.CodeInvalidConfig, "a code is not a rule")
	var got *fault.Fault
	require.True(t, errors.As(err, &got))
	assert.Same(t, f, got)
}

func TestFaultError(t *testing.T) {
	base := fault.InvalidCursor.Error()
	require.Equal(t, "stream.invalid_cursor: The cursor cannot be read", base)
	tests := []struct {
		name string
		f    fault.Fault
		want string
	}{
		{"bare", fault.Fault{Offset: -1}, ""},
		{"zero offset is a place", fault.Fault{}, " (at byte 0)"},
		{"all", fault.Fault{Session: "s", Expected: "x", Found: "y", Offset: 7, Err: io.EOF},
			" (expected x, found y, at byte 7, session s, because EOF)"},
		{"one line", fault.Fault{Found: "a\n\x1b[0m\u2028\u202e\xff\x7f", Offset: -1},
			` (found a\x0a\x1b[0m\xe2\x80\xa8\xe2\x80\xae\xff\x7f)`},
		{"text of people stays", fault.Fault{Found: "größe 水 �", Offset: -1}, " (found größe 水 �)"},
		{"cause that panics", fault.Fault{Offset: -1, Err: panics{}}, " (because a value whose text could not be read)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.f.ID = fault.InvalidCursor
			assert.Equal(t, base+tt.want, tt.f.Error())
		})
	}
	long := fault.New(fault.BadInput, "", strings.Repeat("x", 5000)).Error()
	assert.Less(t, len(long), 400)
	assert.Contains(t, long, "x…)")
}

func TestFaultJSON(t *testing.T) {
	f := fault.New(fault.GapHole, "5", "7")
	f.Session, f.Offset = "s:1", 0
	var got map[string]any
	require.NoError(t, json.Unmarshal(f.AppendJSON(nil), &got))
	rule := f.Rule()
	assert.Equal(t, map[string]any{
		"id": float64(fault.GapHole), "rule": "stream.gap.hole", "code": "storage_error", "retryable": false, "message": rule.Message, "hint": rule.Hint,
		"href": "docs/faults.md#stream-gap-hole", "expected": "5", "found": "7", "session": "s:1", "offset": 0.0,
	}, got)
	require.NoError(t, json.Unmarshal(fault.New(fault.Gap, "", "").AppendJSON(nil), &got))
}

func TestFaultNormal(t *testing.T) {
	f := fault.New(fault.LogDamaged, "a record", "\"quoted\"")
	f.Session, f.Offset = "s", 12
	got := fault.Normalize(fmt.Errorf("reading: %w", f))
	assert.Equal(t, fault.PlatformError{
		Code: "storage_error", Message: f.Error(),
		Details: `{"rule":"stream.log_damaged","expected":"a record","found":"\"quoted\"","session":"s","offset":12}`,
	}, got, "a log that is damaged stays so: the rule's verdict, not that of its code")
	assert.True(t, fault.Normalize(fault.ConnectionLost).Retryable)
}

func TestNilPointersAreHarmless(t *testing.T) {
	for _, err := range []error{(*fault.Fault)(nil), (*fault.Error)(nil), (*fault.ProviderError)(nil)} {
		assert.Equal(t, "nil", err.Error())
		assert.Nil(t, errors.Unwrap(err))
		assert.NotErrorIs(t, err, fault.Gap)
		assert.NotErrorIs(t, err, fault.CodeUnknown)
		assert.NotErrorIs(t, err, fault.New(fault.Gap, "", ""))
		assert.Equal(t, fault.KindError, fault.FactsOf(err).Kind)
		assert.Equal(t, fault.PlatformError{Code: "unknown", Message: "nil"}, fault.Normalize(err))
		_, ok := fault.Explain(err)
		assert.False(t, ok)
	}
	assert.NotErrorIs(t, fault.New(fault.Gap, "", ""), (*fault.Fault)(nil))
}

// panics is an error and a value whose own methods break.
type panics struct{}

func (panics) Error() string  { panic("no text") }
func (panics) Unwrap() error  { panic("no cause") }
func (panics) String() string { panic("no text either") }
