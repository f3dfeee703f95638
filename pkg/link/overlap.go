package link

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

// join is what is to show that the log still goes on from the cursor of a lane,
// on the connection that was asked for last.
type join uint8

const (
	joined   join = iota // nothing has to, or it is shown
	overlaps             // the event at the cursor, which is asked for once more
	unproven             // nothing can
)

// trust is what the connections so far say about what a lane holds that came without
// a generation.
type trust uint8

const (
	untested trust = iota // no cursor of it was continued yet
	proven                // each one by its event
	doubtful              // at least one was not, or turned out to be of another log: no generation that comes later mends it
)

// prover makes the proofs of a link, nil when there are none. The option is
// settled with it.
func (o *Options) prover() (*cursor.Prover, *fault.Fault) {
	if o.Proof == ProofByProfile {
		o.Proof = Off
		if o.Profile.Tabled {
			o.Proof = Prefer
		}
	}
	switch {
	case o.Proof == Off:
		return nil, nil
	case o.Profile.Proves():
		return cursor.NewProver(o.Profile), nil
	case o.Proof == Require:
		return nil, invalid("proof: prefer or off, or a profile with an identity whose numbers rise and outlive a connection", "proof: require")
	}
	return nil, nil
}

// proofOf is the proof that was saved for a session, if the prover can compare it,
// and whether it was saved with a doubt.
func (o *Options) proofOf(session string, v *cursor.Prover) (p cursor.Proof, t trust) {
	for i := range o.Proofs {
		saved := cursor.Proof(o.Proofs[i].Digest)
		if o.Proofs[i].Session != session {
			continue
		}
		if v.Makes(saved) {
			p = saved
		} else if saved.Doubt(); v.Makes(saved) {
			p, t = saved, doubtful
		}
	}
	return p, t
}

// proves lets a lane make proofs, and gives it the one that was saved with its
// cursor. The driver is told where it stands then, so that it knows more than what
// is asked for.
func (ln *lane) proves(v *cursor.Prover, saved cursor.Proof, t trust) {
	ln.prover = v
	if ln.start == FromCursor {
		ln.proof, ln.trust = saved, t
		ln.moved = ln.moved || saved.IsSet() && !ln.fenced()
	}
}

func (ln *lane) fenced() bool { return ln.tracker.Place().Generation.IsSet() }

// vouched reports whether a generation does the work, so that no proof is wanted.
func (ln *lane) vouched() bool { return ln.fenced() && !ln.bare }

// begins says what is to show that the log goes on, when it is asked for next.
func (ln *lane) begins() join {
	own := ln.given && !ln.stood || ln.tracker.Place().Seq == 0 // it stands for itself
	switch {
	case ln.start != FromCursor, !ln.tracker.Anchored(), ln.vouched(), own && !ln.fenced():
		return joined
	case ln.provable():
		return overlaps
	}
	return unproven
}

// provable reports whether the event at the cursor can be asked for and compared.
func (ln *lane) provable() bool { return !ln.apart && ln.prove().IsSet() }

// holds notes the recorded event that the lane stands on now.
func (ln *lane) holds(e *events.Envelope, text []byte) {
	ln.given, ln.named = false, len(e.Generation) > 0
	if ln.prover != nil {
		ln.text = text
	}
}

// mostKept bounds the copy of an event that is kept for a proof.
const mostKept = 1 << 16

// keep takes over the event that the lane stands on, whose text is at hand until the
// next input. Its proof is made now, or later where it is likely that nobody wants
// it: then the text is copied, which costs less.
func (ln *lane) keep() {
	text := ln.text
	if text == nil {
		return
	}
	ln.text, ln.apart, ln.proof = nil, false, cursor.Proof{}
	if ln.kept = ln.kept[:0]; ln.vouched() && len(text) <= mostKept {
		ln.kept = append(ln.kept, text...)
	} else {
		ln.proof, _ = ln.prover.Of(text)
	}
}

// prove is the proof of the event that the lane stands on.
func (ln *lane) prove() cursor.Proof {
	ln.keep()
	if len(ln.kept) > 0 {
		ln.proof, _ = ln.prover.Of(ln.kept)
		ln.kept = ln.kept[:0]
	}
	return ln.proof
}

