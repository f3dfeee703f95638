package sim

import (
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// seam is what is to show that the log of a lane without a generation still goes
// on from its cursor.
type seam struct {
	provable bool // the event at the cursor can be compared
	given    bool // the cursor stands where the app or a head has put it
	apart    bool // the event at the cursor could not be had
	join     join // of this connection
	trust    trust
	loose    bool // the cursor was continued unproven, and no recorded event came since
}

// join is what has to be shown on a connection before it goes on.
type join uint8

const (
	joined   join = iota // nothing, or it was shown
	overlaps             // by the event at the cursor, which is asked for again
	unproven             // nothing can show it
)

// trust is what the connections so far have shown.
type trust uint8

const (
	untested trust = iota
	proven
	doubtful
)

func (w *world) proves() bool { return w.climate.proof != link.Off }

// asksFrom settles how a lane is asked for, and answers the seq it is asked from.
func (ln *lane) asksFrom(proves bool) int {
	at := seqOf(ln.at)
	switch {
	case !proves || ln.given || !ln.placed || at == 0 || ln.gen != "" || !ln.anchored:
		ln.join = joined
	case ln.provable && !ln.apart:
		ln.join = overlaps
		return at - 1
	default:
		ln.join = unproven
	}
	return at
}

// stray puts the cursor where no event has brought it.
func (ln *lane) stray() { ln.seam = seam{given: true, trust: ln.trust} }

// ruleSeam is ruleHead for what has to be shown: a head that cannot bring the
// event at the cursor, or a cursor that nothing can prove.
func (c *client) ruleSeam(ln *lane, f *fact) ruling {
	switch {
	case ln.join == overlaps && f.oldest > seqOf(ln.at):
		return ruling{effect: apart}
	case ln.join == unproven:
		return c.ruleUnproven()
	}
	return nothing
}

// ruleUnproven: only who insists on a proof is refused for having none.
func (c *client) ruleUnproven() ruling {
	if c.w.climate.proof == link.Require {
		return ruling{refused, fault.ReasonGap, fault.DetailUnproven}
	}
	return nothing
}

// ruleOverlap is for events before the log is shown to go on. Not ok: the ruling
// stands; else the event is judged like any other.
func (c *client) ruleOverlap(ln *lane, f *fact) (ruling, bool) {
	asked := ln.join == overlaps
	switch at := seqOf(ln.at); {
	case ln.join == joined, ln.contradicts(f.gen):
		return nothing, true
	case f.kind == draft:
		return nothing, !(asked && ln.headed)
	case f.rec.seq == at+1:
		r := c.ruleUnproven()
		return r, r == nothing
	case f.rec.seq > at && asked:
		return ruling{effect: apart}, false
	case f.rec.seq == at && asked && f.rec != ln.at:
		return ruling{refused, fault.ReasonGenerationChanged, fault.DetailHistoryChanged}, false
	}
	return nothing, true
}

// continued: the cursor goes on without a proof.
func (ln *lane) continued() {
	if ln.join != joined {
		ln.join, ln.trust, ln.loose = joined, doubtful, true
	}
}

// shown: the event at the cursor came, and it is the one.
func (ln *lane) shown() {
	ln.join = joined
	if ln.trust == untested {
		ln.trust = proven
	}
	if ln.headed && ln.head.last == seqOf(ln.at) {
		ln.settle()
	}
}

// exact reports whether the lane claims that nothing can have been exchanged.
func (ln *lane) exact() bool { return ln.anchored && (ln.gen != "" || ln.trust == proven) }

// blind reports whether nobody can see that an event is of another incarnation
// than the cursor: then the stream does not claim to be exact, or its server took
// care of neither (see docs/sim.md).
func (c *client) blind(ln *lane, f *fact) bool {
	switch {
	case ln.gen != "":
		return ln.unproven || ln.unnamed(f.gen)
	case !c.w.proves() || f.bent:
		return true
	}
	return ln.loose || ln.given
}

// allApart: an answer that is a gap as a whole is asked for once more, each session
// from its cursor itself, when an event at a cursor was asked for.
func (c *client) allApart() (any bool) {
	for i := range c.lanes {
		if ln := &c.lanes[i]; ln.phase == following && ln.join == overlaps {
			ln.apart, any = true, true
		}
	}
	return any
}
