package check_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/check"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// live writes a frame in the short form of record, with its token as id.
func live(short string) string {
	text := strings.Replace(strings.Replace(record(short), `"v":1,`, "", 1), `"gen"`, `"generation"`, 1)
	session, place, named := strings.Cut(short, ":")
	if !named {
		session, place = "s", short
	}
	return "id: " + session + ":" + place + "\ndata: " + text + "\n\n"
}

func control(name, members string) string {
	return "event: tidemark." + name + "\ndata: {\"sessionId\":\"s\"" + members + "}\n\n"
}

func head(last, from string) string {
	return control("head", `,"lastSeq":`+last+`,"from":`+from)
}

func TestStreams(t *testing.T) {
	cases := []struct {
		name   string
		frames []string
		want   []string
	}{
		{"whole", []string{head("2", "1"), live("1"), live("2"), control("live", `,"lastSeq":2`), live("3")}, nil},
		{"without a head", []string{live("4"), live("5")}, []string{"pruned_start, s, expected 1, found 4, line 1"}},
		{"resumed", []string{head("7", "6"), live("6"), live("7"), live("8")}, nil},
		{"hole behind the head", []string{head("7", "6"), live("7")}, []string{"hole, s, expected 6, found 7, line 4"}},
		{"before the head's from", []string{head("7", "6"), live("5"), live("6")}, []string{"not_above_cursor, s, expected 6, found 5, line 4"}},
		{"a head that contradicts itself", []string{head("3", "9")}, []string{"contradiction, s, line 1"}},
		{"short", []string{head("3", "1"), live("1"), control("live", `,"lastSeq":3`)}, []string{"short, s, expected 2, found 1, through 3, line 7"}},
		{"live without a head", []string{live("1"), control("live", `,"lastSeq":1`)}, []string{"contradiction, s, line 4"}},
		{"recorded after the end", []string{head("1", "1"), live("1"), control("end", `,"reason":"closed"`), live("2"), live("3")}, []string{"contradiction, s, found 2, line 10"}},
		{"recorded after a refusal", []string{control("head", `,"lastSeq":9`), control("refused", `,"reason":"gap","detail":"pruned"`), live("9")}, []string{
			"refused, s, line 4", "contradiction, s, found 9, line 7", "pruned_start, s, expected 1, found 9, line 7"}},
		{"bad control", []string{control("head", ""), control("live", `,"lastSeq":"2"`), control("refused", `,"reason":"mood"`), "event: tidemark.end\ndata: x\n\n"}, []string{
			"bad_control, line 1", "bad_control, line 4", "bad_control, line 7", "bad_control, line 10"}},
		{"controls of a newer server", []string{control("weather", `,"lastSeq":"?"`), live("1")}, nil},
		{"foreign", []string{head("1", "1"), live("1"), live("b:4")}, []string{"foreign_session, b, found 4, line 7"}},
		{"relayed without seq", []string{head("1", "1"), live("1"), "data: {\"type\":\"text_delta\",\"sessionId\":\"b\"}\n\n"}, nil},
		{"relayed of a type that its own log records", []string{head("2", "1"), live("1"), "data: {\"type\":\"turn_started\",\"sessionId\":\"b\",\"turnId\":\"t\"}\n\n", live("2")}, nil},
		{"unstamped", []string{head("2", "1"), live("1"), "data: {\"type\":\"turn_started\",\"sessionId\":\"s\",\"turnId\":\"t\"}\n\n", live("2")}, []string{"unstamped, s, line 7"}},
		{"replayed above its head", []string{control("head", `,"lastSeq":3,"from":1,"generation":4`), live("1@3"), live("2@5"), live("2@4")}, []string{
			"head_generation, s, found 2, line 7", "takeover, s, found 2, line 10"}},
		{"takeover while live", []string{control("head", `,"lastSeq":1,"from":1,"generation":4`), live("1@4"), control("live", `,"lastSeq":1`), live("2@5")}, []string{"takeover, s, found 2, line 10"}},
		{"a second connection goes on", []string{head("2", "1"), live("1"), live("2"), head("3", "3"), live("3")}, nil},
		{"a second connection leaves a hole", []string{head("2", "1"), live("1"), live("2"), head("5", "5"), live("5")}, []string{"hole_between, s, expected 3, found 5, line 10"}},
		{"a second connection begins again", []string{head("2", "1"), live("1@3"), live("2@4"), head("2", "1"), live("1@3"), live("2@4")}, []string{
			"takeover, s, found 2, line 7", "takeover, s, found 2, line 16"}},
		{"the log lost its tail", []string{head("3", "1"), live("1"), live("2"), live("3"), head("2", "1")}, []string{"lost_tail, s, expected 3, found 2, line 13"}},
		{"a head of an older writer", []string{head("1", "1"), live("1@4"), control("head", `,"lastSeq":1,"from":2,"generation":3`)}, []string{"stale_generation, s, expected 1, found 1, line 7"}},
		{"id of another place", []string{head("2", "1"), "id: s:9\n" + strings.SplitN(live("1"), "\n", 2)[1], live("2")}, []string{"id_mismatch, s, expected 1, found 9, line 4"}},
		{"id of another session", []string{"id: b:1\n" + strings.SplitN(live("1"), "\n", 2)[1]}, []string{"id_mismatch, s, expected 1, found 1, line 1"}},
		{"id that is no token", []string{"id: whatever\n" + strings.SplitN(live("1"), "\n", 2)[1]}, nil},
		{"session from the id", []string{"id: b:1\ndata: {\"type\":\"memory_consolidated\",\"seq\":1}\n\n", live("a:1"), live("b:3")}, []string{"hole, b, expected 2, found 3, line 7"}},
		{"malformed", []string{live("1"), "data: {\"seq\":\n\n", live("2")}, []string{"malformed, s, line 4"}},
		{"meant for others", []string{live("1"), "event: ping\ndata: now\n\n", "data:\n\n", ": comment\n\n", "data: [DONE]\n\n"}, nil},
		{"cut", []string{live("1"), "id: s:2\ndata: {\"ty"}, []string{"cut, line 4"}},
		{"cut behind a line", []string{live("1"), "id: s:2\n"}, []string{"cut, line 4"}},
		{"lines end in any way", []string{strings.ReplaceAll(live("1"), "\n", "\r\n"), strings.ReplaceAll(live("2"), "\n", "\r"), live("4")}, []string{"hole, s, expected 3, found 4, line 7"}},
		{"data of many lines", []string{"data: {\"type\":\"memory_consolidated\",\ndata: \"seq\":1,\ndata: \"sessionId\":\"s\"}\n\n", live("3")}, []string{"hole, s, expected 2, found 3, line 5"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Join(c.frames, "")
			for _, size := range []int{0, 1, 7} {
				found, _ := run(check.Options{Format: check.SSE}, text, size)
				assert.Equal(t, append([]string{}, c.want...), briefs(found), "chunks of %d", size)
			}
		})
	}
}

