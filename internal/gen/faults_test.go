package gen

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

func faultFile(t *testing.T, path string) string {
	t.Helper()
	files, err := faultFiles(filepath.Join("..", ".."))
	require.NoError(t, err)
	for _, f := range files {
		if f.Path == path {
			return string(f.Data)
		}
	}
	t.Fatalf("%s is not generated", path)
	return ""
}

func TestEveryRuleHasItsSection(t *testing.T) {
	text := faultFile(t, "docs/faults.md")
	for r := range fault.All() {
		page, anchor, ok := strings.Cut(r.Href(), "#")
		require.True(t, ok)
		assert.Equal(t, "docs/faults.md", page)
		section := "<a id=\"" + anchor + "\"></a>\n\n### " + r.Name + "\n"
		assert.Equal(t, 1, strings.Count(text, section), r.Name)
		assert.True(t, strings.Contains(text, "](#"+anchor+")"), "the table links to %s", r.Name)
		_, body, _ := strings.Cut(text, section)
		body, _, _ = strings.Cut(body, "\n### ")
		for _, part := range []string{r.Message, r.Hint, occasions[r.ID].when} {
			assert.Contains(t, body, part, r.Name)
		}
	}
	for _, c := range fault.Codes() {
		assert.True(t, strings.Contains(text, "| `"+c.String()+"` |"), c.String())
	}
}

func TestEveryOccasionIsTold(t *testing.T) {
	protocol, err := os.ReadFile(filepath.Join("..", "..", "docs", "protocol.md"))
	require.NoError(t, err)
	stream := 0
	for r := range fault.All() {
		if r.ID == 0 {
			continue
		}
		stream++
		o, ok := occasions[r.ID]
		require.True(t, ok, "%s: when?", r.Name)
		assert.True(t, strings.HasSuffix(o.when, "."), r.Name)
		require.NotEmpty(t, o.from, r.Name)
		for _, number := range o.from {
			assert.True(t, strings.Contains(string(protocol), "- **"+number+"** "), "%s names %s, which the protocol lacks", r.Name, number)
		}
	}
	assert.Len(t, occasions, stream, "no occasion without a rule")
	for s := fault.SideConsumer; s.String() != ""; s++ {
		assert.NotEmpty(t, sideMeanings[s], s.String())
	}
}

// Whatever the protocol calls a fault by name is in the catalog.
func TestProtocolNamesKnownRules(t *testing.T) {
	protocol, err := os.ReadFile(filepath.Join("..", "..", "docs", "protocol.md"))
	require.NoError(t, err)
	named := 0
	for _, part := range strings.Split(string(protocol), "`") {
		if strings.HasPrefix(part, "stream.") {
			_, ok := fault.Lookup(part)
			assert.True(t, ok, part)
			named++
		}
	}
	assert.NotZero(t, named)
}

func TestCatalogData(t *testing.T) {
	text := faultFile(t, "web/src/gen/catalog.json")
	var got catalogFile
	require.NoError(t, json.Unmarshal([]byte(text), &got))
	assert.Equal(t, catalogData(), got, "what is written reads back")
	assert.Len(t, got.Codes, 8)
	assert.Len(t, got.Refusals, 3+16)
	rules := map[string]ruleData{}
	for _, r := range got.Rules {
		rules[r.ID] = r
	}
	for _, r := range got.Refusals {
		assert.Contains(t, rules, r.Rule)
	}
	assert.Equal(t, []conditionData{{Code: "server_error"}, {Code: "overloaded"}, {Status: map[string]int{"gte": 500}}},
		rules["provider.unavailable"].Any)
	assert.True(t, *rules["stream.stalled"].Retryable)
	assert.False(t, *rules["stream.gap"].Retryable)
	assert.Equal(t, 121, rules["stream.gap.hole"].Number)
}
