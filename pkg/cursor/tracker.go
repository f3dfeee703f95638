package cursor

import (
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// Tracker holds the cursor of one session and judges its live events. It
// outlives connections: a reconnect begins where the last event left it.
//
// The zero Tracker has to be started ([Tracker.Start]) before anything else.
//
// A verdict changes nothing but on Accept, so a caller may go on after any of
// them; whether a refusal is final is the caller's rule (see package link).
type Tracker struct {
	at       Cursor
	fence    Fence
	profile  *profile.Profile
	headed   bool       // a head has named the generation to adopt (or that there is none)
	anchored bool       // the position is known; false: the first recorded event sets it
	placed   bool       // from is a position
	from     events.Seq // where Reset has put it
	since    events.Seq // where the cursor took its generation
}

// Start makes a tracker that starts at c, which is copied. A Seq of 0 means that
// nothing was received yet. An empty Session takes the first one named by a head or
// a recorded event.
func (t *Tracker) Start(p *profile.Profile, c *Cursor) {
	t.profile = p
	t.Reset(c)
}

// Reset moves the tracker to c, as after a load. Nothing else replaces a cursor.
//
//go:noinline
func (t *Tracker) Reset(c *Cursor) {
	t.at = *c
	t.fence.start(c.Generation, "", 0)
	t.headed, t.anchored, t.placed = false, true, true
	t.from, t.since = c.Seq, c.Seq
}

// Unanchor forgets the position: the next recorded event sets it. For streams
// that are followed from now, and for numbers that live with one connection.
func (t *Tracker) Unanchor() {
	t.at.Seq, t.at.Generation = 0, ""
	t.Reset(&t.at)
	t.anchored, t.placed = false, false
}

// Doubt keeps the position to ask from, but lets the next recorded event set it,
// wherever that stands. For callers that only observe, when a head contradicts
// the cursor.
func (t *Tracker) Doubt() {
	t.fence.start("", "", 0)
	t.anchored = false
}

// At sets c to the cursor of a state in which everything up to seq is taken in, with
// the generation as it stood there; 0 is the place where the tracker was put.
// It leaves c alone when that is nowhere.
func (t *Tracker) At(c *Cursor, seq events.Seq) {
	if seq == 0 {
		seq = t.from
	}
	if seq == 0 && !t.placed {
		return
	}
	*c = t.at
	c.Seq = seq
	if seq < t.since || seq > t.at.Seq {
		c.Generation = ""
	}
}

// Seen are the generations that the cursor has passed while it has none, oldest first:
// all that a tracker needs beside Place, head and Settle to go on for this one.
func (t *Tracker) Seen() []events.Generation { return t.fence.seen() }

// Saw takes over what another tracker has Seen.
func (t *Tracker) Saw(all []events.Generation) {
	for _, g := range all {
		t.fence.Take([]byte(g))
	}
}

// From is where the tracker was put, 0 for nowhere and for before the first event.
func (t *Tracker) From() events.Seq { return t.from }

// Place is where the consumer is. It moves with the tracker and is not to be written
// to; whoever keeps it copies what it points at.
func (t *Tracker) Place() *Cursor { return &t.at }

// Session is the session of the cursor, "" while it is not known.
func (t *Tracker) Session() string { return t.at.Session }

// Anchored reports whether Cursor is a position at all.
func (t *Tracker) Anchored() bool { return t.anchored }

// Name gives an unnamed tracker its session.
func (t *Tracker) Name(session string) { t.at.Session = session }

// Begin tells the head's generation ("" when it has none) and its last seq before
// its replay. An unfenced cursor adopts the generation only with the first recorded
// event that carries it, or at Settle; until then generations may rise to it, and
// above last there is no other.
func (t *Tracker) Begin(head events.Generation, last events.Seq) {
	if !t.profile.Continuity.Rises() {
		last = events.MaxSeq // no number is above another, or it is not the log's
	}
	t.headed, t.fence.head, t.fence.ends = true, head, last
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

// Settled reports whether the first generation to come would be adopted, whatever head
// there was.
func (t *Tracker) Settled() bool { return !t.headed }

func (t *Tracker) adopt(g events.Generation) {
	if g.IsSet() {
		t.at.Generation, t.fence.own = g, g
		t.since = t.at.Seq
	}
}

// Observe judges one event and says in d on what evidence. p is the scanner's
// problem with it, if any; then e only says at which byte. The tracker keeps none of
// the event's bytes; d has its generation, and is good as long as the event is.
func (t *Tracker) Observe(d *Decision, e *events.Envelope, p events.Problem) {
	if p != events.NoProblem {
		t.Reject(d, e, p)
		return
	}
	verdict, detail := t.judge(e)
	t.decide(d, verdict, detail)
	d.Seq, d.Generation = e.Seq, e.Generation
	if verdict == Accept {
		t.accept(e)
	}
}

// Advance judges an event of the cursor's own session that most likely fits,
// without evidence: it answers Accept or Pass, and moves on Accept. NoVerdict
// says that the event does not fit; nothing has changed then, and Observe says
// why.
func (t *Tracker) Advance(e *events.Envelope) Verdict {
	if e.Seq == 0 && len(e.Generation) == 0 {
		return Pass
	}
	return t.advance(e)
}

// Steps reports whether an event that Advance takes changes nothing but the number of
// Place.
func (t *Tracker) Steps(e *events.Envelope) bool {
	return t.anchored && t.at.Session != "" && (e.Generation == nil || t.at.Generation.IsSet())
}

func (t *Tracker) advance(e *events.Envelope) Verdict {
	if len(e.Generation) > 0 && string(e.Generation) != string(t.fence.own) {
		if v, _ := t.judgeGeneration(e); v != NoVerdict {
			return NoVerdict
		}
	}
	if e.Seq == 0 {
		return Pass
	}
	if v, _ := t.judgeSeq(e.Seq); v != Accept {
		return NoVerdict
	}
	t.accept(e)
	return Accept
}

// judge runs the checks in their order and changes nothing.
func (t *Tracker) judge(e *events.Envelope) (Verdict, fault.Detail) {
	if t.foreign(e) {
		return foreignVerdict(e)
	}
	if len(e.Generation) > 0 && string(e.Generation) != string(t.fence.own) {
		if v, detail := t.judgeGeneration(e); v != NoVerdict {
			return v, detail
		}
	}
	return t.judgeSeq(e.Seq)
}

// decide fills in a decision on something other than an event.
func (t *Tracker) decide(d *Decision, v Verdict, detail fault.Detail) {
	*d = Decision{Verdict: v, Detail: detail, Expected: t.Expected(), Saved: t.at.Generation}
}

// Reject is the verdict on an event that is malformed, or cannot stand where it
// came: invalid for the problem p, and nothing moves.
func (t *Tracker) Reject(d *Decision, e *events.Envelope, p events.Problem) {
	t.decide(d, Invalid, fault.DetailBadEvent)
	d.Problem, d.Seq, d.Generation = p, e.Seq, e.Generation
	if p.Malformed() {
		d.Offset = e.At
	}
}

// Short is the verdict on a replay that ended below the head it promised: a gap.
func (t *Tracker) Short(d *Decision) { t.decide(d, Gap, fault.DetailShort) }

// Verdict is what [Tracker.Observe] would say of an event without a problem; it
// changes nothing.
func (t *Tracker) Verdict(e *events.Envelope) Verdict {
	v, _ := t.judge(e)
	return v
}

// Changed is the verdict on an event at the cursor that is not the one that was
// received there.
func (t *Tracker) Changed(d *Decision, e *events.Envelope) {
	t.decide(d, GenerationChanged, fault.DetailHistoryChanged)
	d.Expected, d.Seq, d.Generation = t.at.Seq, e.Seq, e.Generation
}

// Unproven is the verdict on an answer that does not show the event at the cursor
// as the event with this seq, or 0, tells.
func (t *Tracker) Unproven(d *Decision, seq events.Seq) {
	t.decide(d, Gap, fault.DetailUnproven)
	d.Expected, d.Seq = t.at.Seq, seq
}

// Expected is the seq that would be accepted next; 0 while any would be.
func (t *Tracker) Expected() events.Seq {
	if !t.anchored {
		return 0
	}
	return t.at.Seq + 1
}

// Force moves to an event that would have been refused, for a caller that only
// observes. It does nothing for an event without seq. What the head said of what
// is above it counts no more, so that one break is not told with every event.
func (t *Tracker) Force(e *events.Envelope) {
	if e.Seq == 0 || t.foreign(e) {
		return
	}
	t.at.Generation = ""
	t.fence.start("", t.fence.head, events.MaxSeq)
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
	switch t.fence.Check(e.Generation, e.Seq) {
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
