package relay_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/relayhost"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/relay"
	"github.com/tidemark-stream/tidemark/pkg/sse"
)

// upstream writes what a server sends, with faults now and then.
type upstream struct {
	*rand.Rand
	faults  bool
	session string
	fence   string // of the events; "" for none
	seq     int
	eol     string // "": one or another
}

func (u *upstream) one(n int) bool { return u.IntN(n) == 0 }

// frames are the bytes of a connection that goes on behind seq.
func (u *upstream) frames(n int) string {
	var b strings.Builder
	if u.one(4) {
		b.WriteString("\xEF\xBB\xBF")
	}
	last := u.seq + n
	if !u.one(3) {
		u.head(&b, last)
	}
	for range n {
		u.around(&b)
		u.seq++
		u.event(&b)
	}
	if u.one(2) {
		u.frame(&b, "event: tidemark.live", fmt.Sprintf(`data: {"sessionId":%q,"lastSeq":%d}`, u.session, last))
	}
	u.around(&b)
	return b.String()
}

func (u *upstream) head(b *strings.Builder, last int) {
	fence := ""
	if u.fence != "" {
		fence = `,"generation":` + u.fence
	}
	if u.faults && u.one(6) {
		last -= u.IntN(6)
	}
	u.frame(b, "event: tidemark.head", fmt.Sprintf(`data: {"sessionId":%q,"lastSeq":%d,"oldestSeq":1%s}`, u.session, max(last, 0), fence))
}

// around are what stands between events: harmless, or not.
func (u *upstream) around(b *strings.Builder) {
	harmless := [][]string{{": alive"}, {"retry: 1000"}, {"data:"}, {"event: news", "data: {"}, {"event: tidemark.news", "data: 1"},
		{`data: {"type":"d","sessionId":"` + u.session + `"}`}, {"id: " + u.token(u.seq)}, {"unknown"}, {""}, {"id: " + u.token(u.seq), `data: {"type":"d"}`}}
	wrong := [][]string{{"id: " + u.token(u.seq+2)}, {"id: " + u.token(u.seq+2), `data: {"type":"d"}`}, {"data: {"}, {"data: [DONE]"},
		{`data: {"type":"x","sessionId":"alien","seq":1}`}, {"event: tidemark.end", `data: {"sessionId":"` + u.session + `"}`},
		{"event: tidemark.live", `data: {"sessionId":"` + u.session + `","lastSeq":0}`}, {"event: tidemark.head", "data: {}"},
		{"event: tidemark.head", `data: {"sessionId":"` + u.session + `","lastSeq":3}`}, {"event: tidemark.head", "id: " + u.token(9)},
		{"event: tidemark.refused", `data: {"sessionId":"` + u.session + `","reason":"gap"}`}, {"event: tidemark.fault", "data: {}"}, {"id: " + u.token(0)}}
	for u.one(3) {
		u.frame(b, harmless[u.IntN(len(harmless))]...)
	}
	if u.faults && u.one(12) {
		u.frame(b, wrong[u.IntN(len(wrong))]...)
	}
}

func (u *upstream) event(b *strings.Builder) {
	seq, times, fence := u.seq, 1, u.fence
	if u.faults && u.one(10) {
		seq += u.IntN(5) - 2
	}
	if u.faults && u.one(10) {
		times = u.IntN(3)
	}
	if u.faults && u.one(20) {
		fence = "5"
	}
	if fence != "" {
		fence = `,"generation":` + fence
	}
	text := fmt.Sprintf(`"type":"x","sessionId":%q,"seq":%d%s`, u.session, max(seq, 1), fence)
	if u.faults && u.one(20) {
		text += `,"seq":` + fmt.Sprint(u.seq+3)
	}
	if u.one(40) {
		text += `,"text":"` + strings.Repeat("long ", 1500) + `"`
	}
	lines := []string{"data: {" + text + "}"}
	if u.one(4) {
		lines = []string{"data: {", ": between", "data:" + text, "data: }"}
	}
	if u.one(2) {
		lines = append(lines, "id: "+u.token(seq))
	} else if u.one(2) {
		lines = append([]string{"id: " + u.token(seq), "event: " + []string{"message", "x"}[u.IntN(2)]}, lines...)
	}
	for range times {
		u.frame(b, lines...)
	}
}

func (u *upstream) token(seq int) string { return fmt.Sprint(u.session, ":", max(seq, 0)) }

