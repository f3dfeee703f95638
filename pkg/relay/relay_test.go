package relay_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/relayhost"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/relay"
)

func newHost(t testing.TB, o relay.Options) *relayhost.Host {
	h, f := relayhost.New(&o)
	require.Nil(t, f)
	return h
}

func head(last int, more string) string {
	return fmt.Sprintf("event: tidemark.head\ndata: {\"sessionId\":\"s\",\"lastSeq\":%d,\"oldestSeq\":1,\"verdict\":\"replayed\"%s}\n\n", last, more)
}

func live(last int) string {
	return fmt.Sprintf("event: tidemark.live\ndata: {\"sessionId\":\"s\",\"lastSeq\":%d}\n\n", last)
}

func event(seq int) string {
	return fmt.Sprintf("id: s:%d\ndata: {\"type\":\"x\",\"sessionId\":\"s\",\"seq\":%d,\"n\":%d}\n\n", seq, seq, seq)
}

const (
	draft  = "data: {\"type\":\"d\",\"sessionId\":\"s\"}\n\n"
	beat   = ": alive\n\n"
	retry  = "retry: 1000\n\n"
	broken = "data: {\n\n"
	alien  = "data: {\"type\":\"x\",\"sessionId\":\"other\",\"seq\":1}\n\n"
	done   = "data: [DONE]\n\n"
	over   = "event: tidemark.end\ndata: {\"sessionId\":\"s\",\"reason\":\"closed\"}\n\n"
	theirs = "event: tidemark.refused\ndata: {\"sessionId\":\"s\",\"reason\":\"gap\",\"detail\":\"pruned\",\"x\":1}\n\n"
)

func at(seq int) []cursor.Cursor { return []cursor.Cursor{{Session: "s", Seq: events.Seq(seq)}} }

// refused is our frame for it, up to the evidence.
func refused(reason, detail string) string {
	return `event: tidemark.refused` + "\n" + `data: {"sessionId":"s","reason":"` + reason + `"` + detail
}

