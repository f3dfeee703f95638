package check_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/check"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/events/catalog"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// jsonl writes a log in short: "3" is seq 3, "3@7" has generation 7, "3@b" the
// text b, "b:3" is of session b; a line that begins with a brace stands as it is.
func jsonl(short ...string) string {
	var out strings.Builder
	for _, s := range short {
		if !strings.HasPrefix(s, "{") {
			s = record(s)
		}
		out.WriteString(s + "\n")
	}
	return out.String()
}

func record(short string) string {
	session, place, named := strings.Cut(short, ":")
	if !named {
		session, place = "s", short
	}
	seq, generation, fenced := strings.Cut(place, "@")
	text := `{"v":1,"type":"memory_consolidated","sessionId":"` + session + `","seq":` + seq
	if fenced {
		text += `,"gen":"` + generation + `"`
	}
	return text + "}"
}

// what can be wrong in a log.
func TestLogs(t *testing.T) {
	cases := []struct {
		name string
		log  []string
		want []string
	}{
		{"whole", []string{"1", "2", "3"}, nil},
		{"hole", []string{"1", "4", "5"}, []string{"hole, s, expected 2, found 4, line 2"}},
		{"two holes", []string{"1", "3", "5"}, []string{"hole, s, expected 2, found 3, line 2", "hole, s, expected 4, found 5, line 3"}},
		{"double", []string{"1", "2", "2", "3"}, []string{"double, s, expected 3, found 2, line 3"}},
		{"a run of doubles is one", []string{"1", "2", "3", "1", "2", "3", "4"}, []string{"double, s, expected 4, found 1, through 3, line 4"}},
		{"two runs are two", []string{"1", "2", "2", "1", "2", "3"}, []string{
			"double, s, expected 3, found 2, line 3", "double, s, expected 3, found 1, through 2, line 4"}},
		{"a run at the end", []string{"1", "2", "1"}, []string{"double, s, expected 3, found 1, line 3"}},
		{"swapped", []string{"1", "3", "2", "4"}, []string{"hole, s, expected 2, found 3, line 2", "disorder, s, expected 4, found 2, line 3"}},
		{"late, then again", []string{"1", "4", "3", "3", "5"}, []string{
			"hole, s, expected 2, found 4, line 2", "disorder, s, expected 5, found 3, line 3", "double, s, expected 5, found 3, line 4"}},
		{"before the beginning", []string{"5", "6", "3", "7"}, []string{
			"pruned_start, s, expected 1, found 5, line 1", "disorder, s, expected 7, found 3, line 3"}},
		{"takeover", []string{"1@3", "2@3", "3@4"}, []string{"takeover, s, found 3, line 3"}},
		{"first generation late", []string{"1", "2@4", "3", "4@4"}, nil},
		{"generation falls", []string{"1@3", "2@4", "3@3", "3@4"}, []string{"takeover, s, found 2, line 2", "stale_generation, s, found 3, line 3"}},
		{"generation returns", []string{"1@a", "2@b", "3@a", "3@b"}, []string{"takeover, s, found 2, line 2", "stale_generation, s, found 3, line 3"}},
		{"text and digits", []string{"1@7", "2@b", "3@8"}, []string{"takeover, s, found 2, line 2", "takeover, s, found 3, line 3"}},
		{"generation before seq", []string{"1@4", "2@4", "2@3"}, []string{"stale_generation, s, found 2, line 3"}},
		{"a double of a new writer", []string{"1@3", "2@3", "2@4", "3@4"}, []string{"takeover, s, found 2, line 3", "double, s, expected 3, found 2, line 3"}},
		{"two sessions", []string{"a:1", "b:1", "a:2", "b:3"}, []string{"hole, b, expected 2, found 3, line 4"}},
		{"no type, no session", []string{"1", "{}", `{"type":"memory_consolidated","seq":2}`}, []string{"unknown_type, s, line 2"}},
		{"a session that is named later", []string{`{"type":"memory_consolidated","seq":1}`, "2", "4"}, []string{"hole, s, expected 3, found 4, line 3"}},
		{"no session among several", []string{"a:1", "b:1", `{"type":"memory_consolidated","seq":2}`}, []string{"unattributed, found 2, line 3"}},
		{"malformed", []string{"1", `{"seq":"2"}`, `{"seq":2,}`, `{"seq":2,"seq":3}`, `{"type":7}`, "2"}, []string{
			"malformed, s, line 2", "malformed, s, line 3", "malformed, s, line 4", "malformed, s, line 5"}},
		{"ephemeral", []string{"1", `{"type":"text_delta","sessionId":"s","turnId":"t"}`, `{"type":"text_delta","sessionId":"s","turnId":"t","seq":2}`}, []string{
			"ephemeral_recorded, s, line 2", "ephemeral_recorded, s, found 2, line 3"}},
		{"listener only", []string{"1", `{"type":"agent_pending","sessionId":"s","turnId":"t","seq":2}`}, []string{"ephemeral_recorded, s, found 2, line 2"}},
		{"unstamped", []string{"1", `{"type":"memory_consolidated","sessionId":"s"}`, "2"}, []string{"unstamped, s, line 2"}},
		{"unknown types once each", []string{"1", `{"type":"x","seq":2,"sessionId":"s"}`, `{"type":"x","seq":3,"sessionId":"s"}`, `{"type":"y","seq":4,"sessionId":"s"}`}, []string{
			"unknown_type, s, found 2, line 2", "unknown_type, s, found 4, line 4"}},
		{"generation of a live event", []string{`{"type":"memory_consolidated","seq":1,"sessionId":"s","generation":3}`, "2@4", `{"type":"memory_consolidated","seq":3,"sessionId":"s","generation":3}`}, []string{
			"takeover, s, found 2, line 2", "stale_generation, s, found 3, line 3"}},
		{"nothing recorded", []string{`{"type":"memory_consolidated","sessionId":"s"}`}, []string{"nothing_recorded"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			found, _ := run(check.Options{}, jsonl(c.log...), 0)
			assert.Equal(t, append([]string{}, c.want...), briefs(found))
		})
	}
}

