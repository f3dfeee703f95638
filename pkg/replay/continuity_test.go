package replay_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

func promising(t *testing.T, text string) *profile.Profile {
	p, err := profile.Parse([]byte(text))
	require.NoError(t, err)
	return p
}

// What is owed goes by what the numbers promise: the same cursor,
// head and page on a stream of each kind. "4 from 3 to s1:9" is a replay, "to s1:9"
// a complete one, a detail a gap.
func TestContinuity(t *testing.T) {
	kinds := []*profile.Profile{
		promising(t, `{}`), promising(t, `{"continuity":"monotonic"}`),
		promising(t, `{"continuity":"opaque"}`), promising(t, `{"continuity":"counted","position":"counted"}`),
	}
	for name, c := range map[string]struct {
		cursor string
		head   replay.Head
		page   string
		more   bool
		want   [4]string // contiguous, monotonic, opaque, counted
	}{
		"one after the other":     {"s1:3", replay.Head{LastSeq: 5}, "4 5", false, [4]string{"2 from 4 to s1:5", "2 from 4 to s1:5", "2 from 4 to s1:5", "2 from 4 to s1:5"}},
		"a hole":                  {"s1:3", replay.Head{LastSeq: 7}, "4 7", false, [4]string{"hole", "2 from 4 to s1:7", "2 from 4 to s1:7", "2 from 4 to s1:5"}},
		"the front is gone":       {"s1:3", replay.Head{LastSeq: 7}, "6 7", false, [4]string{"pruned", "2 from 6 to s1:7", "2 from 6 to s1:7", "2 from 4 to s1:5"}},
		"and the head says so":    {"s1:3", replay.Head{LastSeq: 7, OldestSeq: 6}, "6 7", false, [4]string{"pruned", "2 from 6 to s1:7", "2 from 6 to s1:7", "2 from 4 to s1:5"}},
		"it ends below the head":  {"s1:3", replay.Head{LastSeq: 9}, "4 5", false, [4]string{"short", "2 from 4 to s1:5", "2 from 4 to s1:5", "2 from 4 to s1:5"}},
		"a double":                {"s1:3", replay.Head{LastSeq: 5}, "4 4 5", false, [4]string{"duplicate", "duplicate", "3 from 4 to s1:5", "3 from 4 to s1:6"}},
		"disorder":                {"s1:3", replay.Head{LastSeq: 9}, "5 9 6", false, [4]string{"pruned", "disorder", "3 from 5 to s1:6", "3 from 4 to s1:6"}},
		"not above the cursor":    {"s1:3", replay.Head{LastSeq: 9}, "3 9", false, [4]string{"not_above_cursor", "not_above_cursor", "2 from 3 to s1:9", "2 from 4 to s1:5"}},
		"empty":                   {"s1:3", replay.Head{LastSeq: 9}, "", false, [4]string{"empty", "to s1:3", "to s1:3", "to s1:3"}},
		"empty and pruned":        {"s1:3", replay.Head{LastSeq: 9, OldestSeq: 6}, "", false, [4]string{"pruned", "to s1:3", "to s1:3", "to s1:3"}},
		"empty, with more":        {"s1:3", replay.Head{LastSeq: 9}, "", true, [4]string{"empty", "empty", "empty", "empty"}},
		"more":                    {"s1:3", replay.Head{LastSeq: 9}, "4 5", true, [4]string{"2 from 4 to s1:5", "2 from 4 to s1:5", "2 from 4 to s1:5", "2 from 4 to s1:5"}},
		"at the head":             {"s1:3", replay.Head{LastSeq: 3}, "4", false, [4]string{"to s1:3", "to s1:3", "1 from 4 to s1:4", "1 from 4 to s1:4"}},
		"ahead of the head":       {"s1:7", replay.Head{LastSeq: 3}, "2", false, [4]string{"cursor_ahead", "cursor_ahead", "1 from 2 to s1:2", "1 from 8 to s1:8"}},
		"ahead, and empty":        {"s1:7", replay.Head{LastSeq: 3}, "", false, [4]string{"cursor_ahead", "cursor_ahead", "to s1:7", "to s1:7"}},
		"another generation":      {"s1:3@1", replay.Head{LastSeq: 9, Generation: "2"}, "4", false, [4]string{"generation_changed", "generation_changed", "generation_changed", "generation_changed"}},
		"another one on an event": {"s1:3@1", replay.Head{LastSeq: 4, Generation: "1"}, "4@2", false, [4]string{"event_generation", "event_generation", "event_generation", "event_generation"}},
		"above the head":          {"s1:3", replay.Head{LastSeq: 4, Generation: "2"}, "4@1 5@1", false, [4]string{"event_generation", "event_generation", "2 from 4 to s1:5@2", "2 from 4 to s1:5@2"}},
		"the head's generation":   {"s1:3", replay.Head{LastSeq: 9, Generation: "2"}, "", false, [4]string{"empty", "to s1:3@2", "to s1:3@2", "to s1:3@2"}},
		"another session":         {"s1:3", replay.Head{LastSeq: 4}, "x:4", false, [4]string{"foreign_session", "foreign_session", "foreign_session", "foreign_session"}},
		"no event":                {"s1:3", replay.Head{LastSeq: 4}, "!", false, [4]string{"bad_event", "bad_event", "bad_event", "bad_event"}},
		"not recorded":            {"s1:3", replay.Head{LastSeq: 4}, "-", false, [4]string{"bad_event", "bad_event", "bad_event", "1 from 4 to s1:4"}},
	} {
		t.Run(name, func(t *testing.T) {
			for i, p := range kinds {
				v := replay.Resolve(p, at(c.cursor), c.head, scanned(p, list(c.page)), c.more)
				require.Equal(t, c.want[i], short(&v), "continuity %d", p.Continuity)
			}
		})
	}
}

// short is a verdict in a few words.
func short(v *replay.Verdict) string {
	switch {
	case v.Outcome == replay.Complete:
		return "to " + v.Next.Token(1)
	case v.Outcome == replay.Replayed:
		return fmt.Sprintf("%d from %d to %s", v.Count, v.From, v.Next.Token(1))
	case v.Refusal.Detail == fault.NoDetail:
		return v.Refusal.Reason.String()
	}
	return v.Refusal.Detail.String()
}
