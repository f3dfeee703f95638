package check_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/check"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

func TestArguments(t *testing.T) {
	c, problem := check.ParseArgs(strings.Fields("a.jsonl --format sse -max=3 --json --quiet --strict --profile run --for 1m30s - -- --b"))
	require.Empty(t, problem)
	assert.Equal(t, check.Command{
		Sources: []string{"a.jsonl", "-", "--b"}, Format: check.SSE, Profile: "run", Millis: 90_000,
		Style: check.Style{JSON: true, Quiet: true, Strict: true, Max: 3},
	}, c)
	c, problem = check.ParseArgs([]string{"a"})
	assert.Empty(t, problem)
	assert.Equal(t, 10, c.Style.Max)
	for _, help := range []string{"--help", "-h", "-help"} {
		c, problem = check.ParseArgs([]string{help})
		assert.Empty(t, problem)
		assert.True(t, c.Help)
	}
}

func TestArgumentsThatCannotBeRead(t *testing.T) {
	for args, want := range map[string]string{
		"":                  "name at least one recording: a file, an address, or - for standard input",
		"a --jsno":          "there is no flag --jsno",
		"a --format":        "--format needs auto, jsonl, sse or har",
		"a --format xml":    `--format needs auto, jsonl, sse or har, not "xml"`,
		"a --max -1":        `--max needs a number from 0 on, not "-1"`,
		"a --max=":          `--max needs a number from 0 on, not ""`,
		"a --for 0":         `--for needs a time above 0, as in 30s or 5m, not "0"`,
		"a --for 3x":        `--for needs a time above 0, as in 30s or 5m, not "3x"`,
		"a --for s":         `--for needs a time above 0, as in 30s or 5m, not "s"`,
		"a --profile=":      `--profile needs a name or a file, not ""`,
		"a --json=true":     "--json takes no value",
		"- a -":             "standard input can be read once only",
		"a --profile":       "--profile needs a name or a file",
		"a --for 1h2m3s4ms": "",
	} {
		_, problem := check.ParseArgs(strings.Fields(args))
		assert.Equal(t, want, problem, args)
	}
}

func TestTimesOfArguments(t *testing.T) {
	for text, ms := range map[string]int64{"5": 5000, "250ms": 250, "2s": 2000, "5m": 300_000, "1h": 3_600_000, "1h2m3s4ms": 3_723_004} {
		c, problem := check.ParseArgs([]string{"a", "--for", text})
		assert.Empty(t, problem)
		assert.Equal(t, ms, c.Millis, text)
	}
}

func TestTheUsageNamesEveryFlag(t *testing.T) {
	for _, name := range []string{"profile", "format", "for", "max", "json", "quiet", "strict", "help"} {
		assert.Contains(t, check.Usage, "  --"+name+" ")
	}
	for _, line := range strings.Split(check.Usage+check.ExplainUsage, "\n") {
		assert.LessOrEqual(t, len(line), 90, line)
	}
}

func TestAddressesAndContentTypes(t *testing.T) {
	assert.True(t, check.IsAddress("https://x"))
	assert.True(t, check.IsAddress("http://x"))
	assert.False(t, check.IsAddress("httpx"))
	for text, want := range map[string]check.Format{
		"text/event-stream": check.SSE, "Text/Event-Stream ; charset=utf-8": check.SSE,
		"application/x-ndjson": check.JSONL, "application/jsonl": check.JSONL, "application/json": check.Auto, "": check.Auto,
	} {
		assert.Equal(t, want, check.FormatOfContent(text), text)
	}
}

func TestProblems(t *testing.T) {
	assert.Equal(t, "tidemark check: no\n  tidemark check --help says how to call it\n", check.Problem("check", "no"))
	assert.Equal(t, "--profile x: it is neither session, record or run, nor a file", check.ProfileProblem("x", ""))
	assert.Equal(t, "--profile x: why", check.ProfileProblem("x", "why"))
}

func TestExplain(t *testing.T) {
	text, problem := check.Explain([]string{"stream.gap.hole"}, check.Style{})
	assert.Empty(t, problem)
	rule := fault.RuleOf(fault.GapHole)
	for _, part := range []string{rule.Name, rule.Message, rule.Hint, rule.Href(), "whose fault: log"} {
		assert.Contains(t, string(text), part)
	}
	part, _ := check.Explain([]string{"gap.hole"}, check.Style{})
	assert.Equal(t, string(text), string(part))

	for _, several := range []string{"gap.d", "gap.d*"} {
		listed, problem := check.Explain([]string{several}, check.Style{})
		assert.Empty(t, problem)
		duplicate, disorder := fault.RuleOf(fault.GapDuplicate), fault.RuleOf(fault.GapDisorder)
		assert.Equal(t, duplicate.Name+"\n  "+duplicate.Message+"\n"+disorder.Name+"\n  "+disorder.Message+"\n", string(listed))
	}

	for args, want := range map[string]string{
		"mood": "there is no rule “mood”",
		"a b":  "takes one rule, got another: b", "--what": "there is no flag --what",
	} {
		_, problem := check.Explain(strings.Fields(args), check.Style{})
		assert.Contains(t, problem, want)
	}
	text, _ = check.Explain([]string{"-h"}, check.Style{})
	assert.Equal(t, check.ExplainUsage, string(text))
}

func TestExplainListsEveryRule(t *testing.T) {
	text, problem := check.Explain(nil, check.Style{})
	assert.Empty(t, problem)
	lines, _ := check.Explain([]string{"--json"}, check.Style{})
	count := 0
	for r := range fault.All() {
		count++
		assert.Contains(t, string(text), r.Name+"\n")
		assert.Contains(t, string(lines), `{"rule":"`+r.Name+`"`)
	}
	list := splitLines(string(lines))
	assert.Len(t, list, count)
	for _, line := range list {
		assert.True(t, json.Valid([]byte(line)), line)
	}
}
