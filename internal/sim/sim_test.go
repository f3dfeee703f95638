package sim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/sim"
)

// fixed is how many seeds every run of the tests plays, from 1 on.
const fixed = 20_000

// No seed breaks a rule. More of them: make sim.
func TestWorlds(t *testing.T) {
	for seed := range uint64(fixed) {
		if f := sim.Run(seed + 1); f != nil {
			t.Fatal(f)
		}
	}
}

// A world is its seed: played twice it is the same, step by step.
func TestSameSeedSameWorld(t *testing.T) {
	for seed := range uint64(300) {
		first, second := sim.Story(seed), sim.Story(seed)
		require.NotEmpty(t, first)
		require.Equal(t, strings.Join(first, "\n"), strings.Join(second, "\n"), "seed %d", seed)
	}
}

// FuzzWorlds looks for seeds that nobody has thought of.
func FuzzWorlds(f *testing.F) {
	f.Add(uint64(1) << 40)
	f.Fuzz(func(t *testing.T, seed uint64) {
		if failure := sim.Run(seed); failure != nil {
			t.Fatal(failure)
		}
	})
}
