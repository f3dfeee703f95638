package disk

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
)

var turn = []byte(`{"type":"turn_started"}`)

func newTestLog(t *testing.T) *Log {
	store, err := New(t.TempDir(), Options{})
	require.NoError(t, err)
	log, err := store.Create(t.Context(), "s")
	require.NoError(t, err)
	return log.(*Log)
}

// A write that fails is neither published nor counted. Here the writer's file is
// one that cannot be written, so taking it back fails as well.
func TestAWriteThatFails(t *testing.T) {
	log := newTestLog(t)
	_, err := log.Append(t.Context(), "", turn)
	require.NoError(t, err)
	tail, err := log.Subscribe(t.Context())
	require.NoError(t, err)
	defer tail.Close()

	good := log.writer
	log.writer, err = os.Open(log.path)
	require.NoError(t, err)
	_, err = log.Append(t.Context(), "", turn)
	require.Error(t, err)
	require.NoError(t, log.writer.Close())
	log.writer = good
	_, err = log.Append(t.Context(), "", turn)
	require.Error(t, err, "what the disk holds is not known: no further append")

	head, err := log.Head(t.Context())
	require.NoError(t, err)
	require.Equal(t, events.Seq(1), head.LastSeq)
	require.NoError(t, log.store.Close())
	_, err = tail.Next(t.Context())
	require.ErrorContains(t, err, "closed", "nothing was published")
}

func TestSeekStartsAtAMark(t *testing.T) {
	log := newTestLog(t)
	log.store.options.NoSync = true
	for range 3*stride + 5 {
		_, err := log.Append(t.Context(), "", turn)
		require.NoError(t, err)
	}
	require.Len(t, log.index.marks, 4)
	for since, want := range map[events.Seq]events.Seq{
		0: 1, 255: 1, 256: 257, 257: 257, 512: 513, 772: 769, events.MaxSeq: 769,
	} {
		m := log.index.seek(since)
		require.Equal(t, want, m.seq, "since %d", since)
		require.Equal(t, int(want)-1, m.line)
	}
}

func TestNamesGoBothWays(t *testing.T) {
	for id, name := range map[string]string{
		"a": "a", "a/b": "a%2Fb", "..": "%2E.", "50%": "50%25", `a\b:c*d?e"f<g>h|i`: "a%5Cb%3Ac%2Ad%3Fe%22f%3Cg%3Eh%7Ci", "é b": "é b",
	} {
		require.Equal(t, name, escape(id))
		require.Equal(t, id, unescape(name))
	}
}

func FuzzNames(f *testing.F) {
	f.Add("a/b%2F")
	f.Add("..")
	f.Add("%%41")
	f.Fuzz(func(t *testing.T, id string) {
		name := escape(id)
		require.Equal(t, id, unescape(name))
		require.NotContains(t, name, "/")
		require.False(t, len(name) > 0 && name[0] == '.')
	})
}
