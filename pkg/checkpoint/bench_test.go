package checkpoint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
)

// mixed is records of 500 bytes: events for the most part, a message in ten, and a
// compaction in a thousand.
func mixed(n int) (lines [][]byte) {
	text := strings.Repeat("abcdefghi ", 33)
	last := ""
	for i := range n {
		rest := `iteration_started,"iteration":1,"note":"` + text + `"`
		switch {
		case i%1000 == 999:
			rest = compaction(`"`+text+`"`, last)
		case i%10 == 0:
			last = fmt.Sprint("m", i)
			rest = message(last, `{"role":"user","content":"`+text+`"}`)
		}
		lines = append(lines, []byte(strings.Replace(line(i+1, rest), fmt.Sprintf(":%02d.000Z", i+1), ":01.000Z", 1)))
	}
	return lines
}

func size(lines [][]byte) (n int64) {
	for _, l := range lines {
		n += int64(len(l))
	}
	return n
}

// BenchmarkProof is one pass over a log of 10,000 records: digest, record of the
// commit, and context.
func BenchmarkProof(b *testing.B) {
	lines := mixed(10_000)
	var c checkpoint.Chain
	for _, l := range lines {
		c.Add(l)
	}
	d := checkpoint.Document{CheckpointID: "c1", SessionID: "s1", ThroughSeq: c.Seq(), ThroughSHA256: c.Sum(), State: checkpoint.State{TurnID: "t1"}}
	document := d.AppendJSON(nil)
	b.SetBytes(size(lines))
	for b.Loop() {
		p := checkpoint.Prove("c1", document)
		var context checkpoint.Context
		for _, l := range lines {
			p.Add(l)
			require.NoError(b, context.Add(l))
		}
	}
}

// BenchmarkContext is the same pass without the digest.
func BenchmarkContext(b *testing.B) {
	lines := mixed(10_000)
	b.SetBytes(size(lines))
	for b.Loop() {
		var context checkpoint.Context
		for _, l := range lines {
			require.NoError(b, context.Add(l))
		}
	}
}
