package relay_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/relay"
)

// chunk is what a socket brings at once.
const chunk = 16 << 10

// BenchmarkRelay passes on a healthy stream in chunks: bytes by second, and what is
// allocated for each of them.
func BenchmarkRelay(b *testing.B) {
	in := longStream(2000)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		passAll(b, in)
	}
}

func longStream(n int) string {
	var all strings.Builder
	all.WriteString(head(n, ""))
	for seq := range n {
		all.WriteString(strings.Replace(event(seq+1), `"n":`, `"text":"`+strings.Repeat("word ", 20)+`","n":`, 1))
	}
	return all.String()
}

// passAll answers how many bytes went on.
func passAll(t testing.TB, in string) (passed int64) {
	r, f := relay.New(&relay.Options{Sessions: []string{"s"}})
	require.Nil(t, f)
	for len(in) > 0 {
		n := min(len(in), chunk)
		copy(r.Reserve(n), in[:n])
		in = in[n:]
		orders := r.Received(n)
		for i := range orders {
			passed += orders[i].To - orders[i].From
		}
	}
	return passed
}

// A healthy stream costs nothing by event: what is allocated is the relay's own, and its
// buffer's.
func TestEventsAllocateNothing(t *testing.T) {
	few, many := longStream(2000), longStream(20000)
	require.Equal(t, int64(len(many)), passAll(t, many))
	base := testing.AllocsPerRun(3, func() { passAll(t, few) })
	more := testing.AllocsPerRun(3, func() { passAll(t, many) }) - base
	require.Less(t, more, 18000*0.01, "allocations for 18,000 events")
}
