package durable_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/durable"
	logdisk "github.com/tidemark-stream/tidemark/pkg/sessionlog/disk"
)

// BenchmarkFirstReading is what a Session reads before its first answer: 50,000
// records of 500 bytes, 1,000 of them questions, from disk.
func BenchmarkFirstReading(b *testing.B) {
	dir := b.TempDir()
	var all bytes.Buffer
	for i := range 50_000 {
		rest := `"type":"iteration_started","seq":%d,"gen":1,"ts":"2026-01-01T00:00:00.000Z","sessionId":"s1","turnId":"t1","note":%q}`
		if i%50 == 0 {
			rest = strings.Replace(rest, "iteration_started", "decision_requested", 1)
			rest = strings.Replace(rest, `"note":%q`, fmt.Sprintf(`"decisionId":"d%d","checkpointId":"c1","request":{"type":"plan","note":%%q}`, i), 1)
		}
		fmt.Fprintf(&all, `{"v":1,`+rest+"\n", i+1, strings.Repeat("abcdefghi ", 36))
	}
	require.NoError(b, os.WriteFile(filepath.Join(dir, "s1.jsonl"), all.Bytes(), 0o644))
	logs, err := logdisk.New(dir, logdisk.Options{ReadOnly: true})
	require.NoError(b, err)
	defer logs.Close()
	log, err := logs.Open(b.Context(), "s1")
	require.NoError(b, err)
	b.SetBytes(int64(all.Len()))
	for b.Loop() {
		s, err := durable.New(durable.Options{Log: log})
		require.NoError(b, err)
		parks, err := s.Parks(b.Context())
		require.NoError(b, err)
		require.Len(b, parks, 1000)
	}
}