// Each case is what comes in, what goes on, and how it ends. "<refused …" stands for a
// frame of ours.
var passages = map[string]struct {
	options relay.Options
	in      []string
	out     []string
	closed  bool
}{
	"R-420: what is good goes on as it came, head, ids, comments and all": {
		in: []string{"\xEF\xBB\xBF", beat, head(2, ""), event(1), draft, event(2), live(2), retry, event(3), beat}, out: []string{"all"}},
	"R-420: another way to write it": {
		in:  []string{"event:tidemark.head\r\ndata:{\"sessionId\":\"s\",\"lastSeq\":0}\r\n\r\n", strings.ReplaceAll(event(1), "\n", "\r\n"), strings.ReplaceAll(event(2), "\n", "\r")},
		out: []string{"all"}},
	"R-421: a duplicate is cut out": {
		in: []string{head(2, ""), event(1), event(1), beat, event(2)}, out: []string{head(2, ""), event(1), beat, event(2)}},
	"R-421: what is not above the cursor": {options: relay.Options{Cursors: at(1)},
		in: []string{head(2, ""), event(1), event(2)}, out: []string{head(2, ""), event(2)}},
	"R-421: what only some readers would take for an event": {
		in: []string{event(1), named(`{"seq":2,"seq":9}`), named(`{"seq":2e0}`), named(`{"seq":"2"}`), named("{\"seq\":2,\"a\":\"\xff\"}"), named(`{"type":1,"seq":2}`),
			named(`{"a":1}`), named(`{"seq":2`), named(`[2]`), named("x"), event(2)},
		out: []string{event(1), named(`{"a":1}`), named(`{"seq":2`), named(`[2]`), named("x"), event(2)}},
	"R-421: a mark behind the first frame begins nothing": {options: relay.Options{Cursors: at(1)},
		in: []string{event(1), "\xEF\xBB\xBF" + fenced(9, "7"), event(2)}, out: []string{":\n\n", "\xEF\xBB\xBF" + fenced(9, "7"), event(2)}},
	"R-422: a gap": {
		in: []string{head(3, ""), event(1), event(3), event(4)}, out: []string{head(3, ""), event(1), refused("gap", `,"detail":"hole"`)}, closed: true},
	"R-422: a gap behind good bytes of the same chunk, and a comment before it": {
		in: []string{head(3, ""), beat, event(3)}, out: []string{head(3, ""), beat, refused("gap", `,"detail":"hole"`)}, closed: true},
	"R-422: an event that is none": {
		in: []string{head(3, ""), broken}, out: []string{head(3, ""), refused("gap", `,"detail":"bad_event"`)}, closed: true},
	"R-422: invalid UTF-8": {
		in: []string{event(1), "data: {\"type\":\"x\",\"sessionId\":\"s\",\"seq\":2,\"a\":\"\xff\"}\n\n"}, out: []string{event(1), refused("gap", `,"detail":"bad_event"`)}, closed: true},
	"R-422: another generation": {options: relay.Options{Cursors: []cursor.Cursor{{Session: "s", Seq: 1, Generation: "7"}}},
		in: []string{head(3, `,"generation":8`), event(2)}, out: []string{head(3, `,"generation":8`), refused("generation_changed", `,"evidence"`)}, closed: true},
	"R-422: a cursor beyond the log": {options: relay.Options{Cursors: at(9)},
		in: []string{head(3, ""), live(3)}, out: []string{head(3, ""), refused("cursor_ahead", `,"evidence"`)}, closed: true},
	"R-422: a replay that ends too early does not count as live": {
		in: []string{head(3, ""), event(1), live(3)}, out: []string{head(3, ""), event(1), refused("gap", `,"detail":"short"`)}, closed: true},
	"R-422: a refusal of the server goes on as it came": {options: relay.Options{Cursors: at(1)},
		in: []string{theirs, event(9)}, out: []string{theirs}, closed: true},
	"R-421: nothing before the head of a server that sends heads": {options: relay.Options{Sessions: []string{"s", "t"}},
		in: []string{strings.ReplaceAll(head(0, ""), `"s"`, `"t"`), event(1), head(1, ""), event(1)}, out: []string{strings.ReplaceAll(head(0, ""), `"s"`, `"t"`), head(1, ""), event(1)}},
	"R-425: what others end a stream with": {
		in: []string{event(1), done, event(2)}, out: []string{event(1), done}, closed: true},
	"R-425: the end that the server says": {
		in: []string{event(1), over, event(2)}, out: []string{event(1), over}, closed: true},
	"R-423: a frame of the protocol that is none": {
		in: []string{event(1), "event: tidemark.head\ndata: {}\n\n", event(2)}, out: []string{event(1), "event: tidemark.fault\ndata: {\"code\":\"stream.invalid_head\""}, closed: true},
	"R-423: a frame beyond the limit": {options: relay.Options{MaxFrame: 100},
		in: []string{event(1), "data: " + strings.Repeat("x", 100)}, out: []string{event(1), "event: tidemark.fault\ndata: {\"code\":\"stream.frame_too_large\""}, closed: true},
	"R-423: comments without end inside of a frame": {options: relay.Options{MaxFrame: 100},
		in:  []string{event(1), "id: s:2\n", strings.Repeat(beat[:len(beat)-1], 30)},
		out: []string{event(1), "event: tidemark.fault\ndata: {\"code\":\"stream.frame_too_large\""}, closed: true},
	"R-420: as many comments inside of a frame as it may have bytes": {options: relay.Options{MaxFrame: 100},
		in: []string{event(1), strings.Repeat(beat[:len(beat)-1], 9) + "id: s:2\n" + strings.Repeat(beat[:len(beat)-1], 9), event(2)[8:], event(3)}, out: []string{"all"}},
	"R-427: only watching, comments without end inside of a frame": {options: relay.Options{MaxFrame: 100, Mode: link.Observe},
		in: []string{event(1), "id: s:2\n", strings.Repeat(beat[:len(beat)-1], 30)}, out: []string{"all"}},
	"a frame of a newer server": {
		in: []string{"event: tidemark.news\ndata: 1\n\n", "event: other\ndata: 1\n\n", "data:\n\n"}, out: []string{"all"}},
	"a run that has ended": {options: relay.Options{Profile: run(), Sessions: []string{"s"}},
		in: []string{`data: {"type":"turn_completed","runId":"s","sessionId":"s","seq":1,"schemaVersion":3}` + "\n\n", beat}, out: []string{"all"}},
	"R-427: only watching": {options: relay.Options{Mode: link.Observe},
		in: []string{head(3, ""), event(1), event(1), event(3), broken, event(2), over, event(1)}, out: []string{"all"}},
	"R-427: only watching, and beyond what can be judged": {options: relay.Options{Mode: link.Observe},
		in: []string{event(1), "event: tidemark.head\ndata: {}\n\n", event(3), "data: x"}, out: []string{"all"}},
	"one session of two": {options: relay.Options{Sessions: []string{"s", "other"}},
		in: []string{event(1), event(3), alien, event(4), strings.ReplaceAll(alien, "1", "2")}, out: []string{event(1), refused("gap", `,"detail":"hole"`), alien, strings.ReplaceAll(alien, "1", "2")}},
	"R-429: an id that a browser would go on from, beyond what it has": {
		in:  []string{head(9, ""), event(1), id("s:9"), retry, id("s:1"), event(2), id("s:1"), id("other:9"), id("9"), id(""), beat},
		out: []string{head(9, ""), event(1), retry, id("s:1"), event(2), id("other:9"), id("9"), id(""), beat}},
	"R-429: with an event that has no place": {
		in: []string{event(1), "id: s:9\n" + draft, "id: s:1\n" + draft, "id: s:9\ndata:\n\n", "id: s:9\nevent: tidemark.news\ndata: 1\n\n"}, out: []string{event(1), "id: s:1\n" + draft}},
	"R-429: with what others end a stream with": {
		in: []string{event(1), "id: s:9\n" + done}, out: []string{event(1)}, closed: true},
	"R-429: before the first event": {
		in: []string{id("s:4"), head(9, ""), id("s:4"), id("s:0"), event(1)}, out: []string{id("s:4"), head(9, ""), id("s:0"), event(1)}},
	"R-429: of a session that was refused": {options: relay.Options{Sessions: []string{"s", "other"}},
		in: []string{event(1), event(3), id("s:1"), id("s:9"), alien}, out: []string{event(1), refused("gap", `,"detail":"hole"`), alien}},
	"R-429: from now there is no place before the head": {options: relay.Options{From: link.FromNow, Sessions: []string{"s"}},
		in: []string{id("s:3"), head(5, ""), id("s:6"), id("s:5"), event(6)}, out: []string{id("s:3"), head(5, ""), id("s:5"), event(6)}},
	"R-429: an id without data is no frame of the protocol": {
		in: []string{"event: tidemark.head\nid: x\n\n", event(1)}, out: []string{"all"}},
	"R-429: numbers as ids": {options: relay.Options{Profile: custom(`{"position":"id","control":false}`), Sessions: []string{"s"}},
		in:  []string{"id: 1\ndata: {}\n\n", id("5"), id("1"), "id: 2\ndata: {}\n\n"},
		out: []string{"id: 1\ndata: {}\n\n", id("1"), "id: 2\ndata: {}\n\n"}},
	"R-429: numbers with holes show nothing": {options: relay.Options{Profile: custom(`{"position":"id","control":false,"continuity":"monotonic"}`), Sessions: []string{"s"}},
		in: []string{"id: 1\ndata: {}\n\n", id("5"), "id: 7\ndata: {}\n\n"}, out: []string{"all"}},
	"R-423: a refusal of a session that nobody has named": {
		in: []string{event(3)}, out: []string{":\n\n", "event: tidemark.fault\ndata: {\"code\":\"stream.unattributed\""}, closed: true},
	"R-428: two sessions of which one has been heard of": {options: relay.Options{Sessions: []string{"s", "other"}, Cursors: append(at(1), cursor.Cursor{Session: "other", Seq: 3})},
		in:  []string{head(2, ""), event(2), headOf("other", 9), strings.ReplaceAll(alien, "1", "4"), strings.ReplaceAll(alien, "1", "6"), event(3)},
		out: []string{head(2, ""), event(2), headOf("other", 9), strings.ReplaceAll(alien, "1", "4"), refusedOf("other", "gap", `,"detail":"hole"`), event(3)}},
	"R-428: a log without generations gets one": {
		in:  []string{head(1, ""), event(1), live(1), fenced(2, "7"), fenced(3, "8")},
		out: []string{head(1, ""), event(1), live(1), fenced(2, "7"), refused("generation_changed", `,"detail":"event_generation"`)}, closed: true},
	"R-428: a log without generations gets one, and the consumer was at its head": {options: relay.Options{Cursors: at(1)},
		in:  []string{head(1, ""), fenced(2, "7"), fenced(3, "8")},
		out: []string{head(1, ""), fenced(2, "7"), refused("generation_changed", `,"detail":"event_generation"`)}, closed: true},
	"R-428: generations rise in the replay, and do not fall": {
		in:  []string{head(5, `,"generation":7`), event(1), fenced(2, "5"), fenced(3, "6"), fenced(4, "5")},
		out: []string{head(5, `,"generation":7`), event(1), fenced(2, "5"), fenced(3, "6"), refused("generation_changed", `,"detail":"stale_generation"`)}, closed: true},
	"R-428: generations without an order do not come back": {
		in:  []string{head(5, `,"generation":"c"`), fenced(1, `"a"`), fenced(2, `"b"`), fenced(3, `"a"`)},
		out: []string{head(5, `,"generation":"c"`), fenced(1, `"a"`), fenced(2, `"b"`), refused("generation_changed", `,"detail":"event_generation"`)}, closed: true},
	"R-428: from now": {options: relay.Options{From: link.FromNow, Sessions: []string{"s"}},
		in: []string{head(5, ""), live(5), event(6), event(8)}, out: []string{head(5, ""), live(5), event(6), refused("gap", `,"detail":"hole"`)}, closed: true},
	"R-428: numbers that live with the connection": {options: relay.Options{Profile: custom(`{"scope":"connection","control":false}`), Sessions: []string{"s"}},
		in: []string{event(4), event(5), event(7)}, out: []string{event(4), event(5), refused("gap", `,"detail":"hole"`)}, closed: true},
	"R-428: numbers from 0": {options: relay.Options{Profile: custom(`{"base":0,"control":false}`), Sessions: []string{"s"}},
		in: []string{event(0), event(1), event(1), event(3)}, out: []string{event(0), event(1), refused("gap", `,"detail":"hole"`)}, closed: true},
	"R-428: a byte order mark in the middle is none": {
		in: []string{beat, event(1), "\xEF\xBB\xBF" + fenced(3, "7"), event(2)}, out: []string{"all"}},
	"R-428: nor is one behind what belongs to no session": {
		in: []string{beat, "\xEF\xBB\xBF" + fenced(3, "7"), event(1)}, out: []string{"all"}},
	"R-426: behind pages, the head and the event that proves them are not for the consumer": {
		options: relay.Options{Cursors: at(2), Proofs: proof(event(2)), Joins: true},
		in:      []string{head(3, ""), event(2), event(3), live(3)}, out: []string{event(3), live(3)}},
	"R-426: behind pages of another log": {
		options: relay.Options{Cursors: at(2), Proofs: proof(strings.ReplaceAll(event(2), `"x"`, `"y"`)), Joins: true},
		in:      []string{head(3, ""), event(2), event(3), live(3)}, out: []string{refused("generation_changed", `,"detail":"history_changed"`)}, closed: true},
}

