package cursor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// a head without a generation fences nothing; the first live event that
// has one does, so that a later takeover is refused.
func TestAFenceAfterAnUnfencedHead(t *testing.T) {
	tracker := started(cursor.Cursor{Session: "s", Seq: 1})
	tracker.Begin("", 1)
	tracker.Settle()
	see := func(seq events.Seq, generation string) cursor.Verdict {
		return verdict(&tracker, &events.Envelope{Seq: seq, Generation: []byte(generation)})
	}
	require.Equal(t, cursor.Accept, see(2, "1"))
	require.Equal(t, cursor.Cursor{Session: "s", Seq: 2, Generation: "1"}, *tracker.Place())
	require.Equal(t, cursor.GenerationChanged, see(3, "2"))
}
