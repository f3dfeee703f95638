package sim

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// lane is what the rules make of one session: where its consumer stands, and why.
// It is written from docs/protocol.md, not from the code that is under test.
type lane struct {
	log   *sessionLog
	index int
	phase phase

	placed   bool // there is a position to ask from
	anchored bool // there is one to compare with; false: the next event sets it
	fromNow  bool
	place

	since    int      // where gen was taken
	misled   bool     // unproven, when it was taken from a head
	begun    bool     // a head was told since the cursor was set
	headGen  string   // its generation
	headLast int      // its last seq
	risen    []string // generations accepted while the cursor has none
	head     fact     // of this connection
	headed   bool     // there is one

	seam

	asked    *record // where it was when the connection was asked for
	reshown  bool    // a second head of a connection was answered by another one since the last recorded event
	resynced bool    // since the last recorded event a new connection was made for it
	refusals int     // since then
	drafts   bool    // ephemeral output is out since then
	owes     bool    // and a break voided it
	after    int     // where

	app
}

// place is where a consumer stands.
type place struct {
	at       *record // the last recorded event that was handed over; nil: none was
	gen      string  // of the cursor
	unproven bool    // it took gen from a head or an answer of another log, which nobody could see
	doubted  bool    // it goes with a doubt, so that gen is left out
	proof    cursor.Proof
}

// told is the place as it is handed on: the generation of a cursor that was continued
// unproven shows nothing.
func (ln *lane) told() place {
	p := ln.place
	if p.doubted = ln.trust == doubtful; p.doubted {
		p.gen, p.unproven = "", false
	}
	return p
}

// app is what the app has of a session, behind what was handed over.
type app struct {
	applied []*record
	holds   bool // there is a position that belongs to applied
	held    place
	heldOf  int // the link that handed it over
	saved   saved
	spliced bool // it holds records of two incarnations, which nobody could see
}

// phase is how far a session is from being followed.
type phase uint8

const (
	following phase = iota
	refusing        // refused, and what comes of it is not told yet
	loading
	finished
)

// saved is what the app wrote down: a position with the state it belongs to.
type saved struct {
	there bool
	place
	state   []*record
	spliced bool
}

// begin puts a lane where a consumer starts from a position, or from none.
func (ln *lane) begin(p place, placed, fromNow bool) {
	*ln = lane{log: ln.log, index: ln.index, app: ln.app, seam: seam{provable: p.proof.IsSet()}}
	ln.place, ln.placed, ln.since = p, placed, seqOf(p.at)
	ln.anchored, ln.fromNow = placed || !fromNow, fromNow
	if p.doubted && ln.provable {
		ln.trust = doubtful
	}
}

// vouches reports whether the log that a head was told of holds r, or r was
// appended to it. A consumer without a generation cannot see whether a head and
// what came behind it are of one log, and takes the head's generation all the same.
func vouches(head view, r *record) bool {
	if seqOf(r) <= head.last() {
		return holds(head.tail, r)
	}
	return r.back(head.last()) == head.tail && (r.gen == "" || r.gen == head.gen)
}

// rebuilt puts a loaded snapshot in force.
func (ln *lane) rebuilt(p place) {
	refusals := ln.refusals
	ln.begin(p, true, ln.fromNow)
	ln.refusals, ln.given = refusals, true
}

// effect is what has to follow from a fact.
type effect uint8

const (
	silent      effect = iota // nothing
	handed                    // the event is handed over
	doubted                   // a new connection, and on the second time a refusal
	refused                   // a refusal at once
	nonsensical               // the connection is nonsense: another one, then none
	live                      // the replay has ended
	ended                     // the session is over
	again                     // a new connection, which asks for the event at the cursor
	apart                     // a new connection, which asks from the cursor itself
)

var effectNames = [...]string{
	"nothing", "that the event is handed over", "a new connection, or a refusal after it", "a refusal", "another connection",
	"live", "end", "a connection with overlap", "a connection from the cursor itself",
}

// ruling is an effect, with the reason of a refusal.
type ruling struct {
	effect effect
	reason fault.Reason
	detail fault.Detail
}

var nothing = ruling{}

