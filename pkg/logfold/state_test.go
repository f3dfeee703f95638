package logfold_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/logfold"
)

// a fold that is stopped anywhere and gone on with is one that never was.
func TestAFoldGoesOnFromAnywhere(t *testing.T) {
	log := text(story...)
	want := said(read(all, log, 100))
	for cut := range len(log) + 1 {
		before := logfold.New(all)
		before.Write(log[:cut])
		state, ok := before.AppendState(nil)
		require.True(t, ok)
		after, err := logfold.Resume(all, state)
		require.NoError(t, err, "%s", state)
		after.Write(log[before.Standing().Bytes:])
		after.End()
		require.Equal(t, want, said(after), "cut at %d", cut)
	}
}

func TestStatesThatAreNone(t *testing.T) {
	f := read(all, text(story...), 100)
	good, _ := f.AppendState(nil)
	for at := range good {
		damaged := append([]byte{}, good...)
		damaged[at] ^= 0x10
		_, _ = logfold.Resume(all, damaged) // no panic
	}
	for _, state := range []string{"", "{", "[]", `{"v":2}`, `{"v":1}`, string(good[:len(good)-1])} {
		_, err := logfold.Resume(logfold.Options{}, []byte(state))
		require.ErrorIs(t, err, fault.BadRecord, state)
	}
	for name, o := range map[string]logfold.Options{
		"another session": {Digest: true, Session: "s2"}, "no digest": {}, "a context": {Digest: true, Through: 3},
	} {
		_, err := logfold.Resume(o, good)
		require.ErrorIs(t, err, fault.BadInput, name)
	}
	_, ok := logfold.New(logfold.Options{Through: 3}).AppendState(nil)
	require.False(t, ok, "a context cannot be stopped")
}

func FuzzFold(f *testing.F) {
	f.Add(text(story...), 7, true)
	f.Add([]byte(strings.Repeat("0", 303)+"\n0"), 7, true)
	f.Add([]byte("{\"type\":\"a\",\"seq\":1}\r\n\n{"), 1, false)
	f.Fuzz(func(t *testing.T, log []byte, n int, context bool) {
		o := logfold.Options{Digest: true, MaxLine: 300}
		if context {
			o.Through = 3
		}
		cut := read(o, log, n&0xff+1)
		require.Equal(t, said(read(o, log, len(log)+1)), said(cut))
		_, _ = cut.Messages(nil)
	})
}
