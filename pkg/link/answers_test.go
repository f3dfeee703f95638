package link_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	storyOf = regexp.MustCompile(`\[([a-z0-9_]+)\]\(\.\./testdata/stories/([a-z0-9_]+)\.txt\)`)
	codeOf  = regexp.MustCompile("`stream\\.([a-z_.]+)`")
	ending  = regexp.MustCompile(`(?m)^  (refused|fail|end) `)
)

// Every answer of a server that the protocol has a row for is a story, and the app
// sees there what the row says.
func TestAnswersOfServers(t *testing.T) {
	page, err := os.ReadFile("../../docs/protocol.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(page), "**What the client does with each answer**")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	rows := 0
	for _, row := range strings.Split(section, "\n") {
		cells := strings.Split(row, " | ")
		if len(cells) != 4 || !strings.HasPrefix(cells[3], "[") {
			continue
		}
		rows++
		name := storyOf.FindStringSubmatch(cells[3])
		require.NotNil(t, name, row)
		require.Equal(t, name[1], name[2])
		story, err := os.ReadFile(filepath.Join(stories, name[1]+".txt"))
		require.NoError(t, err, row)
		if strings.HasPrefix(cells[2], "nothing") {
			require.NotRegexp(t, ending, string(story), row)
			continue
		}
		require.True(t, tells(string(story), cells[2]), "%s\n%s", row, story)
	}
	require.Greater(t, rows, 25)
}

// tells reports whether one of the codes that the cell has is in the trace, or its
// way to end.
func tells(story, cell string) bool {
	if strings.Contains(cell, "`end`") {
		_, cause, _ := strings.Cut(cell, "cause `")
		return regexp.MustCompile(`(?m)^  end \S+ ` + strings.TrimRight(cause, "`")).MatchString(story)
	}
	for _, code := range codeOf.FindAllStringSubmatch(cell, -1) {
		reason, detail, _ := strings.Cut(code[1], ".")
		seen := "  fail stream." + code[1] + ":"
		if detail != "" {
			reason += " detail=" + detail
		}
		if strings.Contains(story, seen) || regexp.MustCompile(`(?m)^  refused \S+ `+reason+`\b`).MatchString(story) {
			return true
		}
	}
	return false
}
