package events

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A stream that numbers from 0 has the same places, one lower on the wire.
func TestScanBaseZero(t *testing.T) {
	s := NewScanner(SessionMembers)
	s.SetBase(0)
	for text, want := range map[string]Seq{
		`{"seq":0}`: 1, `{"seq":7}`: 8, `{}`: 0, `{"seq":null}`: 0, `{"seq":9007199254740990}`: MaxSeq,
	} {
		var e Envelope
		assert.Equal(t, NoProblem, s.Scan([]byte(text), &e), text)
		assert.Equal(t, want, e.Seq, text)
	}
	var e Envelope
	assert.Equal(t, BadSeq, s.Scan([]byte(`{"seq":9007199254740991}`), &e), "one beyond the largest seq")
	assert.Equal(t, BadSeq, s.Scan([]byte(`{"seq":-1}`), &e))
}
