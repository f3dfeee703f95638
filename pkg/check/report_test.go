package check_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/check"
)

func print(s check.Style, name, text string) string {
	return report(check.Options{Name: name}, s, text, whole)
}

func TestAdviceIsNoWiderThanAskedFor(t *testing.T) {
	text := print(check.Style{Width: 60}, "x", jsonl("1@3", "3@4", "3@3", "2@4"))
	wrapped := 0
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimLeft(line, " "), "→") {
			wrapped++
		}
		if strings.HasPrefix(line, "        ") || strings.Contains(line, "→") {
			assert.LessOrEqual(t, utf8.RuneCountInString(line), 60, line)
		}
	}
	assert.Equal(t, 4, wrapped)
	wide := print(check.Style{}, "x", jsonl("1", "3"))
	assert.Contains(t, wide, "→ Rebuild from a snapshot. Look the expected seq up in the log: either the store has lost it, or something")
}

func TestOfEachKindSoManyAreShown(t *testing.T) {
	var log []string
	for i := range 30 {
		log = append(log, fmt.Sprint(2*i+1))
	}
	text := print(check.Style{Max: 3}, "x", jsonl(log...))
	assert.Equal(t, 3, strings.Count(text, "is missing"))
	assert.Contains(t, text, "… and 26 more\n")
	assert.Equal(t, 29, strings.Count(print(check.Style{}, "x", jsonl(log...)), "is missing"))
}

func TestColours(t *testing.T) {
	plain := print(check.Style{}, "x", jsonl("1", "3"))
	assert.NotContains(t, plain, "\x1b")
	coloured := print(check.Style{Colour: true}, "x", jsonl("1", "3"))
	assert.Contains(t, coloured, "\x1b[31m✗\x1b[0m")
	for _, code := range []string{"\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[36m", "\x1b[2m", "\x1b[1m", "\x1b[0m"} {
		coloured = strings.ReplaceAll(coloured, code, "")
	}
	assert.Equal(t, plain, coloured)
}

func TestQuietIsOneLine(t *testing.T) {
	assert.Equal(t, "✗ x: 1 error\n", print(check.Style{Quiet: true}, "x", jsonl("1", "3")))
	assert.Equal(t, "✓ x: nothing is missing, doubled or out of order\n", print(check.Style{Quiet: true}, "x", jsonl("1", "2")))
	assert.Equal(t, "! x: 1 warning\n", print(check.Style{Quiet: true}, "x", jsonl(`{"type":"text_delta","sessionId":"s","seq":1}`)))
	assert.Equal(t, "✓ x: nothing is missing, doubled or out of order (1 note)\n", print(check.Style{Quiet: true}, "x", jsonl("1@1", "2@2")))
	text := print(check.Style{Quiet: true, JSON: true}, "x", jsonl("1", "3"))
	assert.True(t, strings.HasPrefix(text, `{"summary":`), text)
	assert.Equal(t, 1, strings.Count(text, "\n"))
}

// What a recording holds may be meant for the terminal of whoever looks at it.
func TestNothingInARecordingReachesTheTerminalRaw(t *testing.T) {
	evil := `\u001b[31mred\u202e\r\n\u009b`
	log := `{"type":"` + evil + `","sessionId":"s","seq":1,"turnId":"` + evil + `"}` + "\n" +
		`{"type":"turn_started","sessionId":"s","seq":2,"gen":"a\u202eb","turnId":"` + evil + `","ts":"` + evil + `"}` + "\n"
	text := print(check.Style{}, "evil\x1b[2J\n", log)
	for _, r := range text {
		assert.False(t, r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == 0x202e, "%U in %q", r, text)
	}
	assert.Contains(t, text, "[31mred")
}

func TestASessionOfManyIsListedOnlyForAReason(t *testing.T) {
	var log []string
	for i := range 25 {
		log = append(log, fmt.Sprintf("s%02d:1", i))
	}
	log = append(log, "s20:3")
	text := print(check.Style{}, "x", jsonl(log...))
	assert.Equal(t, 11, strings.Count(text, "\n  s")-1, text) // ten whole ones, and s20
	assert.Contains(t, text, "and 14 more sessions without findings")
	assert.Contains(t, text, "s20: seq 1–3")
}