func TestTurns(t *testing.T) {
	turn := func(kind, seq, turn string) string {
		return `{"type":"` + kind + `","sessionId":"s","seq":` + seq + `,"turnId":"` + turn + `"}`
	}
	cases := []struct {
		name string
		log  []string
		want []string
	}{
		{"completed", []string{turn("turn_started", "1", "t"), turn("turn_completed", "2", "t")}, nil},
		{"failed", []string{turn("turn_started", "1", "t"), turn("turn_failed", "2", "t")}, nil},
		{"open", []string{turn("turn_started", "1", "t"), turn("iteration_started", "2", "t")}, []string{"unfinished_turn, s, turn t, line 1"}},
		{"another one ended", []string{turn("turn_started", "1", "t"), turn("turn_completed", "2", "u")}, []string{"unfinished_turn, s, turn t, line 1"}},
		{"paused", []string{turn("turn_started", "1", "t"), turn("turn_paused", "2", "t")}, []string{"paused_turn, s, turn t, line 2"}},
		{"went on", []string{turn("turn_paused", "1", "t"), turn("turn_resuming", "2", "t")}, []string{"unfinished_turn, s, turn t, line 2"}},
		{"in the order of the recording", []string{turn("turn_started", "1", "z"), turn("turn_started", "2", "a")}, []string{
			"unfinished_turn, s, turn z, line 1", "unfinished_turn, s, turn a, line 2"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := jsonl(c.log...)
			found, _ := run(check.Options{}, text, 0)
			assert.Equal(t, append([]string{}, c.want...), briefs(found))
			assert.Empty(t, stopped(check.New(check.Options{}), text), "who stops reading cannot tell")
		})
	}
}

func TestTimes(t *testing.T) {
	cases := []struct {
		name   string
		values []string
		back   int64
	}{
		{"forward", []string{`"2025-11-04T09:00:00Z"`, `"2025-11-04T09:00:00.001Z"`}, 0},
		{"back", []string{`"2025-11-04T09:00:01.5Z"`, `"2025-11-04T09:00:00.25Z"`}, 1250},
		{"equal in another zone", []string{`"2025-11-04T09:00:00Z"`, `"2025-11-04T10:00:00+01:00"`}, 0},
		{"back in another zone", []string{`"2025-11-04T09:00:00Z"`, `"2025-11-04T09:59:59+01:00"`}, 1000},
		{"west", []string{`"2025-11-04T09:00:00Z"`, `"2025-11-04T04:30:00-05:00"`}, 0},
		{"over a leap day", []string{`"2024-02-29T23:59:59Z"`, `"2024-03-01T00:00:00Z"`}, 0},
		{"back over a new year", []string{`"2025-01-01T00:00:00Z"`, `"2024-12-31T23:59:58Z"`}, 2000},
		{"numbers", []string{"1762247600123", "1762247600100"}, 23},
		{"number and text", []string{`"1970-01-01T00:00:02Z"`, "1500"}, 500},
		{"not a time", []string{`"yesterday"`, `"2025-13-04T09:00:00Z"`, `"2025-11-04 09:00:00Z!"`, "1.5", "null"}, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var log []string
			for i, v := range c.values {
				log = append(log, strings.Replace(record(string(rune('1'+i))), "{", `{"ts":`+v+",", 1))
			}
			found, _ := run(check.Options{}, jsonl(log...), 0)
			if c.back == 0 {
				assert.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			assert.Equal(t, check.ClockBack, found[0].Kind)
			assert.Equal(t, c.back, found[0].Count)
			assert.Equal(t, strings.Trim(c.values[1], `"`), found[0].Time)
		})
	}
}

