package checkpoint_test

import (
	"crypto/sha256"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
)

// h(0) is 32 zero bytes, h(n) is the digest of h(n-1) and record n.
func TestChain(t *testing.T) {
	var c checkpoint.Chain
	require.Equal(t, strings.Repeat("0", 64), c.Sum().String())
	var h [32]byte
	for i, record := range []string{"a", "", "c c"} {
		c.Add([]byte(record))
		h = sha256.Sum256(append(h[:], record...))
		require.Equal(t, checkpoint.Sum(h), c.Sum())
		require.Equal(t, seqOf(i+1), c.Seq())
	}
	require.Equal(t, "f0ef2a6c690541eb69188cd30196d99ddcb31760f111dfbd351d7289aadfef35", c.Sum().String())
}

// stopped anywhere and gone on with, the end is the same.
func TestAChainGoesOnFromAnyState(t *testing.T) {
	lines, _ := committed()
	want := chained(lines)
	for at := range len(lines) + 1 {
		stopped := chained(lines[:at])
		sum, ok := checkpoint.ParseSum(stopped.Sum().String())
		require.True(t, ok)
		c := checkpoint.Resume(stopped.Seq(), sum)
		for _, l := range lines[at:] {
			c.Add([]byte(l))
		}
		require.Equal(t, want, c)
	}
}

func TestParseSum(t *testing.T) {
	good := strings.Repeat("0a", 32)
	_, ok := checkpoint.ParseSum(good)
	require.True(t, ok)
	for _, text := range []string{"", good[1:], good + "0", strings.ToUpper(good), strings.Repeat("0g", 32), " " + good[1:]} {
		sum, ok := checkpoint.ParseSum(text)
		require.False(t, ok, text)
		require.Zero(t, sum)
	}
}

func BenchmarkChain(b *testing.B) {
	record := []byte(strings.Repeat("x", 500))
	var c checkpoint.Chain
	b.SetBytes(int64(len(record)))
	for b.Loop() {
		c.Add(record)
	}
}
