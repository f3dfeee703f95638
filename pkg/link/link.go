package link

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/sse"
)

// Link is one resumable connection to one event stream, with one lane for each
// session on it. The zero Link is not usable; see [New].
type Link struct {
	profile *profile.Profile
	options Options
	lanes   []lane
	conn    connection
	cells   *cells
	given   *Given // of the present input
	brought Given
	prover  *cursor.Prover // nil: no proofs
	wordy   bool           // no event goes the short way: each is reported, or its position does not stand in it
	heads   bool           // the server sends heads: one has come, on this connection or before

	decoder *sse.Decoder
	scanner *events.Scanner
	frame   sse.Frame
	event   events.Envelope

	id       cursor.ID       // of the frame
	decision cursor.Decision // on the event

	queue   []Action
	next    int    // first action of queue that was not handed out
	handed  Action // a delivery with nothing before it, kept apart so that an event costs no queue
	waiting bool   // handed is to be handed out
	guesses guesses
	counts  Counts
	passage passage
}

// New checks the options and makes a link. It does nothing until [Link.Start].
func New(o Options) (*Link, error) {
	l, f := Build(&o)
	if f != nil {
		return nil, f
	}
	return l, nil
}

// Build is [New] with the fault itself in place of an error. (A module that never
// makes an error of a fault carries none of the texts of errors.)
func Build(o *Options) (*Link, *fault.Fault) {
	if o.Profile == nil {
		o.Profile = &profile.Session
	}
	plans, f := o.plans()
	if f != nil {
		return nil, f
	}
	prover, f := o.prover()
	if f != nil {
		return nil, f
	}
	l := &Link{
		profile: o.Profile, options: *o, cells: &table, prover: prover,
		decoder: sse.NewDecoder(o.MaxFrame),
		scanner: o.Profile.NewScanner(),
		lanes:   make([]lane, len(plans)),
	}
	l.handed.Event = &l.event
	l.conn.told.state = idle
	l.wordy = o.Report || o.Profile.Position != profile.InPayload
	for i := range plans {
		ln := &l.lanes[i]
		ln.open(o.Profile, &plans[i])
		saved, trust := o.proofOf(ln.session(), prover)
		ln.proves(prover, saved, trust)
		ln.owes, ln.voidAfter = o.owing(ln.session()), ln.tracker.Place().Seq
	}
	l.resume(o.Stood)
	l.scanner.SetMaxDepth(o.MaxDepth)
	if o.Passage {
		l.decoder.ShowIDs()
	}
	return l, nil
}

// begin runs the first loads, and connects.
func (l *Link) begin() {
	l.conn.state = idle
	for i := range l.lanes {
		if l.options.Load && !l.options.Explicit && l.lanes[i].start != FromCursor {
			l.push(Load, i).Why = First
			l.turn(i, loadAsked)
		}
	}
	l.connect()
}

// Next answers the next action, nil when there is none: then the link waits for
// an input. Bytes are judged only as actions are drained, so a driver that stops
// draining stops the work, too.
//
// The action, and every slice in it, is valid until the next call of Next.
// Exception: Data of Deliver and Draft is valid until the next input.
func (l *Link) Next() *Action {
	for {
		if l.waiting {
			l.waiting = false
			return &l.handed
		}
		if l.next < len(l.queue) {
			l.next++
			return &l.queue[l.next-1]
		}
		if l.next > 0 {
			l.queue, l.next = l.queue[:0], 0
		}
		if !l.ahead() && !l.step() && !l.settle() {
			return nil
		}
	}
}

// step judges one frame, or the end of the connection once all frames are
// judged. False: nothing is left to do.
func (l *Link) step() bool {
	if l.conn.state != open {
		return false
	}
	switch l.decoder.Next(&l.frame) {
	case sse.HaveFrame:
		l.onFrame()
		return true
	case sse.Failed:
		l.fail(l.decoder.Fault())
		return true
	}
	if !l.conn.closing {
		return false
	}
	l.ended()
	return true
}

// settle reports each cursor that moved, once for a whole drain and not before its
// session has a name.
func (l *Link) settle() bool {
	l.keepAll()
	for i := range l.lanes {
		if ln := &l.lanes[i]; ln.moved && ln.session() != "" {
			a := l.push(Position, i)
			a.Cursor, a.Steps = *ln.tracker.Place(), ln.steps
			ln.moved, ln.steps = false, true
			a.Cursor.Generation = l.Generation(i)
			l.flows(i)
		}
	}
	l.tell()
	return len(l.queue) > 0
}

// stirred: something came that is not just the next event, so that more than the number
// of a cursor may have changed.
func (l *Link) stirred() {
	for i := range l.lanes {
		l.lanes[i].steps = false
	}
}