func TestJSONHasEveryMember(t *testing.T) {
	lines := splitLines(print(check.Style{JSON: true}, "x.jsonl", jsonl("1@3", `{"type":"memory_consolidated","sessionId":"s","seq":4,"gen":4,"ts":"2025-11-04T09:00:00Z"}`)))
	require.Len(t, lines, 3)
	var takeover, hole map[string]any
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &takeover))
	require.NoError(t, json.Unmarshal([]byte(lines[1]), &hole))
	assert.Equal(t, "3", takeover["savedGeneration"])
	assert.Equal(t, "4", takeover["generation"])
	for name, want := range map[string]any{
		"finding": "hole", "severity": "error", "rule": "stream.gap.hole", "file": "x.jsonl", "session": "s",
		"type": "memory_consolidated", "expectedSeq": 2.0, "receivedSeq": 4.0, "count": 2.0, "line": 2.0, "offset": 71.0,
		"time": "2025-11-04T09:00:00Z", "says": "seq 2–3 are missing: 4 comes next", "href": "docs/faults.md#stream-gap-hole",
	} {
		assert.Equal(t, want, hole[name], name)
	}
	assert.NotEmpty(t, hole["hint"])
	assert.NotContains(t, hole, "at")

	var end struct {
		Summary struct {
			File, Format, Profile             string
			Bytes, Events, Recorded, Errors   int
			Findings                          map[string]int
			Sessions                          []map[string]any
			Warnings, Information, Unrecorded int
		}
	}
	require.NoError(t, json.Unmarshal([]byte(lines[2]), &end))
	assert.Equal(t, map[string]int{"hole": 1, "takeover": 1}, end.Summary.Findings)
	assert.Equal(t, "jsonl", end.Summary.Format)
	assert.Equal(t, []map[string]any{{
		"session": "s", "firstSeq": 1.0, "lastSeq": 4.0, "recorded": 2.0, "unrecorded": 0.0,
		"oldestGeneration": "3", "newestGeneration": "4", "strength": "none",
	}}, end.Summary.Sessions)
}

// what is shown has the numbers of the wire.
func TestBase0ShowsWireNumbers(t *testing.T) {
	text := print(check.Style{JSON: true}, "x", "")
	assert.Contains(t, text, `"sessions":[]`)
	all := recordings(t)
	text = report(optionsFor(t, "openai-like.sse"), check.Style{JSON: true}, all["openai-like.sse"], whole)
	assert.Contains(t, text, `"expectedSeq":5,"receivedSeq":6`)
	assert.Contains(t, text, `"firstSeq":0,"lastSeq":8`)
}

//
func TestStrength(t *testing.T) {
	for log, want := range map[string]string{
		jsonl("1@3", "2@3"): "exact", jsonl("1", "2"): "contiguous", jsonl("1", "3"): "none", jsonl("1@3", "2@4"): "exact",
	} {
		_, s := run(check.Options{}, log, 0)
		assert.Equal(t, want, s.Sessions[0].Strength.String(), log)
	}
	_, s := run(check.Options{}, har(stream(live("1@3")), stream(live("4@3"))), 0)
	assert.Equal(t, "ordered", s.Sessions[0].Strength.String())
}

func TestTotals(t *testing.T) {
	verdict := func(text string) check.Verdict {
		r := check.NewReport(check.Options{}, check.Style{})
		r.Write([]byte(text))
		r.Close(false)
		return r.Verdict()
	}
	clean, wrong, unreadable := verdict(jsonl("1", "2")), verdict(jsonl("1", "3")), verdict("<html>")
	warned := verdict(jsonl(`{"type":"text_delta","sessionId":"s","seq":1}`))
	assert.Equal(t, []check.Verdict{check.Clean, check.Wrong, check.Unreadable, check.Warned}, []check.Verdict{clean, wrong, unreadable, warned})
	for _, c := range []struct {
		verdicts     []check.Verdict
		exit, strict int
		text         string
	}{
		{nil, 0, 0, ""},
		{[]check.Verdict{clean}, 0, 0, ""},
		{[]check.Verdict{clean, warned}, 0, 1, "\n2 recordings: 1 clean, 1 with warnings\n"},
		{[]check.Verdict{clean, wrong, wrong}, 1, 1, "\n3 recordings: 1 clean, 2 with errors\n"},
		{[]check.Verdict{wrong, unreadable}, 3, 3, "\n2 recordings: 1 with errors, 1 unreadable\n"},
	} {
		var total check.Total
		for _, v := range c.verdicts {
			total.Add(v)
		}
		assert.Equal(t, c.exit, total.Exit(check.Style{}))
		assert.Equal(t, c.strict, total.Exit(check.Style{Strict: true}))
		assert.Equal(t, c.text, string(total.AppendText(nil, check.Style{})))
		assert.Empty(t, total.AppendText(nil, check.Style{JSON: true}))
	}
}

func TestTrouble(t *testing.T) {
	for _, cause := range []string{check.CauseNotFound, check.CauseDirectory, check.CauseDenied, check.CauseStatus, check.CauseConnection, check.CauseOther} {
		text := string(check.AppendTrouble(nil, "a.jsonl", cause, "so it said", check.Style{}))
		assert.Regexp(t, "^✗ a.jsonl: .* \\(so it said\\)\n  → .*\n$", text)
		var line map[string]string
		require.NoError(t, json.Unmarshal(check.AppendTrouble(nil, "a.jsonl", cause, "so it said", check.Style{JSON: true}), &line))
		assert.Equal(t, cause, line["unreadable"])
	}
	unknown := string(check.AppendTrouble(nil, "a", "mood", "", check.Style{Quiet: true}))
	assert.Equal(t, "✗ a: it could not be read\n", unknown)
	assert.Contains(t, print(check.Style{}, "x", "<html>"), "✗ x: it is no recording (HTML or XML)")
}
