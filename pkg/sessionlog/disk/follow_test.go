package disk_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/disk"
)

// followed is a log that another process writes, and a tail on it.
func followed(t *testing.T, first string) (dir string, log sessionlog.Log, tail sessionlog.Tail) {
	dir = t.TempDir()
	write(t, dir, "s.jsonl", first)
	log = opened(t, newStore(t, dir, disk.Options{ReadOnly: true}), "s")
	tail, err := log.Subscribe(t.Context())
	require.NoError(t, err)
	t.Cleanup(tail.Close)
	return dir, log, tail
}

func nextSeqs(t *testing.T, tail sessionlog.Tail, n int) []events.Seq {
	var out []events.Seq
	for len(out) < n {
		batch, err := nextOf(t, tail)
		require.NoError(t, err)
		for _, e := range batch {
			out = append(out, e.Seq)
		}
	}
	return out
}

func nextOf(t *testing.T, tail sessionlog.Tail) ([]sessionlog.Event, error) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	return tail.Next(ctx)
}

func requireCut(t *testing.T, tail sessionlog.Tail, reason sessionlog.CutReason) *sessionlog.Cut {
	_, err := nextOf(t, tail)
	var cut *sessionlog.Cut
	require.ErrorAs(t, err, &cut)
	require.Equal(t, reason, cut.Reason, cut.Error())
	return cut
}

func TestAGrowingFileIsFollowed(t *testing.T) {
	dir, log, tail := followed(t, rec("1", ""))
	add(t, dir, "s.jsonl", "\n"+rec("2", `,"gen":4`)+"\n")
	require.Equal(t, []events.Seq{2}, nextSeqs(t, tail, 1))
	line := rec("3", `,"gen":4`) + "\n"
	for i := range len(line) {
		add(t, dir, "s.jsonl", line[i:i+1])
		head, err := log.Head(t.Context())
		require.NoError(t, err, "a line that is still being written is no damage")
		if head.LastSeq == 3 {
			require.GreaterOrEqual(t, i, len(line)-2, "only a whole record counts")
		}
	}
	add(t, dir, "s.jsonl", rec("4", `,"gen":4`)+"\n"+rec("5", `,"gen":5`)+"\n")
	require.Equal(t, []events.Seq{3, 4, 5}, nextSeqs(t, tail, 3))
	head, err := log.Head(t.Context())
	require.NoError(t, err)
	require.Equal(t, sessionlog.Head{LastSeq: 5, Generation: "5", OldestSeq: 1}, head)
	require.Equal(t, []int{3, 4, 5}, seqsAbove(t, log, 2))
}

func TestAFileThatWasReplaced(t *testing.T) {
	three := rec("1", "") + "\n" + rec("2", "") + "\n" + rec("3", "") + "\n"
	for name, c := range map[string]struct {
		change func(t *testing.T, path string)
		head   sessionlog.Head
	}{
		"shrunk": {func(t *testing.T, path string) {
			require.NoError(t, os.Truncate(path, int64(len(rec("1", ""))+1)))
		}, sessionlog.Head{LastSeq: 1, OldestSeq: 1}},
		"emptied": {func(t *testing.T, path string) {
			require.NoError(t, os.Truncate(path, 0))
		}, sessionlog.Head{OldestSeq: 1}},
		"rewritten longer": {func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path, []byte(rec("1", `,"x":1`)+"\n"+rec("2", `,"x":1`)+"\n"+rec("3", "")+"\n"+rec("4", "")+"\n"), 0o644))
		}, sessionlog.Head{LastSeq: 4, OldestSeq: 1}},
		"renamed over": {func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path+".new", []byte(rec("2", "")+"\n"), 0o644))
			require.NoError(t, os.Rename(path+".new", path))
		}, sessionlog.Head{LastSeq: 2, OldestSeq: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			dir, log, tail := followed(t, three)
			c.change(t, filepath.Join(dir, "s.jsonl"))
			requireCut(t, tail, sessionlog.CutReplaced)
			head, err := log.Head(t.Context())
			require.NoError(t, err)
			require.Equal(t, c.head, head)
		})
	}
}

func TestDamageThatComesLater(t *testing.T) {
	dir, log, tail := followed(t, rec("1", "")+"\n")
	add(t, dir, "s.jsonl", rec("2", "")+"\noops\n")
	require.Equal(t, []events.Seq{2}, nextSeqs(t, tail, 1))
	cut := requireCut(t, tail, sessionlog.CutDamaged)
	require.ErrorIs(t, cut, fault.LogDamaged)
	_, err := log.Head(t.Context())
	require.ErrorIs(t, err, fault.LogDamaged)
	write(t, dir, "s.jsonl", rec("1", "")+"\n"+rec("2", "")+"\n")
	require.Equal(t, []int{1, 2}, seqsAbove(t, log, 0), "a file that was mended can be read again")
}

func TestAFileThatIsRemoved(t *testing.T) {
	dir, log, tail := followed(t, rec("1", "")+"\n")
	require.NoError(t, os.Remove(filepath.Join(dir, "s.jsonl")))
	requireCut(t, tail, sessionlog.CutDeleted)
	_, err := log.Head(t.Context())
	require.ErrorIs(t, err, fault.UnknownSession)
}

func TestTwoStoresOnOneFolder(t *testing.T) {
	dir := t.TempDir()
	first, second := newStore(t, dir, disk.Options{}), newStore(t, dir, disk.Options{})
	a, err := first.Create(t.Context(), "s")
	require.NoError(t, err)
	old, err := a.Acquire(t.Context())
	require.NoError(t, err)
	tail, err := a.Subscribe(t.Context())
	require.NoError(t, err)
	defer tail.Close()
	event := []byte(`{"type":"turn_started"}`)
	_, err = a.Append(t.Context(), old, event)
	require.NoError(t, err)

	b := opened(t, second, "s")
	taken, err := b.Acquire(t.Context())
	require.NoError(t, err)
	_, err = a.Append(t.Context(), old, event)
	require.ErrorIs(t, err, fault.Fenced, "a takeover by another process fences this one")
	_, err = b.Append(t.Context(), taken, event)
	require.NoError(t, err)
	require.Equal(t, []events.Seq{1, 2}, nextSeqs(t, tail, 2))
	require.Equal(t, []int{1, 2}, seqsAbove(t, a, 0))
}
