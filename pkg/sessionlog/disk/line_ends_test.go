package disk_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/logfold"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/disk"
)

// whatever ends its lines, a log has one digest.
func TestLineEndsAreNoPartOfRecords(t *testing.T) {
	dir, story := t.TempDir(), []string{rec("1", ""), rec("2", " "), rec("3", "")}
	for session, end := range map[string]string{"s": "\n", "crlf": "\r\n"} {
		lines := strings.ReplaceAll(strings.Join(story, end)+end, `"s"`, `"`+session+`"`)
		write(t, dir, session+".jsonl", lines)
		got, _, err := opened(t, newStore(t, dir, disk.Options{ReadOnly: true}), session).Records(t.Context(), 0, 0)
		require.NoError(t, err)
		require.Equal(t, strings.Split(strings.TrimSuffix(lines, end), end), texts(got))
		fold := logfold.New(logfold.Options{Digest: true})
		fold.Write([]byte(lines))
		fold.End()
		var chain checkpoint.Chain
		for _, line := range got {
			chain.Add(line)
		}
		require.Equal(t, fold.Chain(), chain)
	}
}

func texts(lines [][]byte) (out []string) {
	for _, line := range lines {
		out = append(out, string(line))
	}
	return out
}
