package gen

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/park"
	"github.com/tidemark-stream/tidemark/pkg/relay"
	"github.com/tidemark-stream/tidemark/pkg/replay"
	"github.com/tidemark-stream/tidemark/pkg/sse"
	"github.com/tidemark-stream/tidemark/wasm/abi"
	"github.com/tidemark-stream/tidemark/wasm/full/seam"
)

var (
	heading  = regexp.MustCompile(`(?m)^##+ (.+)$`)
	numbered = regexp.MustCompile(`(?m)^\| (\d+) \| (\w+) \|`)
	member   = regexp.MustCompile(`(?m)^\| (\d+) \| ([uf]\d+) \| (?:(data) )?(\w+)`)
)

// seamPage is docs/seam.md.
func seamPage(t *testing.T) string {
	t.Helper()
	root, err := Root(".")
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(root, "docs/seam.md"))
	require.NoError(t, err)
	return string(text)
}

// section is what docs/seam.md says under a heading.
func section(t *testing.T, title string) string {
	t.Helper()
	page := seamPage(t)
	for _, at := range heading.FindAllStringSubmatchIndex(page, -1) {
		if page[at[2]:at[3]] != title {
			continue
		}
		rest := page[at[1]:]
		if next := heading.FindStringIndex(rest); next != nil {
			rest = rest[:next[0]]
		}
		return rest
	}
	t.Fatalf("docs/seam.md has no heading %q", title)
	return ""
}

// named are the rows of a table that begin with a number, as the table of a host has
// them. Rows of bytes are no such table: their second cell is a type.
func named(text string) (rows []string) {
	for _, m := range numbered.FindAllStringSubmatch(text, -1) {
		if m[2] != "u8" && m[2] != "u16" && m[2] != "u32" && m[2] != "f64" {
			rows = append(rows, m[2]+": "+m[1])
		}
	}
	return rows
}

// The page of the seam has the numbers of the module, and no others.
func TestTheSeamHasTheNumbersOfTheModule(t *testing.T) {
	for title, names := range map[string][]string{
		"Orders":               abi.OrderNames(),
		"Rows":                 abi.RowNames(),
		"Inputs":               abi.InputNames(),
		"Inbox":                abi.InboxNames,
		"Cold calls":           abi.CallNames,
		"Exports of full.wasm": seam.AskNames,
	} {
		require.NotEmpty(t, names)
		assert.Equal(t, numbers{names: names}.pairs("%s: %d"), named(section(t, title)), title)
	}
}

// The page of the seam has the rows of the module.
func TestTheSeamHasTheRowsOfTheModule(t *testing.T) {
	for title, c := range map[string]struct {
		layout abi.Layout
		about  string // what the list of exports says of it
	}{
		"Rows":   {abi.RowTable(), "the row table: %d rows of %d bytes"},
		"Orders": {abi.OrderTable(), "the order table: %d rows of %d bytes"},
	} {
		var found, want []string
		for _, m := range member.FindAllStringSubmatch(section(t, title), -1) {
			bits, err := strconv.Atoi(m[2][1:])
			require.NoError(t, err)
			name := m[4]
			if m[3] != "" && name == "pointer" {
				name = m[3]
			}
			found = append(found, fmt.Sprintf("%s %s %d", m[1], name, bits/8))
		}
		for _, f := range c.layout.Fields {
			want = append(want, fmt.Sprintf("%d %s %d", f.Offset, f.Name, f.Size))
		}
		assert.Equal(t, want, found, title)
		about := fmt.Sprintf(c.about, c.layout.Rows, c.layout.Bytes)
		assert.True(t, strings.Contains(seamPage(t), about), "docs/seam.md does not say: %s", about)
	}
}

// What the page says of single numbers in its sentences.
func TestTheSeamHasTheLimitsOfTheModule(t *testing.T) {
	page := seamPage(t)
	for _, sentence := range []string{
		fmt.Sprintf("**ABI number: %d.**", abi.Number),
		fmt.Sprintf("flags: %d ASCII only ·", abi.FlagASCII>>8),
		fmt.Sprintf("Flag %d: it has a position", abi.FlagPlaced>>8),
		fmt.Sprintf("Flag %d: ephemeral output is out", abi.FlagDrafts>>8),
		fmt.Sprintf("a text id ≥ %d for other types; %#x none", abi.TextBase, uint32(abi.NoType)),
		fmt.Sprintf("`link_next(h)` | i32 rows | go on draining: call it until it answers fewer than %d", abi.RowTable().Rows),
		fmt.Sprintf("`relay_next(h)` | i32 rows | go on draining: call it until it answers fewer than %d", abi.OrderTable().Rows),
		fmt.Sprintf("room for %d bytes of a connection", abi.ArrivalRoom),
		fmt.Sprintf("that were fed before; %d at most", abi.ArrivalRoom),
		fmt.Sprintf("`maxFrame` is from 1 to %d, %d without the option; `maxDepth` from 1 to %d, %d without.", abi.MostLimit, sse.DefaultMaxFrame, link.MostDepth, events.MaxDepth),
		fmt.Sprintf("settled rows that are kept of a session, from 1 to %d}`", abi.MostLimit),
		fmt.Sprintf("`maxFrame` is %d without the option.", relay.DefaultMaxFrame),
		fmt.Sprintf("With `pageSize`, from 1 to %d, what is old", relay.MostPage),
		fmt.Sprintf("of: %d the log, cut anywhere; %d a document; %d the record", seam.OfLog, seam.OfDocument, seam.OfWritten),
		fmt.Sprintf("what: %d parks with their state at `now`, members as of a row, %d messages of the context, %d references", seam.TextParks, seam.TextMessages, seam.TextSpills),
		fmt.Sprintf("each once, %d the newest body of `watch`, %d the state to go on with as text, `null` with a context, %d `[[turnId,key]…]`", seam.TextIntent, seam.TextState, seam.TextGrants),
		fmt.Sprintf("kind %d from a cache, %d from the server; %d it could not be had",
			slices.Index(abi.PageNames, "cached"), slices.Index(abi.PageNames, "fresh"), slices.Index(abi.PageNames, "none")),
	} {
		assert.True(t, strings.Contains(page, sentence), "docs/seam.md does not say: %s", sentence)
	}
}

// What the page says of words, wherever it lists them.
func TestTheSeamHasTheWordsOfTheModule(t *testing.T) {
	page := strings.ReplaceAll(seamPage(t), `\|`, "|")
	for _, c := range []struct {
		member string
		words  []string
	}{
		{"start", wordsFrom(link.FromBeginning)},
		{"why", wordsFrom(link.First)},
		{"why", wordsFrom(park.CatchingUp)},
		{"state", names(told(link.ConnectionTable()))},
		{"phase", names(told(link.PhaseTable()))},
		{"status", wordsFrom(replay.Complete)},
		{"from", starts()},
		{"mode", wordsFrom(link.Enforce)},
		{"proof", wordsFrom(link.Prefer)},
	} {
		listed := regexp.MustCompile(fmt.Sprintf(`"%s"\??: ?%s[,}]`, c.member, regexp.QuoteMeta(quoted(c.words, "|"))))
		assert.Regexp(t, listed, page)
	}
}
