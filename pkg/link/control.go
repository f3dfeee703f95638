package link

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

// control is what a tidemark.* frame says. Only the members that the frame has
// are set.
type control struct {
	session    string
	last       events.Seq
	hasLast    bool
	oldest     events.Seq
	generation events.Generation
	reason     fault.Reason
	detail     fault.Detail
	evidence   replay.Evidence
}

// controls are the frames of the protocol; a name that is not here is of a newer
// server and is passed over.
var controls = map[string]struct {
	handle    func(*Link, int, *control)
	malformed fault.ID
	complete  func(*control) bool
}{
	"tidemark.head":    {(*Link).onHead, fault.InvalidHead, (*control).isHead},
	"tidemark.live":    {(*Link).onLive, fault.BadControl, (*control).isHead},
	"tidemark.refused": {(*Link).onRefused, fault.BadControl, (*control).isRefused},
	"tidemark.end":     {(*Link).onEnd, fault.BadControl, func(*control) bool { return true }},
}

func (c *control) isHead() bool    { return c.hasLast }
func (c *control) isRefused() bool { return c.reason != fault.NoReason }

func (l *Link) onControl() {
	rule, ok := controls[string(l.frame.Event)]
	if !ok {
		return
	}
	c, ok := readControl(l.frame.Data)
	if !ok || !rule.complete(&c) {
		l.connectionFault(fault.New(rule.malformed, "the data of "+string(l.frame.Event), "data that lacks or misspells a member"))
		return
	}
	i := l.controlLane(c.session)
	if i < 0 {
		l.connectionFault(fault.New(fault.Unattributed, "a session asked for", "a "+string(l.frame.Event)+" of another"))
		return
	}
	rule.handle(l, i, &c)
}

// controlLane finds the lane a control frame is for. An unnamed lane takes the
// name that the server gives it.
func (l *Link) controlLane(session string) int {
	for i := range l.lanes {
		ln := &l.lanes[i]
		if ln.session() == "" {
			ln.tracker.Name(session)
		}
		if ln.session() == session {
			return i
		}
	}
	return -1
}

// onHead judges the head against the cursor before anything of its replay is
// handed over.
func (l *Link) onHead(i int, c *control) {
	ln := &l.lanes[i]
	if !ln.takes() {
		return
	}
	ln.head = replay.Head{LastSeq: c.last, Generation: c.generation, OldestSeq: c.oldest}
	ln.headed = true
	if ln.start == FromNow {
		ln.tracker.Reset(cursor.Cursor{Session: ln.session(), Seq: c.last, Generation: c.generation})
		ln.start, ln.moved = FromCursor, true
	}
	v := replay.Judge(ln.tracker.Cursor(), ln.head)
	if v.Outcome == replay.Unavailable && !l.observes() {
		l.refuse(i, v.Refusal)
		return
	}
	ln.tracker.Begin(c.generation)
	ln.phase = replaying
	if v.Outcome == replay.Unavailable {
		ln.tracker.Unanchor()
		ln.tracker.Begin(c.generation)
	}
	l.reportHead(i, &v)
}

func (l *Link) reportHead(i int, v *replay.Verdict) {
	if !l.options.Report {
		return
	}
	r := &Report{Session: l.lanes[i].session(), Outcome: v.Outcome, Cursor: l.lanes[i].tracker.Cursor()}
	if v.Outcome == replay.Unavailable {
		r.Refusal = &v.Refusal
	}
	l.push(Decided, i).Report = r
}

// onLive: the replay has ended. It must have brought the lane to the head that
// was promised, or something is missing at its end.
func (l *Link) onLive(i int, c *control) {
	ln := &l.lanes[i]
	if !ln.takes() {
		return
	}
	if ln.tracker.Anchored() && ln.tracker.Cursor().Seq < max(c.last, ln.head.LastSeq) && !l.observes() {
		l.short(i)
		return
	}
	before := ln.tracker.Cursor()
	ln.tracker.Settle()
	ln.phase, ln.resyncs = live, 0
	ln.moved = ln.moved || before != ln.tracker.Cursor()
	a := l.push(Live, i)
	a.Seq, a.Strength = ln.tracker.Cursor().Seq, ln.strength(l.profile)
}

