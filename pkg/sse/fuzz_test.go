package sse

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzCuts checks that no cut and no limit changes what a stream comes out as.
func FuzzCuts(f *testing.F) {
	for i, r := range rules {
		f.Add([]byte(r.stream), uint64(i), uint16(0))
		f.Add([]byte(r.stream+"\n\ndata: z\r\r"), uint64(i), uint16(9))
	}
	for i, s := range sizes {
		f.Add([]byte(s.stream), uint64(i), uint16(s.size-1))
	}
	f.Fuzz(func(t *testing.T, stream []byte, seed uint64, limit uint16) {
		want := run(t, int(limit), stream)
		single := make([][]byte, len(stream))
		for i := range stream {
			single[i] = stream[i : i+1]
		}
		require.Equal(t, want, run(t, int(limit), single...))
		require.Equal(t, want, run(t, int(limit), randomCut(stream, seed)...))
		require.Equal(t, want, run(t, int(limit), randomCut(stream, seed+1)...))
		require.Equal(t, plain(stream, int(limit)), want)
	})
}

// FuzzReadsBack checks the round trip of the encoder.
func FuzzReadsBack(f *testing.F) {
	f.Add([]byte("c"), []byte("e"), []byte("s:1"), []byte("a\nb"), int64(5), uint64(1))
	f.Add([]byte("a\rb"), []byte(" "), []byte(""), []byte("\r\n\r"), int64(-1), uint64(2))
	f.Add([]byte(""), []byte("\x00"), []byte("\n"), []byte("\uFEFF"), int64(1)<<53, uint64(3))
	f.Fuzz(func(t *testing.T, comment, event, id, data []byte, retry int64, seed uint64) {
		out := Out{Comment: comment, Event: event, ID: id, Data: data, Retry: retry, HasRetry: true}
		readsBack(t, out, func(stream []byte, visit func(string, ...[]byte)) {
			visit("whole", stream)
			visit("cut", randomCut(stream, seed)...)
		})
	})
}