// what a profile does not promise cannot be broken.
func TestProfiles(t *testing.T) {
	plain := func(seqs ...string) string {
		var out strings.Builder
		for _, s := range seqs {
			out.WriteString(`{"n":` + s + "}\n")
		}
		return out.String()
	}
	cases := []struct {
		name, profile string
		log           string
		want          []string
	}{
		{"contiguous", `{"members":{"seq":"n"}}`, plain("1", "3"), []string{"hole, expected 2, found 3, line 2"}},
		{"monotonic", `{"members":{"seq":"n"},"continuity":"monotonic"}`, plain("5", "9", "9"), []string{"double, expected 10, found 9, line 3"}},
		{"opaque", `{"members":{"seq":"n"},"continuity":"opaque"}`, plain("5", "9", "9", "2"), nil},
		{"base 0", `{"members":{"seq":"n"},"base":0}`, plain("0", "1", "3"), []string{"hole, expected 3, found 4, line 3"}},
		{"base 0 begins later", `{"members":{"seq":"n"},"base":0}`, plain("1", "2"), []string{"pruned_start, expected 1, found 2, line 1"}},
		{"terminal", `{"members":{"seq":"n"},"terminal":["end"]}`, plain("1"), []string{"missing_terminal, line 1"}},
		{"terminal came", `{"members":{"seq":"n"},"terminal":["end"]}`, plain("1") + `{"type":"end","n":2}`, nil},
		{"run", `"run"`, `{"type":"turn_started","runId":"r","seq":1,"turnId":"t"}`, []string{"missing_terminal, r, line 1"}},
		{"counted", `{"position":"counted","continuity":"counted"}`, plain("1", "1"), nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p, err := profile.Parse([]byte(c.profile))
			require.NoError(t, err)
			found, _ := run(check.Options{Format: check.JSONL, Profile: p}, c.log, 0)
			assert.Equal(t, append([]string{}, c.want...), briefs(found))
		})
	}
}

func TestLinesThatHoldNothing(t *testing.T) {
	text := "\xEF\xBB\xBF\n  \t\r\n" + record("1") + "\r\n\n   " + record("3")
	found, s := run(check.Options{}, text, 0)
	assert.Equal(t, []string{"hole, s, expected 2, found 3, line 5"}, briefs(found))
	assert.EqualValues(t, strings.LastIndex(text, "{"), found[0].Place.Offset)
	assert.EqualValues(t, 2, s.Events)
}

func TestWhatAMalformedEventSays(t *testing.T) {
	found, _ := run(check.Options{}, "  {\"seq\":1,\r\n{\"type\":\"memory_consolidated\",\"seq\":\"7\"}\n", 0)
	require.Len(t, found, 2)
	assert.Equal(t, check.Place{Line: 1, Offset: 2, At: 9}, found[0].Place)
	assert.Equal(t, events.NotJSON.String(), found[0].What)
	assert.Equal(t, check.Place{Line: 2, Offset: 13, At: 36}, found[1].Place)
	assert.Equal(t, events.BadSeq.String(), found[1].What)
	assert.Equal(t, fault.BadEvent, found[1].Rule)
}

func TestHalfALine(t *testing.T) {
	whole := jsonl("1", "2")
	for cut := range len(record("2")) - 1 {
		found, _ := run(check.Options{}, whole[:len(whole)-2-cut], 0)
		require.Len(t, found, 1)
		assert.Equal(t, check.Damaged, found[0].Kind)
		assert.EqualValues(t, 2, found[0].Place.Line)
	}
	found, _ := run(check.Options{}, strings.TrimSuffix(whole, "\n"), 0)
	assert.Empty(t, found, "a line that only lacks its break is whole")
	assert.Empty(t, stopped(check.New(check.Options{}), whole[:len(whole)-9]))
}

func TestTheRecordTypesAreThoseOfTheCatalog(t *testing.T) {
	for _, r := range catalog.Records {
		found, _ := run(check.Options{}, `{"type":"`+r.Name+`","seq":1,"sessionId":"s"}`, 0)
		assert.Empty(t, found, r.Name)
	}
}
