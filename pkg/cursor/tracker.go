package cursor

import (
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// Tracker holds the cursor of one session and judges its live events. It
// outlives connections: a reconnect begins where the last event left it.
//
// A verdict changes nothing but on Accept, so a caller may go on after any of
// them; whether a refusal is final is the caller's rule (see package link).
type Tracker struct {
	at       Cursor
	fence    Fence
	profile  *profile.Profile
	headed   bool // a head has named the generation to adopt (or that there is none)
	anchored bool // the position is known; false: the first recorded event sets it
}

// NewTracker starts at c. A Seq of 0 means that nothing was received yet. An
// empty Session takes the first one named by a head or a recorded event.
func NewTracker(p *profile.Profile, c Cursor) Tracker {
	t := Tracker{profile: p}
	t.Reset(c)
	return t
}

// Reset moves the tracker to c, as after a load. Nothing else replaces a cursor.
func (t *Tracker) Reset(c Cursor) {
	t.at, t.fence = c, NewFence(c.Generation, "")
	t.headed, t.anchored = false, true
}

// Unanchor forgets the position: the next recorded event sets it. For streams
// that are followed from now, and for numbers that live with one connection.
func (t *Tracker) Unanchor() {
	t.Reset(Cursor{Session: t.at.Session})
	t.anchored = false
}

// Doubt keeps the position to ask from, but lets the next recorded event set it,
// wherever that stands. For callers that only observe, when a head contradicts
// the cursor.
func (t *Tracker) Doubt() {
	t.fence, t.anchored = NewFence("", ""), false
}

// Cursor is where the consumer is.
func (t *Tracker) Cursor() Cursor { return t.at }

// Anchored reports whether Cursor is a position at all.
func (t *Tracker) Anchored() bool { return t.anchored }

// Name gives an unnamed tracker its session.
func (t *Tracker) Name(session string) { t.at.Session = session }

// Begin tells the head's generation ("" when it has none) before its replay. An
// unfenced cursor adopts it only with the first recorded event that carries it,
// or at Settle; until then generations may rise to it (protocol rule: zero-event
// cursor).
func (t *Tracker) Begin(head events.Generation) {
	t.headed, t.fence.head = true, head
}

// Settle says that the replay has ended: the cursor is at the head, and an
// unfenced one adopts the head's generation, else the newest one seen, else that
// of the first recorded event to come that has one.
func (t *Tracker) Settle() {
	if t.at.Generation.IsSet() {
		return
	}
	g := t.fence.head
	if !g.IsSet() {
		g = t.fence.last
	}
	t.headed = g.IsSet()
	t.adopt(g)
}

func (t *Tracker) adopt(g events.Generation) {
	if g.IsSet() {
		t.at.Generation, t.fence.own = g, g
	}
}

// Observe judges one event. p is the scanner's problem with it, if any; then e
// is not looked at. The event's bytes are not kept.
func (t *Tracker) Observe(e *events.Envelope, p events.Problem) Decision {
	d := Decision{Expected: t.Expected(), Saved: t.at.Generation, Problem: p}
	if p != events.NoProblem {
		d.Verdict, d.Detail = Invalid, fault.DetailBadEvent
		return d
	}
	d.Seq, d.Generation = e.Seq, e.Generation
	if t.foreign(e) {
		d.Verdict, d.Detail = foreignVerdict(e)
		return d
	}
	if d.Verdict, d.Detail = t.judgeGeneration(e); d.Verdict != NoVerdict {
		return d
	}
	d.Verdict, d.Detail = t.judgeSeq(e.Seq)
	if d.Verdict == Accept {
		t.accept(e)
	}
	return d
}

// Reject is the verdict on an event that is well-formed but contradicts what
// carried it: invalid, and nothing moves.
func (t *Tracker) Reject(e *events.Envelope) Decision {
	return Decision{
		Verdict: Invalid, Detail: fault.DetailBadEvent, Seq: e.Seq, Generation: e.Generation,
		Expected: t.Expected(), Saved: t.at.Generation,
	}
}

// Expected is the seq that would be accepted next; 0 while any would be.
func (t *Tracker) Expected() events.Seq {
	if !t.anchored {
		return 0
	}
	return t.at.Seq + 1
}

// Force moves to an event that would have been refused, for a caller that only
// observes. It does nothing for an event without seq.
func (t *Tracker) Force(e *events.Envelope) {
	if e.Seq == 0 || t.foreign(e) {
		return
	}
	t.at.Generation, t.fence = "", NewFence("", t.fence.head)
	t.accept(e)
}

func (t *Tracker) foreign(e *events.Envelope) bool {
	return e.Session != nil && t.at.Session != "" && string(e.Session) != t.at.Session
}

// foreignVerdict: numbers of other sessions are unrelated. Without a seq the
// event is relayed; with one it claims a place that is not ours to judge.
func foreignVerdict(e *events.Envelope) (Verdict, fault.Detail) {
	if e.Seq == 0 {
		return Pass, fault.NoDetail
	}
	return Invalid, fault.DetailForeignSession
}

// judgeGeneration comes before the seq, because numbers of different
// generations cannot be compared. It counts for unrecorded events too.
func (t *Tracker) judgeGeneration(e *events.Envelope) (Verdict, fault.Detail) {
	switch t.fence.Check(e.Generation) {
	case Lower:
		if e.Seq == 0 {
			return Duplicate, fault.DetailStaleGeneration
		}
		return GenerationChanged, fault.DetailStaleGeneration
	case Breaks:
		return GenerationChanged, fault.DetailEventGeneration
	}
	return NoVerdict, fault.NoDetail
}

func (t *Tracker) judgeSeq(seq events.Seq) (Verdict, fault.Detail) {
	switch {
	case seq == 0:
		return Pass, fault.NoDetail
	case !t.anchored || t.profile.Continuity == profile.Opaque:
		return Accept, fault.NoDetail
	case seq <= t.at.Seq:
		return Duplicate, fault.NoDetail
	case seq > t.at.Seq+1 && t.profile.Continuity == profile.Contiguous:
		return Gap, fault.DetailHole
	}
	return Accept, fault.NoDetail
}

// accept moves seq and generation as one.
func (t *Tracker) accept(e *events.Envelope) {
	if !t.anchored {
		t.at.Generation = "" // it belonged to the seq that was given up
	}
	t.at.Seq, t.anchored = e.Seq, true
	if t.at.Session == "" && e.Session != nil {
		t.at.Session = string(e.Session)
	}
	if e.Generation == nil || t.at.Generation.IsSet() {
		return
	}
	t.fence.Take(e.Generation)
	if !t.headed || string(e.Generation) == string(t.fence.head) {
		t.adopt(t.fence.last)
	}
}
