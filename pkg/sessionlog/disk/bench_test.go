package disk_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/disk"
)

var benchEvent = []byte(`{"type":"message_completed","turnId":"t1","iteration":1,"messageId":"m1","stopReason":"end","content":"` + strings.Repeat("text ", 70) + `"}`)

// benchLog is a log of n events of about 500 bytes.
func benchLog(b *testing.B, n int) (dir string, log sessionlog.Log) {
	dir = b.TempDir()
	store, err := disk.New(dir, disk.Options{NoSync: true})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, store.Close()) })
	log, err = store.Create(b.Context(), "s")
	require.NoError(b, err)
	for range n {
		_, err := log.Append(b.Context(), "", benchEvent)
		require.NoError(b, err)
	}
	return dir, log
}

func BenchmarkAppend(b *testing.B) {
	for name, noSync := range map[string]bool{"synced": false, "nosync": true} {
		b.Run(name, func(b *testing.B) {
			store, err := disk.New(b.TempDir(), disk.Options{NoSync: noSync})
			require.NoError(b, err)
			defer store.Close()
			log, err := store.Create(b.Context(), "s")
			require.NoError(b, err)
			for b.Loop() {
				_, _ = log.Append(b.Context(), "", benchEvent)
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	dir, _ := benchLog(b, 20_000)
	info, err := os.Stat(filepath.Join(dir, "s.jsonl"))
	require.NoError(b, err)
	b.SetBytes(info.Size())
	for b.Loop() {
		store, _ := disk.New(dir, disk.Options{ReadOnly: true})
		_, err := store.Open(b.Context(), "s")
		require.NoError(b, err)
		_ = store.Close()
	}
}

func BenchmarkReadPage(b *testing.B) {
	_, log := benchLog(b, 20_000)
	b.SetBytes(int64(256 * len(benchEvent)))
	since := events.Seq(0)
	for b.Loop() {
		page, err := log.Read(b.Context(), since, 256)
		require.NoError(b, err)
		since = (since + events.Seq(len(page.Events))) % 19_000
	}
}