// rule answers what a fact means to the session as it stands.
func (c *client) rule(f *fact) ruling {
	switch f.kind {
	case noise:
		return nothing
	case junk:
		return ruling{effect: nonsensical}
	case relayed:
		return c.ruleRelayed()
	}
	if f.flaw == homeless || f.flaw == foreign && len(c.lanes) > 1 || f.flaw == malformed && len(c.lanes) > 1 && c.w.climate.idless {
		return ruling{effect: nonsensical}
	}
	ln := &c.lanes[f.lane]
	if ln.phase != following {
		return nothing
	}
	switch f.kind {
	case headed:
		if r := ln.ruleHead(f); r != nothing {
			return r
		}
		return c.ruleSeam(ln, f)
	case caughtUp:
		return c.ruleLive(ln, f)
	case denied:
		if ln.join == overlaps && f.reason == fault.ReasonGap {
			return ruling{effect: apart}
		}
		return ln.ruleDenied(f)
	case over:
		return ruling{effect: ended}
	}
	return c.ruleEvent(ln, f)
}

// ruleRelayed: it is handed over as long as somebody is there to take it.
func (c *client) ruleRelayed() ruling {
	for i := range c.lanes {
		if c.lanes[i].phase == following {
			return ruling{effect: handed}
		}
	}
	return nothing
}

// early: the head of the session is still to come, from a server that sends
// heads.
func (c *client) early(ln *lane) bool { return c.heads && !ln.headed }

// openLong is how long after the answer a missing head is nonsense, and
// how long a connection has to last to be progress, in milliseconds.
const openLong = 5000

func (c *client) ruleEvent(ln *lane, f *fact) ruling {
	if f.flaw == foreign { // of no session of ours, so that it waits for no head of ours
		return ruling{doubted, fault.ReasonGap, fault.DetailForeignSession}
	}
	if c.early(ln) {
		if c.clock-c.opened >= openLong {
			return ruling{effect: nonsensical}
		}
		return nothing
	}
	if f.flaw != flawless {
		return ruling{doubted, fault.ReasonGap, fault.DetailBadEvent}
	}
	if r, ok := c.ruleOverlap(ln, f); !ok {
		return r
	}
	if r, ok := ln.ruleGeneration(f); !ok {
		return r
	}
	switch {
	case f.kind == draft, !ln.anchored:
		return ruling{effect: handed}
	case f.rec.seq <= seqOf(ln.at):
		return nothing
	case f.rec.seq > seqOf(ln.at)+1:
		return ruling{doubted, fault.ReasonGap, fault.DetailHole}
	}
	return ruling{effect: handed}
}

// ruleHead. Without a position there is nothing to compare.
func (ln *lane) ruleHead(f *fact) ruling {
	if ln.fromNow && !ln.placed || !ln.anchored {
		return nothing
	}
	reason, detail := judge(seqOf(ln.at), ln.gen, view{tail: f.tail, gen: f.gen, oldest: f.oldest})
	if reason == fault.NoReason {
		return nothing
	}
	return ruling{refused, reason, detail}
}

// onTheWay are the details of a gap that a relay may have met between server and client.
var onTheWay = map[fault.Detail]bool{
	fault.DetailHole: true, fault.DetailNotAboveCursor: true, fault.DetailDuplicate: true, fault.DetailDisorder: true,
	fault.DetailShort: true, fault.DetailBadEvent: true, fault.DetailForeignSession: true,
}

// ruleDenied: what a server says against the head of this connection is looked at
// again first. A gap below the head is for the server to know.
func (ln *lane) ruleDenied(f *fact) ruling {
	if ln.headed {
		h := &ln.head
		reason, _ := judge(seqOf(ln.at), ln.gen, view{tail: h.tail, gen: h.gen, oldest: h.oldest})
		if reason == fault.NoReason && (f.reason != fault.ReasonGap || seqOf(ln.at) == h.last || onTheWay[f.detail]) {
			return ruling{doubted, f.reason, f.detail}
		}
	}
	return ruling{refused, f.reason, f.detail}
}

// ruleLive: the replay has to have reached the head that was promised.
func (c *client) ruleLive(ln *lane, f *fact) ruling {
	switch {
	case c.early(ln):
		return nothing
	case ln.anchored && seqOf(ln.at) < max(f.last, ln.head.last):
		return ruling{doubted, fault.ReasonGap, fault.DetailShort}
	}
	if ln.join != joined {
		if r := c.ruleUnproven(ln, f); r != nothing {
			return r
		}
	}
	return ruling{effect: live}
}
