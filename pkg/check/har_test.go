package check_test

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/check"
)

// entry is one request of a HAR, as far as it matters.
type entry struct {
	url, started, mime, text string
	encoding                 string
	lastEventID              string
	messages                 string // JSON of _eventSourceMessages
	noText                   bool
}

const streamMime = "text/event-stream"

// write writes the members in the order that most browsers use: the time behind
// the answer, the encoding behind the text.
func (e entry) write() string {
	q := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	content := `"mimeType":` + q(e.mime)
	if !e.noText {
		content += `,"text":` + q(e.text)
	}
	if e.encoding != "" {
		content += `,"encoding":` + q(e.encoding)
	}
	first := ""
	if e.messages != "" {
		first = `"_eventSourceMessages":` + e.messages + ","
	}
	return `{` + first + `"request":{"url":` + q(e.url) + `,"headers":[{"name":"Last-Event-ID","value":` + q(e.lastEventID) + `}]},` +
		`"response":{"status":200,"content":{` + content + `}},"startedDateTime":` + q(e.started) + `}`
}

func har(entries ...entry) string {
	var list []string
	for _, e := range entries {
		list = append(list, e.write())
	}
	return `{"log":{"version":"1.2","entries":[` + strings.Join(list, ",") + `]}}`
}

func stream(text string) entry { return entry{mime: streamMime, text: text} }

func TestArchives(t *testing.T) {
	packed := func(text string) entry {
		return entry{mime: streamMime, text: base64.StdEncoding.EncodeToString([]byte(text)), encoding: "base64"}
	}
	asked := func(url string, e entry) entry { e.url = url; return e }
	with := func(id string, e entry) entry { e.lastEventID = id; return e }
	cases := []struct {
		name    string
		entries []entry
		want    []string
	}{
		{"one connection", []entry{stream(live("1") + live("2"))}, nil},
		{"a hole in it", []entry{stream(live("1") + live("3"))}, []string{"hole, s, expected 2, found 3, entry 1, line 4"}},
		{"others are left alone", []entry{{mime: "text/html", text: "data: x\n\n"}, stream(live("1") + live("3"))}, []string{"hole, s, expected 2, found 3, entry 2, line 4"}},
		{"a type with parameters", []entry{{mime: " Text/Event-Stream\t; charset=utf-8", text: live("1") + live("3")}}, []string{"hole, s, expected 2, found 3, entry 1, line 4"}},
		{"a type that is longer", []entry{{mime: "text/event-streams", text: live("1") + live("3")}}, []string{"nothing_recorded"}},
		{"base64", []entry{packed(live("1") + live("3"))}, []string{"hole, s, expected 2, found 3, entry 1, line 4"}},
		{"base64 of little", []entry{packed("data: {\n\n"), stream(live("1"))}, []string{"malformed, entry 1, line 1"}},
		{"content type with a charset", []entry{{mime: "Text/Event-Stream; charset=utf-8", text: live("1")}}, nil},
		{"goes on", []entry{stream(live("1")), stream(live("2"))}, nil},
		{"begins again", []entry{stream(live("1") + live("2")), stream(live("1") + live("2"))}, []string{"overlap, s, expected 3, found 1, entry 2, line 1"}},
		{"begins again across a takeover", []entry{stream(live("1@3") + live("2@4")), stream(live("1@3") + live("2@4"))}, []string{
			"takeover, s, found 2, entry 1, line 4", "overlap, s, expected 3, found 1, entry 2, line 1", "takeover, s, found 2, entry 2, line 4"}},
		{"leaves something out", []entry{stream(live("1")), stream(live("4"))}, []string{"hole_between, s, expected 2, found 4, entry 2, line 1"}},
		{"asked and answered", []entry{stream(live("1") + live("2")), asked("https://x/v1/sessions/s/events?cursor=s:2", stream(live("3")))}, nil},
		{"the cursor was ignored", []entry{stream(live("1") + live("2")), asked("https://x/v1/sessions/s/events?cursor=s%3A2%407", stream(live("1")))}, []string{
			"not_above_cursor, s, expected 3, found 1, entry 2, line 1"}},
		{"the header wins", []entry{stream(live("1") + live("2")), with("s:2", asked("https://x/v1/sessions/s/events?cursor=s:0", stream(live("3"))))}, nil},
		{"the answer begins too late", []entry{asked("https://x/v1/sessions/s/events?cursor=s:2", stream(live("4")))}, []string{"hole, s, expected 3, found 4, entry 1, line 1"}},
		{"session from the address", []entry{asked("https://x/v1/sessions/a%20b/events", stream("data: {\"type\":\"memory_consolidated\",\"seq\":2}\n\n"))}, []string{
			"pruned_start, a b, expected 1, found 2, entry 1, line 1"}},
		{"no content", []entry{{mime: streamMime, noText: true}}, []string{"nothing_recorded, entry 1", "nothing_recorded"}},
		{"no stream", []entry{{mime: "text/html", text: "x"}}, []string{"nothing_recorded"}},
		{"cut", []entry{stream(live("1") + "data: {"), stream(live("2"))}, []string{"cut, entry 1, line 4"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, size := range []int{0, 1, 50} {
				found, _ := run(check.Options{}, har(c.entries...), size)
				assert.Equal(t, append([]string{}, c.want...), briefs(found), "chunks of %d", size)
			}
		})
	}
}

