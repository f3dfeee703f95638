package sse

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// size is the number of bytes at which each stream's largest block is accepted;
// one byte less and the fault stands at the offset at.
var sizes = []struct {
	name, stream string
	size         int
	at           int64
	before       string // what came out before the fault
}{
	{"one line", "data: 12\n\n", 9, 0, ""},
	{"a line that has not ended", "data: 12", 8, 0, ""},
	{"CRLF counts as one", "data: 12\r\n\r\n", 9, 0, ""},
	{"lines of a block", "id: 1\ndata: a\nx\n\n", 16, 0, ""},
	{"the second block", "data: a\n\ndata: bc\n\n", 9, 9, "[message|-|a]"},
	{"the unfinished block", "data: a\n\nid: 1\ndata: bc", 14, 9, "[message|-|a]"},
	{"an id alone", "id: 123456\n\n", 11, 0, ""},
	{"a comment", ": 12345678\n\n", 10, 0, ""},
	{"comments do not add up", ": 12345678\n: 1234\n: 12345678\n\n", 10, 0, ""},
	{"a comment in a block", "data: a\n: 1\n\n", 11, 0, ""},
	{"a comment in a block is let go", "data: a\n: 1\n: 2\nid:\n\n", 12, 0, ""},
	{"the byte order mark is no part", "\uFEFFdata: a\n\n", 8, 3, ""},
	{"blank lines before", "\n\r\n\rdata: a\n\n", 8, 4, ""},
	{"no space", "data:a\n\n", 7, 0, ""},
	{"an unknown field", "xxxxxxxxxxxxxxxxxxx", 19, 0, ""},
}

func TestLimit(t *testing.T) {
	for _, c := range sizes {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, int64(-1), sameOnEverySplit(t, c.stream, c.size).FaultAt)
			got := sameOnEverySplit(t, c.stream, c.size-1)
			require.Equal(t, c.at, got.FaultAt)
			require.Equal(t, c.before, said(got.Messages))
			require.False(t, got.Tail)
		})
	}
}

func TestFaultIsFinalUntilReset(t *testing.T) {
	d := NewDecoder(16)
	require.Nil(t, d.Fault())
	before := feed(t, d, []byte("id: 1\ndata: a\n\n:\ndata: "), bytes.Repeat([]byte("x"), 17), []byte("\n\ndata: b\n\n"))
	require.Equal(t, "[message|1|a]", said(before.Messages))
	var f Frame
	for range 3 {
		require.Equal(t, Failed, d.Next(&f))
		require.Zero(t, f)
		d.Feed([]byte("data: c\n\n"))
	}
	require.ErrorIs(t, d.Fault(), fault.FrameTooLarge)
	require.Contains(t, d.Fault().Expected, "16 bytes")
	require.Equal(t, int64(17), d.Fault().Offset)
	require.False(t, d.End())
	require.Equal(t, "1", string(d.LastEventID()))

	d.Reset()
	require.Nil(t, d.Fault())
	require.Equal(t, "[message|-|c]", said(feed(t, d, []byte("\uFEFFdata: c\n\n")).Messages))
	require.Equal(t, "1", string(d.LastEventID()))
}

func TestFramesBeforeTheFaultStayValid(t *testing.T) {
	d := NewDecoder(16)
	d.Feed([]byte("data: a\n\ndata: bbbbbbbbbbbbbbbbbbbb\n\n"))
	var f, g Frame
	require.Equal(t, HaveFrame, d.Next(&f))
	require.Equal(t, Failed, d.Next(&g))
	require.Equal(t, "a", string(f.Data))
}

// A peer that never ends its line is stopped while memory is within the limit
// and one chunk, for whatever begins that line.
func TestMemoryStaysWithinTheLimit(t *testing.T) {
	const limit, chunk = 1 << 20, 16 << 10
	for _, first := range []string{"data: ", "id: ", ": ", "x", "data: a\ndata: ", "event: e\ndata: a\nid: "} {
		t.Run(strconv.Quote(first), func(t *testing.T) {
			d := NewDecoder(limit)
			d.Feed([]byte(first))
			fill := bytes.Repeat([]byte("x"), chunk)
			var f Frame
			fed := len(first)
			for d.Next(&f) == NeedData {
				require.LessOrEqual(t, fed, limit)
				require.LessOrEqual(t, cap(d.buf), limit+chunk)
				d.Feed(fill)
				fed += chunk
			}
			require.ErrorIs(t, d.Fault(), fault.FrameTooLarge)
			d.Feed(fill)
			require.Zero(t, len(d.buf))
		})
	}
}

// Lines that end do not help: many short ones in one block are counted too, and
// comments, which are let go, need no memory for as long as they may come.
func TestManyLinesInOneBlock(t *testing.T) {
	const limit = 1 << 16
	for line, fails := range map[string]bool{"data: a\n": true, "id: 1\n": true, "event\n": true, "x\n": true, "retry: 1\r": true, ": a\n": false, "\n": false} {
		t.Run(strconv.Quote(line), func(t *testing.T) {
			d := NewDecoder(limit)
			lines := []byte(strings.Repeat(line, 100))
			var f Frame
			for range 3 * limit / 100 {
				d.Feed(lines)
				require.NotEqual(t, HaveFrame, d.Next(&f))
				require.LessOrEqual(t, cap(d.buf), limit+minBuffer)
			}
			require.Equal(t, fails, d.Fault() != nil)
		})
	}
}

// A long line in small chunks is moved a bounded number of times, and no byte of
// it is searched twice: line ends that are put where it was searched before are
// not seen.
func TestWorkIsLinear(t *testing.T) {
	const size = 1 << 20
	long := "id: " + strings.Repeat("1", maxAgain) + "\n"
	for _, first := range []string{"data: ", "data: a\ndata: ", ": ", "id: 1\r\ndata: ", long + "data: ", "id: 1\n" + long, "id: ", "event: ", "\nid: "} {
		d := NewDecoder(0)
		d.Feed([]byte(first))
		moves, again := 0, 0
		var f Frame
		for i := range size {
			before := unsafe.SliceData(d.buf)
			d.Feed([]byte("x"))
			if unsafe.SliceData(d.buf) != before {
				moves++
			}
			if i == 16 {
				copy(d.buf[d.pos+8:], "\n\n")
			}
			if d.Next(&f) != NeedData || d.last-d.pos > maxAgain {
				again++
			}
		}
		require.LessOrEqual(t, moves, 12, first)
		require.Zero(t, again, first)
	}
}

// One huge frame does not keep its memory for ever.
func TestMemoryIsGivenBack(t *testing.T) {
	d := NewDecoder(0)
	var f Frame
	d.Feed([]byte("data: " + strings.Repeat("x", 8<<20)))
	d.Feed([]byte("\n\n"))
	require.Equal(t, HaveFrame, d.Next(&f))
	require.Len(t, f.Data, 8<<20)
	small := []byte("data: a\n\ndata: unfinished")
	for range spareLimit + 2 {
		d.Feed(small)
		require.Equal(t, HaveFrame, d.Next(&f))
		require.Equal(t, NeedData, d.Next(&f))
		d.Feed([]byte("\n\n"))
		require.Equal(t, HaveFrame, d.Next(&f))
		require.Equal(t, "unfinished", string(f.Data))
	}
	require.Less(t, cap(d.buf), largeBuffer)
}