func named(data string) string { return "event: custom\ndata: " + data + "\n\n" }

func id(text string) string { return "id: " + text + "\n\n" }

func fenced(seq int, generation string) string {
	return fmt.Sprintf("data: {\"type\":\"x\",\"sessionId\":\"s\",\"seq\":%d,\"generation\":%s}\n\n", seq, generation)
}

func headOf(session string, last int) string {
	return strings.ReplaceAll(head(last, ""), `"s"`, `"`+session+`"`)
}

func refusedOf(session, reason, detail string) string {
	return strings.Replace(refused(reason, detail), `"s"`, `"`+session+`"`, 1)
}

func custom(text string) *profile.Profile {
	p, f := profile.Read([]byte(text))
	if f != nil {
		panic(f.Error())
	}
	return p
}

func run() *profile.Profile { p, _ := profile.Named("run"); return p }

func proof(frame string) []link.SavedProof {
	text := frame[strings.Index(frame, "{") : len(frame)-2]
	p, _ := cursor.NewProver(&profile.Session).Of([]byte(text))
	return []link.SavedProof{{Session: "s", Digest: p}}
}

func TestPassage(t *testing.T) {
	for name, c := range passages {
		t.Run(name, func(t *testing.T) {
			in := strings.Join(c.in, "")
			whole := newHost(t, c.options)
			whole.Feed(in)
			assert.Equal(t, c.closed, whole.Closed)
			expect(t, in, c.out, string(whole.Out))
			for cut := range in {
				split := newHost(t, c.options)
				split.Feed(in[:cut])
				split.Feed(in[cut:])
				require.Equal(t, string(whole.Out), string(split.Out), "cut at %d", cut)
				if !whole.Closed && !whole.Through {
					require.Equal(t, whole.Places, split.Places)
				}
			}
			bytewise := newHost(t, c.options)
			for i := range len(in) {
				feed(t, bytewise, in[i:i+1])
			}
			require.Equal(t, string(whole.Out), string(bytewise.Out), "byte by byte")
		})
	}
}

