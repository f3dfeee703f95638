package sim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/sim"
)

// shown is what some world has to come to among the first few thousand; else a
// property holds because nothing happens.
var shown = []string{
	"gets a refusal of s1: cursor_ahead",
	"gets a refusal of s1: generation_changed ",
	"gets a refusal of s1: generation_changed event_generation",
	"gets a refusal of s1: generation_changed stale_generation",
	"gets a refusal of s1: generation_changed history_changed",
	"gets a refusal of s1: gap hole",
	"gets a refusal of s1: gap pruned",
	"gets a refusal of s1: gap short",
	"gets a refusal of s1: gap bad_event",
	"gets a refusal of s1: gap foreign_session",
	"gets a refusal of s1: gap http_status",
	"gets a refusal of s1: gap unproven",
	"gets the end of s1, terminal",
	"gets the end of s1, server",
	"gets the end of s1, incomplete",
	"gets the end of s1, closed",
	"gets the end of s1, failed",
	"gets a fault: stream.load_loop",
	"gets a fault: stream.load_failed",
	"gets a fault: stream.foreign_session",
	"gets a fault: stream.unauthorized",
	"gets a fault: stream.content_type",
	"gets a fault: stream.http_status",
	"gets a fault: stream.invalid_head",
	"gets a restart of s1",
	"gets live of s1 at 5, exact",
	"gets live of s1 at 5, contiguous",
	"asks for a load of s1, first",
	"asks for a load of s1, rebuilt",
	"asks for new credentials",
	"the module dies",
	"crashes and begins again",
	"goes on in the replaced log",
	"unavailable generation_changed event_generation",
	"unavailable cursor_ahead",
	"unavailable gap empty",
	"unavailable gap pruned",
	"unavailable gap hole",
	"unavailable gap short",
	"unavailable gap duplicate",
	"unavailable gap disorder",
	"unavailable gap not_above_cursor",
	"unavailable gap bad_event",
	"unavailable gap foreign_session",
}

// showing is how many worlds have to be enough for that.
const showing = 12_000

func TestWorldsShow(t *testing.T) {
	missing := append([]string(nil), shown...)
	for seed := uint64(1); seed <= showing && len(missing) > 0; seed++ {
		text := strings.Join(sim.Story(seed), "\n")
		rest := missing[:0]
		for _, what := range missing {
			if !strings.Contains(text, what) {
				rest = append(rest, what)
			}
		}
		missing = rest
	}
	require.Empty(t, missing)
}

func TestFailureTells(t *testing.T) {
	f := &sim.Failure{Seed: 7, What: "a rule was broken", Story: []string{"first", "second", "third"}}
	require.Equal(t, "world 7\nsecond\nthird\n\n  a rule was broken\n\nrun it again: go run ./internal/sim/cmd/sim -from 7 -seeds 1\n", f.Tell(2))
	require.Contains(t, f.String(), "first\nsecond\nthird")
}