// flows: events of the lane come, though the server sends no heads. Nothing will say
// where what was missed ends, so it counts as live, as it would to a browser's
// EventSource. It is seen late, so that an event costs nothing for it.
func (l *Link) flows(i int) {
	ln := &l.lanes[i]
	if (ln.phase == waiting || ln.phase == resyncing) && l.conn.state == open && ln.tracker.Place().Seq != ln.asked {
		l.turn(i, flowed)
	}
}

// push adds an action for a lane; the caller fills it in. It is called from
// everywhere, and an Action is large: one copy of the code is enough.
//
//go:noinline
func (l *Link) push(k Kind, lane int) *Action {
	if len(l.queue) < cap(l.queue) {
		l.queue = l.queue[:len(l.queue)+1]
	} else {
		l.queue = append(l.queue, Action{})
	}
	a := &l.queue[len(l.queue)-1]
	*a = Action{Kind: k, Lane: lane}
	return a
}

// Cursors answers where every session stands, in lane order.
func (l *Link) Cursors() []cursor.Cursor {
	all := make([]cursor.Cursor, len(l.lanes))
	for i := range l.lanes {
		all[i] = *l.lanes[i].tracker.Place()
	}
	return all
}

// Place is where the session of a lane stands; it is not to be written to.
func (l *Link) Place(lane int) *cursor.Cursor { return l.lanes[lane].tracker.Place() }

// Generation is that of Place for whoever goes on from there later: none while what
// the session holds is in doubt, so that nobody takes it as shown.
func (l *Link) Generation(lane int) (g events.Generation) {
	if ln := &l.lanes[lane]; ln.trust != doubtful {
		g = ln.tracker.Place().Generation
	}
	return g
}

// Placed reports whether Place is a position to go on from. Without one the
// session starts where it was asked to.
func (l *Link) Placed(lane int) bool { return l.lanes[lane].start == FromCursor }

// Drafts reports whether ephemeral output of a lane is out that a restart would
// void: what Options.Owes is for, when another link goes on for this one.
func (l *Link) Drafts(lane int) bool { return l.lanes[lane].drafts || l.lanes[lane].owes }

// Session is the id of a lane, "" while only the server knows it.
func (l *Link) Session(lane int) string {
	if lane < 0 || lane >= len(l.lanes) {
		return ""
	}
	return l.lanes[lane].session()
}

// Lanes is how many sessions the link follows.
func (l *Link) Lanes() int { return len(l.lanes) }

// Profile is the promise the link reads by.
func (l *Link) Profile() *profile.Profile { return l.profile }

func (l *Link) observes() bool { return l.options.Mode == Observe }

// stop ends everything that has not ended.
func (l *Link) stop() {
	for i := range l.lanes {
		l.end(i, Closed)
	}
	l.rest()
}

// finish ends the lanes that the connection was for. One whose load runs was not
// asked for, and comes back with a connection of its own.
func (l *Link) finish(c Cause) {
	for i := range l.lanes {
		if l.lanes[i].asks() {
			l.end(i, c)
		}
	}
	l.rest()
}

// end ends one lane.
func (l *Link) end(i int, c Cause) {
	if !l.lanes[i].done() {
		l.push(End, i).Cause = c
		l.turn(i, over)
	}
}

// Fail ends the link for a fault of its driver, in place of all that was not
// handed out yet. No session gets an End for it.
func (l *Link) Fail(f *fault.Fault) {
	l.queue, l.next, l.waiting = l.queue[:0], 0, false
	l.fail(f)
}

// failLane ends one session with a fault of its own, and the link with it when no
// other is left.
func (l *Link) failLane(i int, f *fault.Fault) {
	for j := range l.lanes {
		if j != i && !l.lanes[j].done() {
			a := l.push(End, i)
			a.Cause, a.Fault = Failed, f
			l.turn(i, over)
			l.rest()
			if l.conn.state == idle {
				l.connect() // the others may have waited for this load
			}
			return
		}
	}
	l.fail(f)
}

// misused ends the link for an input that cannot come where the link stands.
func (l *Link) misused(what, where string) {
	l.Fail(fault.New(fault.BadInput, "an input that has a place in the state "+where+" (docs/states.md)", what))
}

// fail ends the link with a fault. Cursors stay readable.
func (l *Link) fail(f *fault.Fault) {
	for i := range l.lanes {
		if !l.lanes[i].done() {
			l.enter(i, ended)
		}
	}
	l.hangUp()
	l.conn.state = final
	l.push(Fail, -1).Fault = f
}

// rest closes the connection when no lane needs it: for good when all are over,
// for now when the app is loading.
func (l *Link) rest() {
	done := true
	for i := range l.lanes {
		if l.lanes[i].asks() {
			return
		}
		done = done && l.lanes[i].done()
	}
	if done {
		l.hangUp()
		l.conn.state = final
	} else if l.conn.state != unauthorized { // there an answer is still to come
		l.hangUp()
	}
}
