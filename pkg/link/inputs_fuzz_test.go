package link_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// FuzzInputs: whatever a driver says, in whatever order, the link never panics, has
// one connection at most, never waits for nothing, and ends when all sessions have.
func FuzzInputs(f *testing.F) {
	for _, steps := range []string{
		"\x01\x02\x10\x10\x03\x04\x01", "\x08\x01\x09\x02\x18\x03", "\x01\x12\x0c\x02\x0e\x1e\x0d\x02\x10\x07",
		"\x01\x22\x05\x15\x02\x20\x30\x02\x30", "\x01\x02\x08\x04\x14\x0b\x09\x0b", "\x01\x32\x02", "\x01\x02\x0a\x14\x0b\x02\x10",
	} {
		f.Add([]byte(steps), byte(len(steps)))
	}
	f.Fuzz(func(t *testing.T, steps []byte, mode byte) {
		p := newPoker(t, mode)
		for _, step := range steps {
			p.poke(step)
		}
		p.link.Stop()
		p.drain()
		require.Equal(t, "closed", p.link.StateName())
	})
}

// poker gives a link of two sessions any inputs, and checks what stands after each.
type poker struct {
	t         *testing.T
	link      *link.Link
	now       link.Millis
	connected bool
	wake      bool // one is to come
	wakeAt    link.Millis
	over      bool
}

func newPoker(t *testing.T, mode byte) *poker {
	o := link.Options{Sessions: []string{"s1", "s2"}, States: mode&1 != 0, Credentials: mode&2 != 0, Load: mode&4 != 0, Report: mode&8 != 0}
	if mode&16 != 0 {
		o.Cursors = []cursor.Cursor{{Session: "s1", Seq: 2}, {Session: "s2", Seq: 4, Generation: "g"}}
	}
	l, err := link.New(o)
	require.NoError(t, err)
	return &poker{t: t, link: l}
}

// poke gives one input: its number in the lower half of step, what it brings in the
// upper one.
func (p *poker) poke(step byte) {
	what := int(step >> 4)
	m := link.Moment{Now: p.now, Random: 0.5}
	lane := what & 1
	switch step & 15 {
	case 0:
		p.link.Feed(m, []byte(frame(what)))
	case 1:
		p.link.Start(m)
	case 2:
		status := []int{200, 401, 410, 503, 204, 403, 404, 200}[what&7]
		p.connected = p.connected && status == 200
		p.link.Opened(m, link.Response{Status: status, ContentType: "text/event-stream", RetryAfter: link.Millis(what&8) * 1000})
	case 3:
		p.connected = false
		p.link.Closed(m, what&1 != 0)
	case 4:
		p.tick(link.Millis(what) * 10_000)
	case 5:
		p.link.Loaded(m, lane, p.cursor(what))
	case 6:
		p.link.LoadFailed(m, lane, "no")
	case 7:
		if what == 15 {
			p.link.Stop()
		}
	case 8:
		p.link.Offline(m)
	case 9:
		p.link.Online(m)
	case 10:
		p.link.Hidden(m)
	case 11:
		p.link.Visible(m)
	case 12:
		p.link.Renewed(m, what == 15)
	case 13:
		p.link.Reset(m, lane, p.cursor(what))
	case 14:
		p.link.Applied(lane, events.Seq(what>>1))
	case 15:
		p.link.Reset(m, what-8, p.cursor(what))
	}
	p.drain()
	p.check()
}

// tick lets time pass, and says so as the link asked for it.
func (p *poker) tick(d link.Millis) {
	p.now += d
	if p.now >= p.wakeAt {
		p.wake = false
	}
	p.link.Tick(link.Moment{Now: p.now, Random: 0.5})
}

func (p *poker) cursor(what int) cursor.Cursor {
	return cursor.Cursor{Session: "s" + strconv.Itoa(1+what&1), Seq: events.Seq(what >> 1), Generation: events.Generation([]string{"", "g"}[what>>3])}
}

// frame is something of one of the two sessions.
func frame(what int) string {
	session := `"sessionId":"s` + strconv.Itoa(1+what&1) + `"`
	n := strconv.Itoa(1 + what>>2)
	return []string{
		`data: {"type":"message",` + session + `,"seq":` + n + "}\n\n",
		"event: tidemark.head\ndata: {" + session + `,"lastSeq":` + n + "}\n\n",
		`data: {"type":"text_delta",` + session + "}\n\n",
		"event: tidemark.live\ndata: {" + session + `,"lastSeq":` + n + "}\n\n",
	}[what>>1&3]
}

func (p *poker) drain() {
	for a := p.link.Next(); a != nil; a = p.link.Next() {
		switch a.Kind {
		case link.Connect:
			require.False(p.t, p.connected, "one connection at a time")
			require.False(p.t, p.over, "no connection after the end (R-134)")
			p.connected = true
		case link.Close:
			p.connected = false
		case link.Wake:
			p.wake, p.wakeAt = true, a.At
		case link.Fail:
			p.over = true
		case link.Deliver, link.Draft, link.State, link.Load:
			require.False(p.t, p.over, "nothing after the end (R-134)")
		}
	}
}

// check holds where the link stands against what it waits for.
func (p *poker) check() {
	phases := map[string]int{}
	for i := range p.link.Lanes() {
		phases[p.link.PhaseOf(i)]++
	}
	asked := phases["waiting"] + phases["replaying"] + phases["live"] + phases["resyncing"]
	state := p.link.StateName()
	switch state {
	case "connecting", "open", "waiting":
		require.True(p.t, p.wake, "%s waits for a tick", state)
		require.Positive(p.t, asked, state)
	case "offline":
		require.Positive(p.t, asked, state)
	case "idle":
		require.Positive(p.t, phases["loading"], "idle waits for a load")
	case "closed":
		require.Zero(p.t, asked+phases["loading"], "all sessions have ended")
	}
}