// stray forgets the proof: the lane was put where no event has brought it.
func (ln *lane) stray() {
	ln.proof, ln.text, ln.kept = cursor.Proof{}, nil, ln.kept[:0]
	ln.join, ln.apart, ln.given, ln.stood, ln.named = joined, false, true, false, false
}

// Proof is the proof of the event that the session of a lane stands on, the zero
// Proof when there is none or a generation does its work. It belongs to Place.
func (l *Link) Proof(lane int) (p cursor.Proof) {
	ln := &l.lanes[lane]
	if !ln.vouched() || ln.trust == doubtful {
		p = ln.marked(ln.prove())
	}
	return p
}

// marked is a proof as it is handed on.
func (ln *lane) marked(p cursor.Proof) cursor.Proof {
	if ln.trust == doubtful {
		p.Doubt()
	}
	return p
}

// doubt: what the lane holds was continued unproven, and whoever keeps its cursor is
// to know.
func (ln *lane) doubt() {
	ln.moved = ln.moved || ln.trust != doubtful && (ln.fenced() || ln.prove().IsSet())
	ln.trust = doubtful
}

// proofAt is the proof that belongs to a cursor of the lane: the one that is kept,
// or one of the text of its event, when that was given.
func (ln *lane) proofAt(c *cursor.Cursor, g *Given) (p cursor.Proof) {
	switch {
	case ln.prover == nil || c.Generation.IsSet() && !ln.bare || c.Session == "":
	case c.Seq == ln.tracker.Place().Seq:
		p = ln.prove()
	case c.Seq == g.Seq && g.Event != "":
		p, _ = ln.prover.Of([]byte(g.Event))
	}
	return ln.marked(p)
}

// keepAll takes over the events that proofs are still to be made of: the texts are
// about to go.
func (l *Link) keepAll() {
	if l.prover == nil {
		return
	}
	for i := range l.lanes {
		l.lanes[i].keep()
	}
}

// atSeam looks at an event of a lane while it is not shown yet that the log goes
// on. True: there is nothing more to do about it.
func (l *Link) atSeam(i int) bool {
	ln := &l.lanes[i]
	if l.relayed(ln) {
		return false
	}
	switch v := ln.tracker.Verdict(&l.event); {
	case v == cursor.Accept:
		return l.unproven(i, l.event.Seq)
	case v == cursor.Pass && ln.join == overlaps && ln.headed && !l.observes():
		l.drop(i, events.BeforeProof)
		return true
	case v == cursor.Duplicate && ln.proof.IsSet() && l.event.Seq == ln.tracker.Place().Seq:
		return l.compare(i)
	case v == cursor.Gap && l.canAskApart(ln):
		ln.tracker.Observe(&l.decision, &l.event, events.NoProblem)
		l.reportDecision(i)
		l.askApart(i, fault.RefusalID(fault.ReasonGap, l.decision.Detail))
		return true
	}
	return false
}

// compare looks at the event that the cursor stands on. It is the same, and was
// handed over before; or the log is another one.
func (l *Link) compare(i int) bool {
	ln := &l.lanes[i]
	ln.join = joined
	if p, _ := ln.prover.Of(l.frame.Data); p != ln.proof {
		l.distrust(ln)
		ln.tracker.Changed(&l.decision, &l.event)
		l.act(i)
		return true
	}
	if ln.trust == untested {
		ln.trust = proven
	}
	if ln.headed && ln.head.LastSeq == ln.tracker.Place().Seq {
		ln.settle()
	}
	ln.tracker.Observe(&l.decision, &l.event, events.NoProblem)
	if r := l.reportDecision(i); r != nil {
		r.Proven = true
	}
	return true
}

// unproven: nothing has shown that the log goes on, and nothing will; seq is that
// of the event that says so, 0 for a frame of the protocol. True: the lane may not
// go on either.
func (l *Link) unproven(i int, seq events.Seq) bool {
	ln := &l.lanes[i]
	required := l.options.Proof == Require && !ln.given && ln.tracker.Place().Seq > 0
	if ln.fenced() && seq > 0 && len(l.event.Generation) > 0 {
		ln.join = joined // it fits, so that it is the cursor's
		return false
	}
	if ln.fenced() && seq == 0 && !required {
		ln.join = unproven // the next event may name it
		return false
	}
	ln.join = joined
	if !required {
		ln.doubt()
		return false
	}
	l.distrust(ln)
	ln.tracker.Unproven(&l.decision, seq)
	l.reportDecision(i)
	if l.observes() {
		return false
	}
	l.refuse(i, ln.refusal(&l.decision))
	return true
}