func TestFindingsOfAnEntryHaveItsAddressAndTime(t *testing.T) {
	e := stream(live("1") + live("3"))
	e.url, e.started = "https://x.example/events", "2025-11-04T09:12:30Z"
	found, s := run(check.Options{}, har(e), 0)
	require.Len(t, found, 1)
	assert.Equal(t, e.started, found[0].Time)
	assert.Equal(t, e.url, found[0].Place.URL)
	assert.Equal(t, 1, s.Connections)
	assert.EqualValues(t, 1, s.Entries)
}

func TestMessagesBesideAnEntry(t *testing.T) {
	message := func(id, data string) string {
		d, _ := json.Marshal(data)
		return `{"time":1762247600.1,"eventName":"message","eventId":"` + id + `","data":` + string(d) + `}`
	}
	event := func(seq string) string { return `{"type":"memory_consolidated","sessionId":"s","seq":` + seq + `}` }
	draft := `{"type":"text_delta","sessionId":"s","turnId":"t"}`
	list := "[" + strings.Join([]string{message("s:1", event("1")), message("s:1", draft), message("s:1", draft), message("s:2", event("2")), message("s:9", event("4"))}, ",") + "]"
	found, s := run(check.Options{}, har(entry{mime: streamMime, noText: true, messages: list}), 0)
	assert.Equal(t, []string{"id_mismatch, s, expected 4, found 9, entry 1, line 5", "hole, s, expected 3, found 4, entry 1, line 5"}, briefs(found))
	assert.EqualValues(t, 5, s.Events)

	// The bytes of the answer say the same once more: they are read once.
	both := entry{mime: streamMime, text: live("1") + live("2"), messages: "[" + message("s:1", event("1")) + "," + message("s:2", event("2")) + "]"}
	found, s = run(check.Options{}, har(both), 0)
	assert.Empty(t, found)
	assert.EqualValues(t, 2, s.Events)
}

func TestATextBeforeItsType(t *testing.T) {
	text := `{"log":{"entries":[{"response":{"content":{"text":"data: {}\n\n","mimeType":"text/event-stream"}}}]}}`
	found, _ := run(check.Options{}, text, 0)
	require.Len(t, found, 2)
	assert.Contains(t, found[0].What, "before its mimeType")

	// With the headers in front it can be used.
	text = strings.Replace(text, `"content"`, `"headers":[{"name":"Content-Type","value":"text/event-stream"}],"content"`, 1)
	_, s := run(check.Options{}, text, 0)
	assert.EqualValues(t, 1, s.Events)
}