func (u *upstream) frame(b *strings.Builder, lines ...string) {
	eol := u.eol
	if eol == "" {
		eol = []string{"\n", "\r\n", "\r"}[u.IntN(3)]
	}
	for _, line := range append(lines, "") {
		b.WriteString(line + eol)
	}
}

// folded is a consumer that believes what it gets: it applies every recorded event, in
// the order in which they come, and goes on from the last id like a browser.
type folded struct {
	applied map[string][]int
	refused map[string]bool
	over    bool // what came says that the answer is no stream
	err     string
}

func fold(out []byte, from map[string]int) *folded {
	c := &folded{applied: map[string][]int{}, refused: map[string]bool{}}
	at := map[string]int{}
	for session, seq := range from {
		at[session] = seq
	}
	d := sse.NewDecoder(0)
	d.ShowIDs()
	d.Feed(out)
	var f sse.Frame
	for d.Next(&f) == sse.HaveFrame {
		c.take(&f, at)
	}
	return c
}

func (c *folded) take(f *sse.Frame, at map[string]int) {
	e := read(f.Data)
	if _, asked := at[e.SessionID]; e.SessionID != "" && !asked {
		return
	} else if e.SessionID == "" && len(at) == 1 {
		for e.SessionID = range at {
			continue
		}
	}
	switch name := string(f.Event); {
	case name == "tidemark.refused":
		c.refused[e.SessionID] = true
	case name == "tidemark.fault":
		c.over = true
	case strings.HasPrefix(name, "tidemark."):
	default:
		c.apply(e.SessionID, e.Seq, at)
	}
	if id := cursor.ReadID(f.ID, 1); id.OK && id.Session != nil {
		if place, ok := at[string(id.Session)]; ok && place != int(id.Seq) {
			c.err = fmt.Sprintf("goes on from %s, having come to %d", f.ID, place)
		}
	}
}

// message is what a consumer reads of an event, as JSON.parse would.
type message struct{ SessionID, Seq string }

func read(data []byte) (m message) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(data, &members)
	_ = json.Unmarshal(members["sessionId"], &m.SessionID)
	m.Seq = string(members["seq"])
	return m
}

func (c *folded) apply(session, digits string, at map[string]int) {
	var seq int
	if n, err := fmt.Sscanf(digits, "%d", &seq); n != 1 || err != nil || seq < 1 || fmt.Sprint(seq) != digits {
		return
	}
	if seq != at[session]+1 || c.refused[session] || c.over {
		c.err = fmt.Sprintf("applies %d of %s after %d (refused %t)", seq, session, at[session], c.refused[session])
	}
	at[session] = seq
	c.applied[session] = append(c.applied[session], seq)
}

// client is what a consumer with a link of its own makes of the same bytes.
func client(t *testing.T, out []byte, cursors []cursor.Cursor) (applied map[string][]int, refused map[string]bool) {
	l, f := link.Build(&link.Options{Cursors: cursors, Single: true, Proof: link.Off})
	require.Nil(t, f)
	l.Start(link.Moment{})
	for l.Next() != nil {
		continue
	}
	l.Opened(link.Moment{}, link.Response{Status: 200, ContentType: "text/event-stream"})
	applied, refused = map[string][]int{}, map[string]bool{}
	l.Feed(link.Moment{}, out)
	for a := l.Next(); a != nil; a = l.Next() {
		switch a.Kind {
		case link.Deliver:
			session := l.Session(a.Lane)
			applied[session] = append(applied[session], int(a.Seq))
		case link.Refused:
			refused[l.Session(a.Lane)] = true
		}
	}
	require.Zero(t, l.Counts().Duplicates)
	return applied, refused
}

// relayed feeds a relay bytes in chunks of random size; at some cut another one goes on.
func relayed(t *testing.T, in string, o relay.Options, dice *rand.Rand, goOn bool) *relayhost.Host {
	h, begins := newHost(t, o), 0 // where the bytes of the present relay begin
	for fed := 0; fed < len(in) && !h.Closed; {
		n := 1 + dice.IntN(min(len(in)-fed, 1+dice.IntN(len(in)/8+1)))
		feed(t, h, in[fed:fed+n])
		fed += n
		if goOn && !h.Closed && !h.Through && dice.IntN(8) == 0 {
			begins += int(h.Relay.Mark())
			again := resumed(t, o, h.Places)
			again.Midway = begins > 0
			second := newHost(t, again)
			second.Out, second.Places = h.Out, h.Places
			fed, h = begins, second
		}
	}
	return h
}

