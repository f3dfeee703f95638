package sse

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestResetBeginsANewConnection(t *testing.T) {
	d := NewDecoder(0)
	first := feed(t, d, []byte("id: 1\nretry: 5\ndata: a\n\n: c\nid: 2\nevent: stale\ndata: half"))
	require.Equal(t, "[message|1|a]", said(first.Messages))
	d.Reset()
	require.Zero(t, d.Comments())
	second := feed(t, d, []byte("\uFEFFdata: fresh\n\n"))
	require.Equal(t, []message{{Data: "fresh", Retry: -1, Last: "1", Start: 3, End: 16}}, second.Messages)
	ms, ok := d.Retry()
	require.Equal(t, int64(5), ms)
	require.True(t, ok)

	d.Forget()
	require.Empty(t, d.LastEventID())
	_, ok = d.Retry()
	require.False(t, ok)
}

// A connection that ended in CR takes nothing from the next one.
func TestResetForgetsAPendingCR(t *testing.T) {
	d := NewDecoder(0)
	feed(t, d, []byte("data: a\r"))
	d.Reset()
	require.Equal(t, "[message|-|b]", said(feed(t, d, []byte("\ndata: b\n\n")).Messages))
}

func TestEndDropsTheBlock(t *testing.T) {
	d := NewDecoder(0)
	feed(t, d, []byte("id: 1\ndata: a\n\nid: 2\nevent: e\ndata: b"))
	require.True(t, d.End())
	require.Equal(t, "1", string(d.LastEventID()))
	require.False(t, d.End(), "it was reported")
}

func TestCommitTakesNoMoreThanWasReserved(t *testing.T) {
	d := NewDecoder(0)
	require.Len(t, d.Reserve(-1), 0)
	copy(d.Reserve(9), "data: a\n\n")
	d.Commit(-4)
	require.Equal(t, "", said(drain(t, d)))
	copy(d.Reserve(9), "data: a\n\n")
	d.Commit(1 << 40)
	d.Commit(5)
	require.Equal(t, "[message|-|a]", said(drain(t, d)))
	require.Equal(t, int64(9), d.base+int64(len(d.buf)))
	room := d.Reserve(3)
	require.Equal(t, 3, cap(room))
}

// Reserving again without a drain loses nothing.
func TestUndrainedBytesAreKept(t *testing.T) {
	d := NewDecoder(64)
	for range 1000 {
		d.Feed([]byte("id: 1\ndata: a\ndata: b\n\n"))
	}
	require.Len(t, drain(t, d), 1000)
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	for name, stream := range map[string]string{
		"LF":             "id: s:1\ndata: {\"a\":1}\n\n",
		"CRLF":           "id: s:1\r\ndata: {\"a\":1}\r\n\r\n",
		"CR":             "id: s:1\rdata: {\"a\":1}\r\r",
		"many lines":     "event: e\ndata: a\ndata: b\n: c\ndata: d\nretry: 5\n\n",
		"id behind data": "data: a\nid: 1\nevent: e\ndata: bbbbbbbbbbbbbbb\n\n",
	} {
		chunks := randomCut(bytes.Repeat([]byte(stream), 400), 7)
		d := NewDecoder(0)
		frames := 0
		pass := func() {
			var f Frame
			for _, c := range chunks {
				d.Feed(c)
				for d.Next(&f) == HaveFrame {
					frames++
				}
			}
		}
		pass()
		require.Zero(t, testing.AllocsPerRun(20, pass), name)
		require.Equal(t, 400*22, frames, name)
		d.Reserve(0)
		require.Empty(t, d.lent, name)
	}
}