// expect compares what went on with its parts; one that begins a frame of ours stands
// for the rest of that line.
func expect(t *testing.T, in string, want []string, got string) {
	if len(want) == 1 && want[0] == "all" {
		assert.Equal(t, in, got)
		return
	}
	for _, part := range want {
		require.True(t, strings.HasPrefix(got, part), "%q\nbegins not with\n%q", got, part)
		got = got[len(part):]
		if !strings.HasSuffix(part, "\n") {
			_, got, _ = strings.Cut(got, "\n\n")
		}
	}
	assert.Empty(t, got)
}

// a relay that goes on for another in the middle of the connection, wherever that
// was, lets pass what the other would have.
func TestGoesOn(t *testing.T) {
	for name, c := range passages {
		t.Run(name, func(t *testing.T) {
			in := strings.Join(c.in, "")
			whole := newHost(t, c.options)
			whole.Feed(in)
			for cut := range in {
				first := newHost(t, c.options)
				first.Feed(in[:cut])
				if first.Closed || first.Through {
					continue
				}
				o := resumed(t, c.options, first.Places)
				at := first.Relay.Mark()
				o.Midway = at > 0
				second := newHost(t, o)
				second.Feed(in[at:])
				require.Equal(t, string(whole.Out), string(first.Out)+string(second.Out), "cut at %d", cut)
			}
		})
	}
}

// resumed are the options of the second relay.
func resumed(t *testing.T, o relay.Options, places map[int]string) relay.Options {
	for _, text := range places {
		p, ok := relay.ReadPlace([]byte(text))
		require.True(t, ok, text)
		require.Equal(t, text, string(p.AppendJSON(nil)))
		o.Places = append(o.Places, p)
	}
	return o
}
