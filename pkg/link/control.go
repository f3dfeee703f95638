package link

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

// controls are the frames of the protocol. A name that is not here is of a newer
// server and is passed over.
var controls = [...]struct {
	name      string
	malformed fault.ID
	needs     need
	take      func(l *Link, lane int, c *control)
}{
	{"head", fault.InvalidHead, needsLast, (*Link).onHead},
	{"live", fault.BadControl, needsLast, (*Link).onLive},
	{"refused", fault.BadControl, needsReason, (*Link).onRefused},
	{"end", fault.BadControl, needsSession, (*Link).onEnd},
	{name: "fault"}, // of the connection, not of a session
}

// onControl reads a frame of the protocol. One that is of no use goes no further.
func (l *Link) onControl() {
	l.passage.handed = false
	l.takeControl()
	l.account()
}

func (l *Link) takeControl() {
	for i := range controls {
		row := &controls[i]
		if row.name != string(l.frame.Event[len(controlPrefix):]) {
			continue
		}
		if row.take == nil {
			l.relayFailed()
			return
		}
		c := &control{base: l.profile.Base}
		if !c.read(l.frame.Data, row.needs) {
			l.connectionFault(fault.New(row.malformed, "the data of "+string(l.frame.Event), "data that lacks or misspells a member"))
		} else if lane := l.controlLane(c.session); lane < 0 {
			l.connectionFault(fault.New(fault.Unattributed, "a session asked for", "a "+string(l.frame.Event)+" of another"))
		} else {
			row.take(l, lane, c)
		}
		return
	}
	l.passage.handed = true
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
	l.passage.handed = true
	ln.head = replay.Head{LastSeq: c.last, Generation: c.generation, OldestSeq: c.oldest}
	was, again := ln.bare, ln.begun()
	ln.named = ln.named && !again // what was shown before counts no more
	ln.headed, l.heads, ln.bare = true, true, !c.generation.IsSet()
	if ln.start == FromNow {
		ln.tracker.Reset(&cursor.Cursor{Session: c.session, Seq: c.last, Generation: c.generation})
		ln.stray()
		ln.stands()
	}
	ln.stood = true
	v := ln.judgeHead(l.profile)
	refusal := &v.Refusal
	if v.Outcome != replay.Unavailable {
		refusal = nil
	} else if !l.observes() {
		l.refuse(i, refusal)
		return
	} else {
		ln.tracker.Doubt()
	}
	if refusal == nil && l.unshown(i, was, again) {
		return
	}
	ln.tracker.Begin(c.generation, c.last)
	if v.Outcome == replay.Complete && ln.join == joined {
		ln.settle()
	}
	l.reportOf(i, v.Outcome, refusal)
	l.turn(i, headed)
	if l.options.Passage {
		l.push(Headed, i)
	}
}

// onLive: the replay has ended. It must have brought the lane to the head that
// was promised, or something is missing at its end.
func (l *Link) onLive(i int, c *control) {
	ln := &l.lanes[i]
	if !ln.takes() || l.early(ln) {
		return
	}
	if ln.tracker.Anchored() && ln.tracker.Place().Seq < max(c.last, ln.head.LastSeq) &&
		l.profile.Continuity == profile.Contiguous && !l.observes() {
		l.short(i)
		return
	}
	if ln.join != joined && l.unproven(i, 0) {
		return
	}
	ln.settle()
	l.passage.handed = true
	a := l.push(Live, i)
	a.Seq, a.Strength = ln.tracker.Place().Seq, ln.strength(l.profile)
	l.turn(i, caughtUp)
}

// short treats a replay that ended too early as any other gap: one more look,
// then a refusal.
func (l *Link) short(i int) {
	ln := &l.lanes[i]
	ln.tracker.Short(&l.decision)
	l.act(i)
}

// onRefused takes the server's refusal. The link's own judgement of the head
// comes first, so this is for what only the server can know. One that the head
// contradicts is looked at again first.
func (l *Link) onRefused(i int, c *control) {
	ln := &l.lanes[i]
	if !ln.takes() {
		return
	}
	l.passage.handed = true
	r := &replay.Refusal{Reason: c.reason, Detail: c.detail}
	r.Stand(ln.tracker.Place())
	r.Evidence.ExpectedSeq, r.Evidence.ReceivedSeq = c.expected, c.received
	r.Evidence.Head(&ln.head)
	r.Evidence.HasHead = ln.headed
	switch {
	case c.reason == fault.ReasonGap && l.canAskApart(ln):
		l.reportOf(i, replay.Unavailable, r)
		l.askApart(i, r.ID())
	case l.observes():
		l.doubt(i, r)
	case l.canLookAgain(ln) && l.denies(ln, c):
		l.reportOf(i, replay.Unavailable, r)
		l.lookAgain(i, r.ID())
	default:
		l.refuse(i, r)
	}
}

// denies reports whether the head of this connection contradicts a refusal: by it
// the cursor is fine. What a log lacks below its head only the server can know; what
// did not connect on its way to us may connect the next time.
func (l *Link) denies(ln *lane, c *control) bool {
	outcome := ln.judgeHead(l.profile).Outcome
	return ln.headed && outcome != replay.Unavailable &&
		(outcome == replay.Complete || c.reason != fault.ReasonGap || c.detail.OnTheWay())
}

// doubt is observe mode: the refusal is reported, and what follows comes through.
func (l *Link) doubt(i int, r *replay.Refusal) {
	ln := &l.lanes[i]
	if !ln.tracker.Anchored() {
		return // the head has told it
	}
	ln.tracker.Doubt()
	if ln.headed {
		ln.tracker.Begin(ln.head.Generation, ln.head.LastSeq)
	}
	l.reportOf(i, replay.Unavailable, r)
}

func (l *Link) onEnd(i int, _ *control) {
	if l.lanes[i].takes() {
		l.passage.handed = true
		l.end(i, Server)
		l.rest()
	}
}

// relayFailed: a relay has found what makes no sense, and says what.
func (l *Link) relayFailed() {
	code := code(l.frame.Data)
	if code == "" {
		code = "no reason"
	}
	l.connectionFault(fault.New(fault.RelayFailed, "a connection that a relay can pass on", fault.Clip([]byte(code))))
}
