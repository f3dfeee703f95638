package link_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the traces in testdata/stories; explain the difference in the change")

const stories = "../../testdata/stories"

// TestStories plays every script of testdata/stories on a link and compares the
// whole trace. A script is comments (#), commands at the start of a line, text
// for the command before it (|), and what the link did about it, indented by two
// blanks. stage_test.go has the commands, trace_test.go the actions.
func TestStories(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(stories, "*.txt"))
	require.NoError(t, err)
	require.Greater(t, len(files), 40)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			script, err := os.ReadFile(file)
			require.NoError(t, err)
			played := play(t, string(script))
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(played), 0o644))
				return
			}
			require.Equal(t, string(script), played)
		})
	}
}

// play answers the script with the traces as they came out.
func play(t *testing.T, script string) string { return (&stage{t: t}).play(script) }

func (s *stage) play(script string) string {
	var out strings.Builder
	lines := strings.Split(strings.TrimRight(script, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if strings.HasPrefix(line, "  ") {
			continue // a trace: written anew
		}
		out.WriteString(line + "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		var text []string
		for i+1 < len(lines) && strings.HasPrefix(lines[i+1], "|") {
			i++
			out.WriteString(lines[i] + "\n")
			text = append(text, strings.TrimPrefix(strings.TrimPrefix(lines[i], "|"), " "))
		}
		for _, action := range s.perform(line, text) {
			out.WriteString("  " + action + "\n")
		}
	}
	return out.String()
}
