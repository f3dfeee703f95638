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
	stood    bool // and a server went on from there
	own      bool // it stood for itself when it was asked for
	apart    bool // the event at the cursor could not be had
	made     bool // and its proof was made
	bare     bool // the latest head named no generation
	named    bool // the event at the cursor came on this connection, and named one
	join     join // of this connection
	trust    trust
	bent     bool // the event came from a server that has gone on in another log
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

// vouched reports whether a generation does the work of a proof: the cursor has
// one, and so has the latest head.
func (ln *lane) vouched() bool { return ln.gen != "" && !ln.bare }

// begins says what is to be shown when the lane is asked for.
func (ln *lane) begins() join {
	ln.own = ln.given && !ln.stood // it stands for itself
	own := ln.own || ln.at == nil
	switch {
	case !ln.placed, !ln.anchored, ln.vouched(), own && ln.gen == "":
		return joined
	case ln.provable && !ln.apart:
		ln.made = true
		return overlaps
	}
	return unproven
}

// asksFrom settles how a lane is asked for, and answers the cursor it is asked
// from.
func (ln *lane) asksFrom() (seq int, gen string) {
	ln.join, ln.asked = ln.begins(), ln.at
	switch {
	case ln.join == overlaps:
		return seqOf(ln.at) - 1, ""
	case ln.join == joined && ln.trust == proven:
		ln.trust = untested // a generation has to show it from here on
	}
	return seqOf(ln.at), ln.gen
}

// stray puts the cursor where no event has brought it.
func (ln *lane) stray() { ln.seam = seam{given: true, own: true, trust: ln.trust, bare: ln.bare} }

// ruleSeam is ruleHead for what has to be shown: a head that cannot bring the
// event at the cursor, one that says nothing to a generation, a second one of a
// connection, or a cursor that nothing can prove.
func (c *client) ruleSeam(ln *lane, f *fact) ruling {
	join, ask := ln.shows(f)
	switch {
	case ask:
		ln.made = true
		return ruling{effect: again}
	case join == overlaps && f.oldest > seqOf(ln.at):
		return ruling{effect: apart}
	case join == unproven:
		return c.ruleUnproven(ln, f)
	}
	return nothing
}

// goes reports whether the session has gone on already on this connection.
func (ln *lane) goes() bool {
	return ln.headed || ln.at != ln.asked || ln.join == joined && ln.trust == proven
}

// shows answers what is to be shown once a head has come, and whether another
// connection has to be asked for that: for a fenced cursor that the head does not
// confirm, and for one without a generation when the server judges anew
//
func (ln *lane) shows(f *fact) (j join, ask bool) {
	second := ln.goes()
	switch {
	case ln.gen != "" && f.gen != "":
		return joined, false
	case ln.join != joined, !second && (ln.gen == "" || ln.bare):
		return ln.join, false
	}
	told := *ln
	told.bare = f.gen == ""
	j = told.begins()
	if j != overlaps {
		return j, false
	}
	return unproven, f.oldest <= seqOf(ln.at) && !(second && ln.reshown)
}

// ruleUnproven: only who insists on a proof is refused for having none, and an
// event that names the generation is as good as one.
func (c *client) ruleUnproven(ln *lane, f *fact) ruling {
	named := ln.gen != "" && f.kind == event && f.gen != ""
	if c.w.climate.proof == link.Require && !ln.given && ln.at != nil && !named {
		return ruling{refused, fault.ReasonGap, fault.DetailUnproven}
	}
	return nothing
}

// ruleOverlap is for events before the log is shown to go on. Not ok: the ruling
// stands; else the event is judged like any other.
func (c *client) ruleOverlap(ln *lane, f *fact) (ruling, bool) {
	asked := ln.join == overlaps
	switch at := seqOf(ln.at); {
	case ln.join == joined, ln.contradicts(f.gen, f.seq()):
		return nothing, true
	case f.kind == draft:
		return nothing, !(asked && ln.headed)
	case f.rec.seq == at+1:
		r := c.ruleUnproven(ln, f)
		return r, r == nothing
	case f.rec.seq > at && asked:
		return ruling{effect: apart}, false
	case f.rec.seq == at && ln.compares() && f.rec != ln.at:
		return ruling{refused, fault.ReasonGenerationChanged, fault.DetailHistoryChanged}, false
	}
	return nothing, true
}

// compares reports whether the event at the cursor is looked at when it comes.
func (ln *lane) compares() bool { return ln.join != joined && ln.provable && ln.made }

// continued: the cursor goes on, and f is all that says so.
func (ln *lane) continued(f *fact) {
	switch {
	case ln.join == joined:
	case ln.gen != "" && f.kind == event && f.gen != "":
		ln.join = joined // it named the cursor's generation
	case ln.gen != "" && f.kind != event:
		ln.join = unproven // the next event may
	default:
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
func (ln *lane) exact() bool {
	named := ln.named || ln.headed && !ln.bare
	return ln.anchored && ln.trust != doubtful && (ln.gen != "" && named || ln.trust == proven)
}

// blind reports whether nobody can see that an event is of another incarnation
// than the cursor: then the stream does not claim to be exact, or its server took
// care of neither (see docs/sim.md).
func (c *client) blind(ln *lane, f *fact) bool {
	switch {
	case ln.gen != "":
		return ln.unproven || !ln.exact()
	case !c.w.proves() || f.bent:
		return true
	}
	return ln.loose || ln.own
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
