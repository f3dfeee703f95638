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
	base       events.Seq // first seq on the wire
	session    string
	last       events.Seq
	hasLast    bool
	oldest     events.Seq
	generation events.Generation
	reason     fault.Reason
	detail     fault.Detail
	evidence   replay.Evidence
}

// onControl reads a frame of the protocol. A name that is not known here is of a
// newer server and is passed over.
func (l *Link) onControl() {
	c := control{base: l.profile.Base}
	read := c.read(l.frame.Data)
	counted := c.hasLast || c.base == 0 // an empty log has no last seq where the first is 0
	malformed, complete := fault.BadControl, true
	var handle func(int, *control)
	switch string(l.frame.Event[len(controlPrefix):]) {
	case "head":
		handle, malformed, complete = l.onHead, fault.InvalidHead, counted
	case "live":
		handle, complete = l.onLive, counted
	case "refused":
		handle, complete = l.onRefused, c.reason != fault.NoReason
	case "end":
		handle = l.onEnd
	default:
		return
	}
	name := string(l.frame.Event)
	if !read || !complete {
		l.connectionFault(fault.New(malformed, "the data of "+name, "data that lacks or misspells a member"))
		return
	}
	i := l.controlLane(c.session)
	if i < 0 {
		l.connectionFault(fault.New(fault.Unattributed, "a session asked for", "a "+name+" of another"))
		return
	}
	handle(i, &c)
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
		ln.stands()
	}
	v := ln.judgeHead()
	if v.Outcome == replay.Unavailable && !l.observes() {
		l.refuse(i, v.Refusal)
		return
	}
	if v.Outcome == replay.Unavailable {
		ln.tracker.Doubt()
	}
	ln.tracker.Begin(c.generation)
	ln.phase = replaying
	if v.Outcome == replay.Complete {
		ln.settle()
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
	ln.settle()
	ln.phase = live
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
		if ln.tracker.Anchored() { // else the head has told it
			ln.tracker.Doubt()
			if ln.headed {
				ln.tracker.Begin(ln.head.Generation)
			}
			l.reportHead(i, &replay.Verdict{Outcome: replay.Unavailable, Refusal: r})
		}
		return
	}
	l.refuse(i, r)
}

func (l *Link) onEnd(i int, _ *control) {
	if l.lanes[i].takes() {
		l.end(i, Server)
		l.rest()
	}
}

// read reads the data of a control frame.
func (c *control) read(data []byte) bool {
	if p, _ := rawjson.Check(data, events.MaxDepth); p != rawjson.OK || rawjson.KindOf(data) != rawjson.Object {
		return false
	}
	for name, value := range rawjson.Members(data) {
		if !c.member(string(name), value) {
			return false
		}
	}
	return cursor.ValidSession(c.session)
}

// seq reads a number of the wire.
func (c *control) seq(raw []byte) (events.Seq, bool) {
	n, ok := events.ParseCursorSeq(raw)
	if !ok {
		return 0, false
	}
	return cursor.FromWire(n, c.base)
}

// member reads one member of a control frame.
func (c *control) member(name string, raw []byte) (ok bool) {
	switch name {
	case "sessionId":
		c.session, ok = rawjson.Text(raw)
	case "lastSeq":
		c.last, ok = c.seq(raw)
		c.hasLast = ok
	case "oldestSeq":
		c.oldest, ok = c.seq(raw)
	case "generation":
		c.generation, ok = events.ParseGeneration(raw)
	case "reason":
		name, ok = rawjson.Text(raw)
		c.reason, _ = fault.ParseReason([]byte(name))
	case "detail":
		name, ok = rawjson.Text(raw)
		c.detail, _ = fault.ParseDetail([]byte(name))
	case "evidence":
		c.readEvidence(raw)
		ok = true
	default:
		ok = true // of a newer server
	}
	return ok
}

// readEvidence keeps the numbers of the server's evidence that it alone knows.
func (c *control) readEvidence(raw []byte) {
	for name, value := range rawjson.Members(raw) {
		n, ok := c.seq(value)
		if !ok {
			continue
		}
		switch string(name) {
		case "expectedSeq":
			c.evidence.ExpectedSeq = n
		case "receivedSeq":
			c.evidence.ReceivedSeq = n
		}
	}
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
