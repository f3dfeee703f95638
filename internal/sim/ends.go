package sim

import (
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

// refuse holds a refusal to the truth: its reason, its detail and its evidence
// have to be what arrived.
func (c *client) refuse(a *link.Action) {
	ln := &c.lanes[a.Lane]
	r := a.Refusal
	if c.w.telling {
		c.w.tell("app      gets a refusal of %s: %s %s", ln.log.id, r.Reason, r.Detail)
	}
	if ln.phase != following {
		c.w.fail("%s is refused while it is not followed", ln.log.id)
	}
	if c.input == openedIn {
		c.refusedByStatus(ln, r)
	} else {
		c.refusedByFact(ln, r)
	}
	if r.Session != ln.log.id && !(c.w.climate.unnamed && r.Session == "") {
		c.w.fail("a refusal of %s names %q", ln.log.id, r.Session)
	}
	if r.Evidence.SavedSeq != events.Seq(seqOf(ln.at)) || string(r.Evidence.SavedGeneration) != ln.gen {
		c.w.fail("the evidence saved %d@%s, the consumer holds %d@%s", r.Evidence.SavedSeq, r.Evidence.SavedGeneration, seqOf(ln.at), ln.gen)
	}
	ln.refusals++
	ln.phase = refusing
	if !c.w.climate.load {
		ln.phase = finished
	}
}

// refusesGap reports whether the latest answer was a gap as a whole.
func (c *client) refusesGap() bool {
	reason, _ := refusalIn(c.response.Status)
	return reason == fault.ReasonGap
}

func (c *client) refusedByStatus(ln *lane, r *replay.Refusal) {
	reason, detail := refusalIn(c.response.Status)
	if r.Reason != reason || r.Detail != detail || r.Evidence.Status != c.response.Status {
		c.w.fail("%s is refused for %s %s after status %d", ln.log.id, r.Reason, r.Detail, c.response.Status)
	}
}

func (c *client) refusedByFact(ln *lane, r *replay.Refusal) {
	f, want := c.next()
	switch {
	case f == nil || f.lane != ln.index:
		c.w.fail("%s is refused for %s %s, and nothing that arrived says so", ln.log.id, r.Reason, r.Detail)
	case want.effect == doubted && !ln.resynced:
		c.w.fail("%s is refused for %s without a second look", ln.log.id, c.w.factText(f))
	case want.effect != doubted && want.effect != refused:
		c.w.fail("%s is refused for %s %s, and by the rules %s wants %s", ln.log.id, r.Reason, r.Detail, c.w.factText(f), effectNames[want.effect])
	}
	if want.detail == fault.DetailHole && ln.headed && ln.head.oldest > seqOf(ln.at)+1 {
		want.detail = fault.DetailPruned
	}
	if r.Reason != want.reason || r.Detail != want.detail {
		c.w.fail("%s is refused for %s %s, the truth is %s %s", ln.log.id, r.Reason, r.Detail, want.reason, want.detail)
	}
	c.heads = c.heads || f.kind == headed
	c.checkEvidence(ln, f, want, &r.Evidence)
}

// checkEvidence: what a refusal rests on has to be what arrived.
func (c *client) checkEvidence(ln *lane, f *fact, want ruling, e *replay.Evidence) {
	wrong := false
	switch {
	case f.kind == headed && want.detail != fault.DetailUnproven:
		wrong = !e.HasHead || e.LastSeq != events.Seq(f.last) || e.OldestSeq != events.Seq(f.oldest)
	case want.detail == fault.DetailUnproven:
	case want.detail == fault.DetailHistoryChanged:
		wrong = e.ReceivedSeq != events.Seq(seqOf(ln.at)) || e.ExpectedSeq != events.Seq(seqOf(ln.at))
	case f.kind == event && f.flaw == flawless:
		wrong = e.ReceivedSeq != events.Seq(f.rec.seq) || e.ExpectedSeq != events.Seq(seqOf(ln.at)+1) || string(e.ObservedGeneration) != f.gen
	case f.kind == denied:
		wrong = e.HasHead != ln.headed || ln.headed && e.LastSeq != events.Seq(ln.head.last)
	case f.kind == caughtUp:
		wrong = e.ExpectedSeq != events.Seq(seqOf(ln.at)+1)
	}
	if wrong {
		c.w.fail("the evidence of a refusal for %s is untrue: %+v", c.w.factText(f), *e)
	}
}

// hangUp closes the connection, for which there has to be a reason.
func (c *client) hangUp(*link.Action) {
	if c.conn == nil && c.input != openedIn {
		c.w.fail("a connection is closed that is not there")
	}
	if c.w.telling {
		c.w.tell("link     closes the connection")
	}
	c.worth()
	switch {
	case (c.input == tickIn || c.input == lookIn) && c.clock-c.life < watchdog && !c.lacksHead():
		c.w.fail("a connection is given up %d ms after its last sign of life", c.clock-c.life)
	case c.input == openedIn && c.refusesGap() && c.allApart():
	case (c.input == feedingIn || c.input == closedIn) && c.follows():
		c.doubt()
	}
	if c.conn != nil && c.conn.answered {
		c.late = c.conn.body[c.conn.fed:]
	}
	c.conn, c.facts, c.empty = nil, nil, 0
	c.leastAt = max(c.leastAt, c.clock+c.retry)
}

// watchdog is how long a connection may be silent, or without a head, in
// milliseconds.
const watchdog = 45_000

// lacksHead reports whether the head of some session has not come for too long.
func (c *client) lacksHead() bool {
	for i := range c.lanes {
		if ln := &c.lanes[i]; ln.phase == following && c.early(ln) {
			return c.conn != nil && c.conn.answered && c.clock-c.opened >= watchdog
		}
	}
	return false
}

// follows reports whether any session still needs a connection.
func (c *client) follows() bool {
	for i := range c.lanes {
		if c.lanes[i].phase == following {
			return true
		}
	}
	return false
}

// doubt finds what a connection is given up for.
func (c *client) doubt() {
	f, r := c.next()
	switch {
	case f == nil:
		c.w.fail("a connection is given up for nothing that arrived")
	case r.effect == nonsensical:
		c.nonsense++
	case r.effect == apart:
		c.lanes[f.lane].apart, c.lanes[f.lane].resynced = true, true
	case r.effect == again:
		c.lanes[f.lane].reshown = c.lanes[f.lane].reshown || c.lanes[f.lane].goes()
	case r.effect == doubted && !c.lanes[f.lane].resynced:
		c.lanes[f.lane].resynced = true
	default:
		c.w.fail("a connection is given up where %s wants %s", c.w.factText(f), effectNames[r.effect])
	}
	if f.kind == headed {
		c.heads, c.lanes[f.lane].bare = true, f.gen == ""
	}
	if c.w.telling {
		c.w.tell("         for %s", c.w.factText(f))
	}
}

// end holds the end of one session to the truth.
func (c *client) end(a *link.Action) {
	ln := &c.lanes[a.Lane]
	if ln.phase == finished {
		c.w.fail("%s ends twice", ln.log.id)
	}
	if !c.causes(a, ln) {
		c.w.fail("%s ends with cause %s, which is not true", ln.log.id, a.Cause)
	}
	ln.phase = finished
	if c.w.telling {
		c.w.tell("app      gets the end of %s, %s", ln.log.id, a.Cause)
	}
}

// causes reports whether the cause of an end is what happened.
func (c *client) causes(a *link.Action, ln *lane) bool {
	switch a.Cause {
	case link.Terminal:
		return ln.at != nil && ln.at.terminal && c.w.climate.terminal
	case link.Server:
		return c.input == openedIn && c.response.Status == 204 || c.expect(ended, "the end of "+ln.log.id).lane == ln.index
	case link.Incomplete:
		return c.input == closedIn && c.empty >= 2
	case link.Closed:
		return c.input == stopIn
	case link.Failed:
		return c.isTrue(a.Fault, ln)
	}
	return false
}

// failed holds the end of the link to the truth.
func (c *client) failed(a *link.Action) {
	if c.w.telling {
		c.w.tell("app      gets a fault: %s", a.Fault.ID)
	}
	ok := false
	for i := range c.lanes {
		ok = ok || c.isTrue(a.Fault, &c.lanes[i])
	}
	if !ok {
		c.w.fail("the link fails with %s (expected %s, found %s), which is not true", a.Fault.ID, a.Fault.Expected, a.Fault.Found)
	}
	c.dead = true
	for i := range c.lanes {
		c.lanes[i].phase = finished
	}
}

// isTrue reports whether a fault says what happened.
func (c *client) isTrue(f *fault.Fault, ln *lane) bool {
	switch f.ID {
	case fault.Unauthorized:
		refused := c.input == openedIn && denies(c.response.Status) && (c.asked || !c.w.climate.renews)
		return refused || c.input == renewIn && c.unrenewed
	case fault.HTTPStatus:
		return c.input == openedIn && c.response.Status == 404
	case fault.ContentType:
		return c.input == openedIn && c.response.ContentType == "text/html"
	case fault.InvalidHead, fault.BadControl, fault.Unattributed:
		return c.nonsense >= 2
	case fault.LoadLoop:
		return ln.refusals >= 2
	case fault.LoadFailed:
		return c.input == loadedIn && c.w.answered == loadFails
	case fault.ForeignSession:
		return c.input == loadedIn && c.w.answered == loadForeign
	}
	return false
}
