package demo

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/client"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// follow opens the session and reads up to the end of its replay.
func (w *world) follow(p link.Proof) *client.Stream {
	s, err := client.Open(w.t.Context(), "http://"+w.host+w.v1("events"), client.Options{Proof: p})
	require.NoError(w.t, err)
	w.t.Cleanup(func() { _ = s.Close() }) // it has been read as far as it matters
	for {
		if live, ok := next(w.t, s).(client.Live); ok {
			require.Equal(w.t, profile.StrengthContiguous, live.Strength, "nothing was continued yet")
			return s
		}
	}
}

// next is the next item that is no draft.
func next(t *testing.T, s *client.Stream) client.Item {
	for {
		item, err := s.Next(t.Context())
		require.NoError(t, err)
		switch item.(type) {
		case client.Draft, client.Restart:
			continue
		}
		return item
	}
}

// afterReplace is what comes first of a log without generations that was replaced.
func afterReplace(t *testing.T, p link.Proof) (client.Item, Report) {
	w := newBareWorld(t)
	s := w.follow(p)
	r := w.fault("replace")
	return next(t, s), r
}

// a log that was lost and is longer than before connects by number and is
// refused by what it says.
func TestAReplacedLogIsRefused(t *testing.T) {
	item, r := afterReplace(t, link.ProofByProfile)
	refused, ok := item.(client.Refused)
	require.True(t, ok)
	require.ErrorIs(t, refused, fault.HistoryChanged)
	e := refused.Refusal.Evidence
	seen := r.Positions.SeenSeq
	require.Equal(t, []events.Seq{seen, seen, seen, r.Positions.LastSeq}, []events.Seq{e.ExpectedSeq, e.ReceivedSeq, e.SavedSeq, e.LastSeq})
}

// Without the proof the two logs are spliced, as they are on the plain route.
func TestAReplacedLogIsSplicedWithoutProof(t *testing.T) {
	item, r := afterReplace(t, link.Off)
	event, ok := item.(client.Event)
	require.True(t, ok)
	require.Equal(t, int64(r.Positions.SeenSeq)+1, event.Seq)
}

// an honest log that was cut is continued, and that is proven.
func TestACutLogIsProven(t *testing.T) {
	w := newBareWorld(t)
	s := w.follow(link.Require)
	r := w.fault("cut")
	for seq := int64(r.Positions.SeenSeq) + 1; ; seq++ {
		item := next(t, s)
		if live, ok := item.(client.Live); ok {
			require.Equal(t, profile.StrengthExact, live.Strength)
			return
		}
		require.Equal(t, seq, item.(client.Event).Seq)
	}
}