// feed holds each place that is to be kept anew, if only by its number, against how
// things are.
func feed(t *testing.T, h *relayhost.Host, chunk string) {
	before := maps.Clone(h.Places)
	h.Feed(chunk)
	for lane, place := range h.Places {
		if place != before[lane] {
			require.Equal(t, h.Relay.Now(lane), place)
		}
	}
}

// whatever comes in, however it is cut, and wherever another relay goes
// on: a consumer that believes everything applies an unbroken run of each session, or is
// told of a refusal; and one that judges for itself agrees.
func TestNothingIsSpliced(t *testing.T) {
	refusals, whole := 0, 0
	for seed := range uint64(3000) {
		dice := rand.New(rand.NewPCG(seed, 1))
		in, o, from := world(dice, seed%4 != 0)
		want := relayed(t, in, o, dice, false)
		for _, goOn := range []bool{false, true} {
			got := relayed(t, in, o, dice, goOn)
			require.Equal(t, string(want.Out), string(got.Out), "seed %d, going on %t", seed, goOn)
			require.Equal(t, want.Closed, got.Closed)
		}
		if seed%4 == 0 {
			whole++
			require.Equal(t, in, string(want.Out), "seed %d: a stream without faults goes on as it is (R-420)", seed)
		}
		refusals += judge(t, want.Out, o.Cursors, from, in)
	}
	require.Greater(t, refusals, 500)
	require.Greater(t, whole, 500)
}

// judge looks at what went on with both consumers.
func judge(t *testing.T, out []byte, cursors []cursor.Cursor, from map[string]int, in string) int {
	naive := fold(out, from)
	require.Empty(t, naive.err, "%q\nbecame\n%q", in, out)
	applied, refused := client(t, out, cursors)
	require.Equal(t, naive.applied, applied, "%q", out)
	for session := range refused {
		require.True(t, naive.refused[session], "the consumer refuses what the relay did not\n%q\nbecame\n%q", in, out)
	}
	return len(naive.refused)
}

// world is a connection of one session or two.
func world(dice *rand.Rand, faults bool) (in string, o relay.Options, from map[string]int) {
	var streams []string
	from = map[string]int{}
	for _, session := range []string{"s", "t"}[:1+dice.IntN(2)] {
		u := &upstream{Rand: dice, faults: faults, session: session, seq: dice.IntN(3), eol: []string{"\n", "\r\n", "\r", ""}[dice.IntN(4)]}
		from[session] = u.seq
		if dice.IntN(2) == 0 {
			u.fence = "7"
		}
		c := cursor.Cursor{Session: session, Seq: events.Seq(u.seq)}
		if dice.IntN(3) == 0 {
			c.Generation = events.Generation(u.fence)
		}
		o.Cursors = append(o.Cursors, c)
		streams = append(streams, u.frames(dice.IntN(12)))
	}
	if len(streams) == 2 {
		streams[1] = strings.TrimPrefix(streams[1], "\xEF\xBB\xBF")
		headless := strings.Contains(streams[0], "tidemark.head") != strings.Contains(streams[1], "tidemark.head")
		nameless := strings.Contains(strings.Join(streams, ""), `{"type":"d"}`)
		if headless || nameless {
			streams, from, o.Cursors = streams[:1], map[string]int{"s": from["s"]}, o.Cursors[:1]
		}
	}
	return strings.Join(streams, ""), o, from
}

// FuzzNothingIsSpliced is the same for any bytes.
func FuzzNothingIsSpliced(f *testing.F) {
	for seed := range uint64(40) {
		in, _, _ := world(rand.New(rand.NewPCG(seed, 2)), true)
		f.Add([]byte(in), seed)
	}
	for _, c := range passages {
		f.Add([]byte(strings.Join(c.in, "")), uint64(len(c.in)))
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		dice := rand.New(rand.NewPCG(seed, 3))
		from := map[string]int{"s": int(seed % 3)}
		o := relay.Options{Cursors: []cursor.Cursor{{Session: "s", Seq: events.Seq(seed % 3)}}}
		want := newHost(t, o)
		want.Feed(string(data))
		for _, goOn := range []bool{false, true} {
			got := relayed(t, string(data), o, dice, goOn)
			require.Equal(t, string(want.Out), string(got.Out), "going on %t", goOn)
		}
		judge(t, want.Out, o.Cursors, from, string(data))
		o.Mode = link.Observe
		seen := relayed(t, string(data), o, dice, true)
		require.True(t, bytes.HasPrefix(data, seen.Out), "only watching changes nothing (R-427)")
	})
}