func TestContentThatIsNotBase64AllTheWay(t *testing.T) {
	text := base64.StdEncoding.EncodeToString([]byte(live("1")+live("2"))) + "!"
	found, _ := run(check.Options{}, har(entry{mime: streamMime, text: text, encoding: "base64"}), 0)
	assert.Equal(t, []string{"damaged, entry 1"}, briefs(found))

	found, _ = run(check.Options{}, har(entry{mime: streamMime, text: live("1"), encoding: "base64"}), 0)
	assert.Equal(t, []string{"damaged, entry 1"}, briefs(found))
	assert.Contains(t, found[0].What, "said to be base64")
}

// What the reader takes for JSON is what encoding/json takes for it, and text
// comes out the same.
func TestTheReaderAgreesWithEncodingJSON(t *testing.T) {
	pieces := []string{
		"{", "}", "[", "]", ",", ":", " ", `""`, `"a"`, `"\u00e9\ud83d\ude00"`, `"\ud800"`, `"\ud800\ud800\udc00x"`, `"\n\/\\"`, `"\x"`, `"\u12g4"`,
		"0", "-1.5e+3", "01", "-", "true", "nul", "false", "null", "\n", "\t", "\"\x01\"", `"é"`,
	}
	seed := uint32(1)
	for range 60_000 {
		var b strings.Builder
		for range 1 + seed%9 {
			seed = seed*1664525 + 1013904223
			b.WriteString(pieces[seed>>16%uint32(len(pieces))%uint32(len(pieces))])
		}
		agrees(t, b.String())
	}
	for _, text := range []string{`{"a":[1,{"b":"\u0041"}]}`, `[]`, ` {} `, `{"a":1,}`, `[1,]`, `{"a"}`, `{,}`, `1 2`, strings.Repeat("[", 600) + strings.Repeat("]", 600)} {
		if len(text) < 600 {
			agrees(t, text)
		}
	}
}

func agrees(t *testing.T, text string) {
	t.Helper()
	found, _ := run(check.Options{Format: check.HAR}, text, 3)
	damaged := len(found) > 0 && found[0].Kind == check.Damaged
	require.Equal(t, json.Valid([]byte(text)), !damaged, "%q", text)
}

func TestStringsComeOutAsEncodingJSONHasThem(t *testing.T) {
	for _, escaped := range []string{`\u00e9`, `\ud83d\ude00`, `\ud800`, `\ud800x`, `\ud800\u0041`, `\ud800\ud83d\ude00`, `\udc00`, `\"\\\/\b\f\n\r\t`, `é`, `\u2028`} {
		var want string
		require.NoError(t, json.Unmarshal([]byte(`"`+escaped+`"`), &want))
		e := stream(live("1") + live("3"))
		text := strings.Replace(har(e), `"url":""`, `"url":"`+escaped+`"`, 1)
		for _, size := range []int{0, 1} {
			found, _ := run(check.Options{}, text, size)
			require.Len(t, found, 1)
			assert.Equal(t, want, found[0].Place.URL, escaped)
		}
	}
}

func TestWhereAHARIsDamaged(t *testing.T) {
	whole := har(stream(live("1")))
	for _, c := range []struct {
		text   string
		line   int64
		offset int
		what   string
	}{
		{whole[:len(whole)-1], 1, len(whole) - 1, "it ends in the middle"},
		{whole + "x", 1, len(whole), "something follows the end"},
		{"{\"log\":\n{\"entries\" []}}", 2, 19, "a colon is expected"},
		{"{\"log\":\n\n{\"entries\":[tru]}}", 3, 24, "a number or a word is malformed"},
		{`{"log":` + strings.Repeat("[", 600), 1, 518, "it is nested too deeply"},
	} {
		found, _ := run(check.Options{Name: "x.har"}, c.text, 0)
		require.NotEmpty(t, found)
		f := found[0]
		assert.Equal(t, check.Damaged, f.Kind)
		assert.Equal(t, []string{c.what, strconv.FormatInt(c.line, 10), strconv.Itoa(c.offset)},
			[]string{f.What, strconv.FormatInt(f.Place.Line, 10), strconv.FormatInt(f.Place.Offset, 10)})
	}
	assert.Empty(t, stopped(check.New(check.Options{Name: "x.har"}), whole[:len(whole)-1]))
}