// distrust: the answer is refused, which is no doubt about what the lane holds;
// unless it goes on all the same.
func (l *Link) distrust(ln *lane) {
	if l.observes() {
		ln.doubt()
	} else if ln.trust == proven {
		ln.trust = untested
	}
}

// canAskApart reports whether what was asked for with overlap can be asked for
// without.
func (l *Link) canAskApart(ln *lane) bool { return ln.join == overlaps && !l.options.Single }

// askApart asks once more, from the cursor itself: the event at it cannot be had
//
func (l *Link) askApart(i int, why fault.ID) {
	ln := &l.lanes[i]
	ln.apart = true
	ln.resyncs++
	l.turn(i, doubted)
	l.resync(why)
}

// unshown settles what a head leaves to be shown, when it continues the cursor; was
// is whether the head before it named no generation, again whether that was of this
// connection. True: another answer has to come first, or the lane is refused.
func (l *Link) unshown(i int, was, again bool) bool {
	ln := &l.lanes[i]
	switch {
	case ln.vouched():
		ln.join = joined
	case ln.join != joined, !again && (was || !ln.fenced()): // it is as it was asked for
	case l.askBefore(i, again):
		return true
	case ln.begins() != joined:
		ln.join = unproven
	}
	return l.lacksOverlap(i) || ln.join == unproven && l.unproven(i, 0)
}

// begun reports whether the session has gone on already on this connection: its head
// has come, or something that its head should have come before.
func (ln *lane) begun() bool {
	return ln.headed || ln.asked != ln.tracker.Place().Seq || ln.join == joined && ln.trust == proven
}

// askBefore asks once more, with overlap: the generation of the cursor is neither
// confirmed nor contradicted, or the log may be another one than that which
// was shown to go on. A server that judges again and again is asked once.
func (l *Link) askBefore(i int, again bool) bool {
	ln := &l.lanes[i]
	if again && ln.reshown || l.options.Single || ln.head.OldestSeq > ln.tracker.Place().Seq || ln.begins() != overlaps {
		return false
	}
	ln.reshown = ln.reshown || again
	l.reportOf(i, replay.Unavailable, ln.gap(fault.DetailUnproven, 0))
	l.turn(i, doubted)
	l.resync(fault.GapUnproven)
	return true
}

// lacksOverlap reports whether a head that continues the cursor cannot bring the
// event at it, and asks without then.
func (l *Link) lacksOverlap(i int) bool {
	ln := &l.lanes[i]
	if !l.canAskApart(ln) || ln.head.OldestSeq <= ln.tracker.Place().Seq {
		return false
	}
	l.reportOf(i, replay.Unavailable, ln.gap(fault.DetailPruned, 0))
	l.askApart(i, fault.GapPruned)
	return true
}

// gap is the answer to an overlapping request, as a refusal that is not made.
func (ln *lane) gap(d fault.Detail, status int) *replay.Refusal {
	r := &replay.Refusal{Reason: fault.ReasonGap, Detail: d}
	r.Stand(ln.tracker.Place())
	r.Evidence.Head(&ln.head)
	r.Evidence.HasHead, r.Evidence.Status = ln.headed, status
	return r
}

// allApart asks once more, each session from its cursor itself, after an answer
// that refused as a whole what was asked for with overlap. False: nothing was.
func (l *Link) allApart(status int, detail fault.Detail) (any bool) {
	for i := range l.lanes {
		if ln := &l.lanes[i]; ln.asks() && l.canAskApart(ln) {
			ln.apart, any = true, true
			l.reportOf(i, replay.Unavailable, ln.gap(detail, status))
			l.turn(i, doubted)
		}
	}
	if any {
		l.resync(fault.RefusalID(fault.ReasonGap, detail))
	}
	return any
}

// strength is what the lane can prove now.
func (ln *lane) strength(p *profile.Profile) profile.Strength {
	named := ln.named || ln.headed && !ln.bare
	return p.StrengthOf(ln.tracker.Anchored() && ln.trust != doubtful && (ln.fenced() && named || ln.trust == proven))
}
