package link

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

const (
	controlPrefix = "tidemark."
	doneMark      = "[DONE]"
)

// onFrame sends one frame to where it is judged.
func (l *Link) onFrame() {
	f := &l.frame
	l.passage.handed = true
	l.stirred()
	switch {
	case f.Data == nil:
		l.account() // an id alone, which is shown to whoever passes bytes on
	case l.profile.Control && isControl(f.Event):
		l.onControl()
	case len(f.Data) == 0:
		l.aside() // a priming or keep-alive message: no event, no verdict
		l.account()
	case string(f.Data) == doneMark:
		l.aside()
		l.account()
		l.conn.closing, l.conn.failed = true, false
		l.decoder.Reset() // what stands behind it was never promised
		l.push(Close, -1)
		l.ended()
	default:
		l.onEvent()
	}
}

func isControl(event []byte) bool {
	return len(event) >= len(controlPrefix) && string(event[:len(controlPrefix)]) == controlPrefix
}

// onEvent reads one event and judges it.
func (l *Link) onEvent() {
	problem := l.scanner.Scan(l.frame.Data, &l.event)
	if problem != events.NoProblem || !l.fits() {
		l.judge(problem)
	}
}

// judge judges an event that has not taken the short way.
func (l *Link) judge(problem events.Problem) {
	l.passage.handed = false
	l.stirred()
	l.weigh(problem)
	l.account()
}

// weigh places one event, judges it with evidence, and acts on the verdict.
func (l *Link) weigh(problem events.Problem) {
	if problem != events.NoProblem && l.unrelated() {
		l.aside()
		l.passage.handed = problem <= events.NotObject // others might read an event where we do not
		if r := l.report(); r != nil {
			r.Decision.Verdict, r.Decision.Problem, r.Decision.Offset = cursor.Invalid, problem, l.event.At
		}
		return
	}
	l.readID(problem)
	i := l.laneOf(problem)
	if i < 0 {
		l.connectionFault(fault.New(fault.Unattributed, "an event of a session asked for", "data that names none of them"))
		return
	}
	ln := &l.lanes[i]
	if !ln.takes() {
		return
	}
	if l.early(ln) && !l.relayed(ln) {
		l.tooEarly(i, problem)
		return
	}
	l.place(ln)
	switch {
	case problem == events.NoProblem && l.contradicted():
		ln.tracker.Reject(&l.decision, &l.event, events.IDMismatch)
	case problem == events.NoProblem && ln.join != joined && l.atSeam(i):
		return
	default:
		ln.tracker.Observe(&l.decision, &l.event, problem)
	}
	l.act(i)
}

// contradicted: the id names another place. A stream that proves nothing
// cannot be contradicted.
func (l *Link) contradicted() bool {
	return l.profile.StrengthOf(false) != profile.StrengthNone && l.id.Contradicts(&l.event)
}

// early reports a lane whose head is still to come, from a server that sends heads
// its cursor was not compared with one yet.
func (l *Link) early(ln *lane) bool { return l.heads && !ln.headed && !l.observes() }

// tooEarly drops an event of such a lane. It comes again behind the head, or is
// missed there. When no head comes at all, the connection is nonsense.
func (l *Link) tooEarly(i int, problem events.Problem) {
	if l.conn.now-l.conn.opened >= openProgress {
		l.connectionFault(fault.New(fault.BadControl, "the head of a session before its events", "events alone"))
		return
	}
	if problem == events.NoProblem {
		problem = events.BeforeHead
	}
	l.drop(i, problem)
}

// drop passes an event over that is not to be handed over where it stands.
func (l *Link) drop(i int, problem events.Problem) {
	l.lanes[i].tracker.Reject(&l.decision, &l.event, problem)
	l.decision.Detail = fault.NoDetail // nothing is refused for it
	l.reportDecision(i)
}

// unrelated: a frame with an event name of its own that is no event is not
// meant for us, as a browser that listens to messages would not see it either.
func (l *Link) unrelated() bool {
	return len(l.frame.Event) > 0 && string(l.frame.Event) != "message"
}

// readID reads the frame's own id, and lets it name the session when the event
// does not. Where the receiver counts, ids are none of ours.
func (l *Link) readID(problem events.Problem) {
	l.id = cursor.ID{}
	if l.profile.Position == profile.Counted {
		return
	}
	l.id.Read(l.frame.ID, l.profile.Base)
	if l.id.OK && problem == events.NoProblem && l.event.Session == nil {
		l.event.Session = l.id.Session
	}
}

// laneOf is the lane that judges the event, -1 for none. With one session on the
// link everything is that session's to judge; with more, an event has to say
// whose it is.
func (l *Link) laneOf(problem events.Problem) int {
	session := l.event.Session
	if problem != events.NoProblem {
		session = l.id.Session
	}
	for i := range l.lanes {
		if name := l.lanes[i].session(); name != "" && string(session) == name {
			return i
		}
	}
	if len(l.lanes) == 1 {
		return 0
	}
	if session != nil && problem == events.NoProblem && l.event.Seq == 0 {
		return l.relayLane()
	}
	return -1
}