// short treats a replay that ended too early as any other gap: one more look,
// then a refusal.
func (l *Link) short(i int) {
	ln := &l.lanes[i]
	d := cursor.Decision{
		Verdict: cursor.Gap, Detail: fault.DetailShort,
		Expected: ln.tracker.Expected(), Saved: ln.tracker.Cursor().Generation,
	}
	l.act(i, &d)
}

// onRefused takes the server's refusal. The link's own judgement of the head
// comes first, so this is for what only the server can know.
func (l *Link) onRefused(i int, c *control) {
	ln := &l.lanes[i]
	if !ln.takes() {
		return
	}
	at := ln.tracker.Cursor()
	e := c.evidence
	e.SavedSeq, e.SavedGeneration, e.Index = at.Seq, at.Generation, -1
	e.HasHead, e.LastSeq, e.OldestSeq = ln.headed, ln.head.LastSeq, ln.head.OldestSeq
	r := replay.Refusal{Session: at.Session, Reason: c.reason, Detail: c.detail, Evidence: e}
	if l.observes() {
		l.reportHead(i, &replay.Verdict{Outcome: replay.Unavailable, Refusal: r})
		return
	}
	l.refuse(i, r)
}

func (l *Link) onEnd(i int, _ *control) {
	l.end(i, Server)
	l.rest()
}

// readControl reads the members it knows; others are of a newer server.
func readControl(data []byte) (c control, ok bool) {
	if p, _ := rawjson.Check(data, events.MaxDepth); p != rawjson.OK || rawjson.KindOf(data) != rawjson.Object {
		return c, false
	}
	for name, value := range rawjson.Members(data) {
		if read, known := controlMembers[string(name)]; known && !read(&c, value) {
			return c, false
		}
	}
	return c, cursor.ValidSession(c.session)
}

var controlMembers = map[string]func(*control, []byte) bool{
	"sessionId": func(c *control, raw []byte) (ok bool) {
		c.session, ok = rawjson.Text(raw)
		return ok
	},
	"lastSeq": func(c *control, raw []byte) (ok bool) {
		c.last, ok = events.ParseCursorSeq(raw)
		c.hasLast = ok
		return ok
	},
	"oldestSeq": func(c *control, raw []byte) bool {
		n, ok := rawjson.Uint(raw)
		c.oldest = events.Seq(n)
		return ok
	},
	"generation": func(c *control, raw []byte) (ok bool) {
		c.generation, ok = events.ParseGeneration(raw)
		return ok
	},
	"reason": func(c *control, raw []byte) bool {
		name, ok := rawjson.Text(raw)
		c.reason, _ = fault.ParseReason([]byte(name))
		return ok
	},
	"detail": func(c *control, raw []byte) bool {
		name, ok := rawjson.Text(raw)
		c.detail, _ = fault.ParseDetail([]byte(name))
		return ok
	},
	"evidence": readEvidence,
}

// readEvidence keeps the numbers of the server's evidence that it alone knows.
func readEvidence(c *control, raw []byte) bool {
	for name, value := range rawjson.Members(raw) {
		n, ok := rawjson.Uint(value)
		if !ok {
			continue
		}
		switch string(name) {
		case "expectedSeq":
			c.evidence.ExpectedSeq = events.Seq(n)
		case "receivedSeq":
			c.evidence.ReceivedSeq = events.Seq(n)
		}
	}
	return true
}

// code is the code member of a problem body, "" when there is none.
func code(body []byte) string {
	if p, _ := rawjson.Check(body, events.MaxDepth); p != rawjson.OK || rawjson.KindOf(body) != rawjson.Object {
		return ""
	}
	for name, value := range rawjson.Members(body) {
		if string(name) == "code" {
			text, _ := rawjson.Text(value)
			return text
		}
	}
	return ""
}
