package sse

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// lineEnd is right for every byte at every place of texts of every small length,
// behind bytes that look like a line end to a hasty test.
func TestLineEnd(t *testing.T) {
	for _, fill := range []byte{'x', 0x10, 0x00, '\t', 0x0b, 0x8a, 0xff} {
		for size := range 80 {
			for at := range size {
				buf := bytes.Repeat([]byte{fill}, size)
				for _, c := range []byte{'\n', '\r', '\t', 0x1a, 0x8d, 0} {
					buf[at] = c
					want := size
					if c == '\n' || c == '\r' {
						want = at
					}
					require.Equal(t, want, lineEnd(buf, 0))
					require.Equal(t, want, lineEnd(buf, at))
					require.Equal(t, size, lineEnd(buf, at+1))
				}
			}
		}
	}
	require.Equal(t, 3, lineEnd([]byte("\n\r\n"), 3))
}

// The last line end is found wherever it stands, whatever else is near.
func TestLinesEnd(t *testing.T) {
	for size := range 80 {
		for _, from := range []int{0, size / 3, size} {
			require.Equal(t, from, linesEnd(bytes.Repeat([]byte("\x0b"), size), from))
			for at := range size {
				for _, end := range []byte("\r\n") {
					buf := bytes.Repeat([]byte("x\x0e\x7f\x8a"), size)[:size]
					buf[at] = end
					want := from
					if at >= from {
						want = at + 1
					}
					require.Equal(t, want, linesEnd(buf, from), "%q from %d", buf, from)
				}
			}
		}
	}
}
