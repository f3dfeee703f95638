package sse

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// begun is a decoder with the stream behind its first bytes.
func begun(t *testing.T, stream string) *Decoder {
	d := NewDecoder(0)
	d.Feed([]byte(": first\n\n"))
	require.Equal(t, NeedData, d.Next(new(Frame)))
	d.Feed([]byte(stream))
	return d
}

// What can be read ahead: an id line or none, then a line of data, from the first
// byte of a block on. All else is for Next.
func TestAhead(t *testing.T) {
	for stream, want := range map[string]string{
		"data: {}\n\n":              "{}\n\n",
		"id: s:1\ndata: {}\r\n\r\n": "{}\r\n\r\n",
		"id:7\rdata: ":              "",
		"id\ndata: {}\n\n":          "",
		"data:{}\n\n":               "",
		"event: e\ndata: {}\n\n":    "",
		"id: a\x00\ndata: {}\n\n":   "",
		": c\ndata: {}\n\n":         "",
		"id: s:1":                   "",
		"data: {}":                  "",
		"id: s:1\ndata: {}":         "",
		"id: s:1\n":                 "",
	} {
		require.Equal(t, want, string(begun(t, stream).Ahead(new(Frame))), "%q", stream)
	}
}

// An id line that has not ended is not looked at, however often one asks: else a
// long one in small chunks would be searched again with each of them.
func TestAheadWaitsForTheEndOfALine(t *testing.T) {
	d := begun(t, "id: s:1")
	for range 3 {
		f := Frame{ID: []byte("left"), Data: []byte("over")}
		require.Nil(t, d.Ahead(&f))
		require.Nil(t, f.ID)
		require.False(t, d.Take(&f, 0))
		d.Feed([]byte("1"))
	}
}

// What is told to be the data is not believed: it has to end a line, and that line
// the block. Otherwise nothing is taken.
func TestTakeChecksTheEnd(t *testing.T) {
	for stream, n := range map[string]int{
		"data: {}\n\n": 1, "data: {}\n": 2, "data: {}\ndata: {}\n\n": 2, "data: {}\r\n": 2, "data: ab\n": 5,
	} {
		d := begun(t, stream)
		var f Frame
		require.NotNil(t, d.Ahead(&f), "%q", stream)
		require.False(t, d.Take(&f, n), "%q", stream)
		d.Feed([]byte("\n\n"))
		require.Equal(t, HaveFrame, d.Next(&f))
		require.EqualValues(t, len(": first\n\n"), f.Start)
	}
}