func TestARefusalHasTheRuleOfItsReason(t *testing.T) {
	for members, want := range map[string]fault.ID{
		`,"reason":"gap","detail":"pruned"`: fault.GapPruned,
		`,"reason":"cursor_ahead"`:          fault.CursorAhead,
		`,"reason":"gap","detail":"mood"`:   fault.Gap,
		`,"reason":"generation_changed"`:    fault.GenerationChanged,
	} {
		found, _ := run(check.Options{Format: check.SSE}, control("head", `,"lastSeq":9`)+control("refused", members), 0)
		require.NotEmpty(t, found)
		assert.Equal(t, check.Refused, found[0].Kind)
		assert.Equal(t, want, found[0].Rule)
	}
}

// a position in the SSE id.
func TestPositionsInTheID(t *testing.T) {
	p, err := profile.Parse([]byte(`{"position":"id","members":{"session":""}}`))
	require.NoError(t, err)
	text := "id: 1\ndata: {}\n\nid: 2\ndata: {}\n\ndata: {}\n\nid: x\ndata: {}\n\nid: 4\ndata: {}\n\n"
	found, s := run(check.Options{Format: check.SSE, Profile: p}, text, 0)
	assert.Equal(t, []string{"hole, expected 3, found 4, line 12"}, briefs(found))
	assert.EqualValues(t, 3, s.Recorded)
	assert.EqualValues(t, 2, s.Unrecorded)

	found, _ = run(check.Options{Format: check.SSE, Profile: p}, "data: {}\n\n", 0)
	assert.Equal(t, []string{"nothing_recorded"}, briefs(found))

	found, _ = run(check.Options{Format: check.SSE, Profile: p}, "id: s:1@7\ndata: {}\n\nid: s:2@8\ndata: {}\n\n", 0)
	assert.Equal(t, []string{"takeover, s, found 2, line 4"}, briefs(found))
}

// what is beyond the limit is said, and the rest is not
// guessed at.
func TestFramesAndLinesBeyondTheLimit(t *testing.T) {
	long := "data: {\"seq\":3,\"x\":\"" + strings.Repeat("x", 5000) + "\"}\n\n"
	for _, size := range []int{0, 1, 1000} {
		found, _ := run(check.Options{Format: check.SSE, MaxFrame: 2000}, live("1")+long+live("9"), size)
		assert.Equal(t, []string{"too_large, line 4"}, briefs(found))
	}
	log := jsonl("1") + strings.Repeat("x", 5000) + "\n" + jsonl("2", "4")
	for _, size := range []int{0, 1, 1000} {
		found, s := run(check.Options{Format: check.JSONL, MaxFrame: 2000}, log, size)
		assert.Equal(t, []string{"too_large, line 2", "hole, s, expected 3, found 4, line 4"}, briefs(found))
		assert.EqualValues(t, strings.Index(log, `{"v":1,"type":"memory_consolidated","sessionId":"s","seq":4`), found[1].Place.Offset)
		assert.EqualValues(t, 3, s.Events)
	}
}

func TestAnAddressSaysWhereItsStreamBegins(t *testing.T) {
	o := check.Options{Format: check.SSE, Name: "https://x.example/v1/sessions/s/events?cursor=s%3A4"}
	found, _ := run(o, live("5")+live("6"), 0)
	assert.Empty(t, found)
	found, _ = run(o, live("1")+live("2"), 0)
	assert.Equal(t, []string{"not_above_cursor, s, expected 5, found 1, line 1"}, briefs(found))
	found, _ = run(o, live("6"), 0)
	assert.Equal(t, []string{"hole, s, expected 5, found 6, line 1"}, briefs(found))
}
