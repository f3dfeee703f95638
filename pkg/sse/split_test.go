package sse

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// message is a frame as it can be compared and kept.
type message struct {
	Event, ID, Data string
	HasEvent, HasID bool
	Retry           int64 // -1: none
	Last            string
	Start, End      int64
}

// trace is all that a stream came out as.
type trace struct {
	Messages []message
	Last     string
	Retry    int64 // -1: none
	Comments int64
	Tail     bool
	FaultAt  int64 // -1: none
}

// run decodes the chunks as one connection.
func run(t testing.TB, maxFrame int, chunks ...[]byte) trace {
	t.Helper()
	d := NewDecoder(maxFrame)
	got := feed(t, d, chunks...)
	got.Tail = d.End()
	got.Last = string(d.LastEventID())
	got.Comments = d.Comments()
	got.Retry, got.FaultAt = -1, -1
	if ms, ok := d.Retry(); ok {
		got.Retry = ms
	}
	if f := d.Fault(); f != nil {
		got.FaultAt = f.Offset
	}
	return got
}

// feed feeds each chunk and drains it, in turn through both ways to feed.
func feed(t testing.TB, d *Decoder, chunks ...[]byte) (got trace) {
	t.Helper()
	for i, c := range chunks {
		if i%2 == 0 {
			d.Feed(c)
		} else {
			d.Commit(copy(d.Reserve(len(c)+7), c))
		}
		got.Messages = append(got.Messages, drain(t, d)...)
	}
	return got
}

// drain takes all frames and checks that the first is still whole, and in its
// place, when the last has been taken.
func drain(t testing.TB, d *Decoder) (got []message) {
	t.Helper()
	var frames []Frame
	var f Frame
	for next(d, &f, len(frames)%2 == 0) {
		if f.Data == nil || f.HasID != (f.ID != nil) {
			t.Fatalf("contradictory frame %+v", f)
		}
		frames = append(frames, f)
		got = append(got, copyOf(&f, d.LastEventID()))
	}
	var end uintptr
	for i := range frames {
		if now := copyOf(&frames[i], []byte(got[i].Last)); now != got[i] {
			t.Fatalf("%+v changed within its drain to %+v", got[i], now)
		}
		at := uintptr(unsafe.Pointer(unsafe.SliceData(frames[i].Data)))
		if len(frames[i].Data) > 0 {
			if at < end {
				t.Fatalf("data of %+v is not in ascending order", got[i])
			}
			end = at + uintptr(len(frames[i].Data))
		}
	}
	return got
}

// next takes a frame in one way or the other: by reading ahead to the end of its
// data where that can be done, after some guesses that are wrong, or by Next.
func next(d *Decoder, f *Frame, ahead bool) bool {
	if data := d.Ahead(f); ahead && data != nil {
		n := bytes.IndexAny(data, "\r\n")
		if n > 0 && d.Take(f, n-1) || d.Take(f, len(data)) {
			panic("taken without the end of a line")
		}
		if n >= 0 && d.Take(f, n) {
			return true
		}
	}
	return d.Next(f) == HaveFrame
}

func copyOf(f *Frame, last []byte) message {
	m := message{
		Event: string(f.Event), HasEvent: f.Event != nil, ID: string(f.ID), HasID: f.HasID,
		Data: string(f.Data), Retry: -1, Last: string(last), Start: f.Start, End: f.End,
	}
	if f.HasRetry {
		m.Retry = f.Retry
	}
	return m
}

// eachSplit gives visit every cut of stream that is worth a try: whole, byte by
// byte, at every place, at every two places when it is short, and at random.
// Whole blocks are taken in one go and single bytes line by line, so this holds
// the two ways of the decoder against each other as well.
func eachSplit(stream []byte, visit func(name string, chunks ...[]byte)) {
	visit("whole", stream)
	single := make([][]byte, 0, len(stream))
	for i := range stream {
		single = append(single, stream[i:i+1])
	}
	visit("byte by byte", single...)
	for i := range len(stream) + 1 {
		visit(fmt.Sprint("split at ", i), stream[:i], stream[i:])
	}
	if len(stream) <= 80 {
		for i := range len(stream) + 1 {
			for j := i; j <= len(stream); j++ {
				visit(fmt.Sprint("split at ", i, " and ", j), stream[:i], stream[i:j], stream[j:])
			}
		}
	}
	for seed := range uint64(40) {
		visit(fmt.Sprint("seed ", seed), randomCut(stream, seed)...)
	}
}

// randomCut cuts at random places; some chunks are empty.
func randomCut(stream []byte, seed uint64) (chunks [][]byte) {
	r := rand.New(rand.NewPCG(seed, 1))
	most := 1 + r.IntN(2+len(stream)/3)
	for len(stream) > 0 {
		n := min(r.IntN(most+1), len(stream))
		chunks = append(chunks, stream[:n])
		stream = stream[n:]
	}
	return chunks
}

// sameOnEverySplit is what the stream comes out as, once all cuts agree.
func sameOnEverySplit(t *testing.T, stream string, maxFrame int) trace {
	t.Helper()
	want := run(t, maxFrame, []byte(stream))
	before := bytes.Clone([]byte(stream))
	eachSplit([]byte(stream), func(name string, chunks ...[]byte) {
		t.Helper()
		if got := run(t, maxFrame, chunks...); !reflect.DeepEqual(want, got) {
			require.Equal(t, want, got, "%s of %q", name, stream)
		}
	})
	require.Equal(t, string(before), stream)
	return want
}