// relayLane hands a relayed event of another session to the first open lane.
func (l *Link) relayLane() int {
	for i := range l.lanes {
		if l.lanes[i].takes() {
			return i
		}
	}
	return 0
}

// place fills in the position for streams that do not write it into the event.
func (l *Link) place(ln *lane) {
	switch l.profile.Position {
	case profile.InID:
		l.event.Seq = 0
		if l.id.OK {
			l.event.Seq = l.id.Seq
		}
		if l.id.OK && l.event.Generation == nil {
			l.event.Generation = l.id.Generation
		}
	case profile.Counted:
		l.event.Seq = ln.tracker.Place().Seq + 1
	}
}

// act turns the decision into actions.
func (l *Link) act(i int) {
	ln, d := &l.lanes[i], &l.decision
	reason := d.Refuses()
	l.reportDecision(i)
	switch {
	case d.Delivers():
		l.deliver(i, d.Verdict == cursor.Accept)
	case l.observes():
		l.handOn(i)
	case d.Verdict == cursor.Duplicate:
		l.counts.Duplicates++
	case reason == fault.ReasonGap && l.canLookAgain(ln):
		l.lookAgain(i, fault.RefusalID(reason, d.Detail))
	case reason != fault.NoReason:
		l.refuse(i, ln.refusal(d))
	}
}

// canLookAgain reports whether another connection can show that what did not
// connect was the wire's fault: one was not made for that since the last recorded
// event, and there is a cursor to ask from.
func (l *Link) canLookAgain(ln *lane) bool {
	return ln.resyncs == 0 && !ln.local && !l.options.Single
}

// lookAgain makes that connection.
func (l *Link) lookAgain(i int, why fault.ID) {
	l.lanes[i].resyncs++
	l.counts.Resyncs++
	l.turn(i, doubted)
	l.resync(why)
}

// handOn is observe mode: whatever was wrong, the event goes through as it came,
// and the tracker goes on from it.
func (l *Link) handOn(i int) {
	d := &l.decision
	if d.Problem.Malformed() {
		l.event = events.Envelope{Known: -1}
	}
	if d.Refuses() != fault.NoReason {
		ln := &l.lanes[i]
		if ln.join != joined && l.event.Seq != 0 && !l.relayed(ln) {
			ln.join = joined // the event that was to show it is behind the cursor now
			ln.doubt()
		}
		ln.tracker.Force(&l.event)
	}
	l.deliver(i, l.event.Seq != 0)
}

// deliver hands the event over, after the restart that may be owed.
func (l *Link) deliver(i int, recorded bool) {
	ln := &l.lanes[i]
	l.passage.handed = true
	relayed := l.relayed(ln)
	if ln.owes && !relayed {
		ln.owes, ln.moved = false, true
		l.push(Restart, i).Seq = ln.voidAfter
	}
	kind := Draft
	if recorded {
		kind = Deliver
	}
	ended := false
	switch {
	case relayed: // of no lane of ours; recorded only while observing
	case recorded:
		ln.connected()
		if l.event.Seq == ln.tracker.Place().Seq {
			ln.holds(&l.event, l.frame.Data)
		}
		l.conn.progress()
		ended = l.profile.IsTerminal(l.event.Type)
	case !ln.drafts && l.profile.IsEphemeral(&l.event):
		ln.drafts, ln.moved = true, true
	}
	a := l.delivery(kind, i)
	a.Data, a.Seq = l.frame.Data, l.event.Seq
	if relayed || ln.session() == "" {
		a.Session = l.event.Session
	}
	if ended {
		l.end(i, Terminal)
		l.rest()
	}
}

// delivery is the action for an event. The link keeps one for all: a queue slot
// is only needed behind a restart.
func (l *Link) delivery(k Kind, lane int) *Action {
	if len(l.queue) > 0 {
		a := l.push(k, lane)
		a.Event = &l.event
		return a
	}
	l.waiting = true
	a := &l.handed
	a.Kind, a.Lane, a.Session = k, lane, nil
	return a
}

// relayed reports whether the event is another session's, handed on without a
// place of its own.
func (l *Link) relayed(ln *lane) bool {
	name := ln.session()
	return name != "" && l.event.Session != nil && string(l.event.Session) != name
}

func (c *connection) progress() { c.news, c.empty, c.faults, c.attempt = true, 0, 0, 0 }

// connectionFault gives a connection that carries nonsense one more try, then
// gives up: a loop would not mend it.
func (l *Link) connectionFault(f *fault.Fault) {
	l.conn.faults++
	if l.conn.faults > 1 || l.options.Single {
		l.fail(f)
		return
	}
	l.hangUp()
	l.backOff(f.ID)
}
