package sse

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

func TestAppendEvent(t *testing.T) {
	for _, c := range []struct {
		name string
		out  Out
		want string
	}{
		{"nothing", Out{}, "\n"},
		{"all", Out{Comment: []byte("c"), Event: []byte("e"), ID: []byte("s:1"), Data: []byte("{}"), Retry: 5, HasRetry: true},
			": c\nevent: e\nid: s:1\nretry: 5\ndata: {}\n\n"},
		{"empty data", Out{Data: []byte{}}, "data: \n\n"},
		{"a reset of the id", Out{HasID: true, Data: []byte("a")}, "id: \ndata: a\n\n"},
		{"an empty id that is not nil", Out{ID: []byte{}}, "id: \n\n"},
		{"lines", Out{Data: []byte("a\nb\r\nc\rd\r\re\n\r")}, "data: a\ndata: b\ndata: c\ndata: d\ndata: \ndata: e\ndata: \ndata: \n\n"},
		{"a line end alone", Out{Data: []byte("\r\n")}, "data: \ndata: \n\n"},
		{"comment lines", Out{Comment: []byte("a\rdata: b")}, ": a\n: data: b\n\n"},
		{"spaces", Out{Event: []byte(" e "), ID: []byte(" 1"), Data: []byte("  a")}, "event:  e \nid:  1\ndata:   a\n\n"},
		{"retry 0", Out{HasRetry: true}, "retry: 0\n\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := AppendEvent([]byte("x"), c.out)
			require.NoError(t, err)
			require.Equal(t, "x"+c.want, string(got))
		})
	}
	require.Equal(t, ": \n\n", string(AppendComment(nil, nil)))
	require.Equal(t, ": a\n: b\n\n", string(AppendComment(nil, []byte("a\r\nb"))))
}

func TestAppendEventRefuses(t *testing.T) {
	for name, out := range map[string]Out{
		"LF in the type":   {Event: []byte("a\ndata: b")},
		"CR in the type":   {Event: []byte("a\r")},
		"NUL in the type":  {Event: []byte("\x00")},
		"LF in the id":     {ID: []byte("\n")},
		"CR in the id":     {ID: []byte("1\r2")},
		"NUL in the id":    {ID: []byte("1\x00")},
		"negative retry":   {Retry: -1, HasRetry: true},
		"retry of 2^53":    {Retry: 1 << 53, HasRetry: true},
		"retry of 2^63-1":  {Retry: math.MaxInt64, HasRetry: true},
		"id, data is fine": {ID: []byte("\r\n"), Data: []byte("a")},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := AppendEvent([]byte("before"), out)
			require.ErrorIs(t, err, fault.BadInput)
			require.Equal(t, "before", string(got))
		})
	}
}

// fewSplits gives visit some cuts where every one would take too long.
func fewSplits(stream []byte, visit func(name string, chunks ...[]byte)) {
	visit("whole", stream)
	for seed := range uint64(8) {
		visit("cut", randomCut(stream, seed)...)
	}
}

// readsBack checks the round trip of one block behind another.
func readsBack(t testing.TB, out Out, cut func(stream []byte, visit func(string, ...[]byte))) {
	t.Helper()
	stream, err := AppendEvent([]byte("id: before\ndata: x\n\n"), out)
	if err != nil {
		require.True(t, strings.ContainsAny(string(out.Event)+string(out.ID), "\r\n\x00") || out.Retry < 0 || out.Retry > maxRetry)
		return
	}
	want := message{
		Event: string(out.Event), HasEvent: out.Event != nil, ID: string(out.ID), HasID: out.HasID || out.ID != nil,
		Data: strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(out.Data)), Retry: -1, Last: "before",
	}
	if want.HasID {
		want.Last = want.ID
	}
	if out.HasRetry {
		want.Retry = out.Retry
	}
	cut(stream, func(name string, chunks ...[]byte) {
		got := run(t, 0, chunks...)
		require.False(t, got.Tail)
		require.Equal(t, want.Last, got.Last)
		require.Equal(t, want.Retry, got.Retry)
		if out.Data == nil {
			require.Len(t, got.Messages, 1)
			return
		}
		require.Len(t, got.Messages, 2, name)
		last := got.Messages[1]
		last.Start, last.End = 0, 0
		require.Equal(t, want, last, name)
	})
}

func TestReadsBack(t *testing.T) {
	values := []string{"", " ", "  a ", "a", ":", ": a", "data: b", "\uFEFFa", "a\u2028b", "\xff\xe2\x82"}
	data := append([]string{"\n", "\n\n", "a\nb", "a\r\nb\rc\n", "\r", "\r\n", "\n\r", " \n \n", "id: 9\n\nevent: x"}, values...)
	for i, v := range values {
		for _, text := range data {
			readsBack(t, Out{Event: []byte(v), ID: []byte(values[len(values)-1-i]), Data: []byte(text)}, fewSplits)
			readsBack(t, Out{Comment: []byte(text), HasID: true, Data: []byte(v), Retry: int64(i), HasRetry: true}, fewSplits)
		}
		readsBack(t, Out{ID: []byte(v)}, eachSplit)
	}
}

func TestEncodingDoesNotAllocate(t *testing.T) {
	dst := make([]byte, 0, 4096)
	out := Out{Event: []byte("e"), ID: []byte("s:1"), Data: []byte("a\nb"), Retry: 5, HasRetry: true}
	require.Zero(t, testing.AllocsPerRun(100, func() { dst, _ = AppendEvent(dst[:0], out) }))
}
