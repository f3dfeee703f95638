package disk_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/disk"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/logtest"
)

func TestObligations(t *testing.T) {
	dirs := map[sessionlog.Store]string{}
	open := func(t *testing.T, dir string, o logtest.Options) sessionlog.Store {
		store, err := disk.New(dir, disk.Options{
			NoSync: true, Poll: time.Millisecond, TailEvents: o.TailEvents, Now: o.Now,
		})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, store.Close()) })
		dirs[store] = dir
		return store
	}
	logtest.Run(t, logtest.Subject{
		New: func(t *testing.T, o logtest.Options) sessionlog.Store { return open(t, t.TempDir(), o) },
		Reopen: func(t *testing.T, s sessionlog.Store, o logtest.Options) sessionlog.Store {
			require.NoError(t, s.Close())
			return open(t, dirs[s], o)
		},
		Lose: func(t *testing.T, s sessionlog.Store, _ string, keep events.Seq) {
			loseLines(t, dirs[s], int(keep))
		},
	})
}

// loseLines cuts the one log of a folder after n lines.
func loseLines(t *testing.T, dir string, n int) {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	lines := bytes.SplitAfter(text, []byte("\n"))
	require.NoError(t, os.Truncate(files[0], int64(len(bytes.Join(lines[:n], nil)))))
}
