package sim

import (
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// goOffline takes the network away, or brings it back. What is open is left to
// itself.
func (c *client) goOffline() {
	c.away = !c.away
	if c.w.telling {
		c.w.tell("network  there is one: %v", !c.away)
	}
	c.input = aroundIn
	m := c.moment()
	if c.away {
		c.link.Offline(m)
	} else {
		c.link.Online(m)
	}
	c.drain()
	c.hurried()
}

// look says that somebody looks at the page again, or does not any more.
func (c *client) look() {
	c.input = lookIn
	if c.w.dice.one(3) {
		c.link.Hidden(c.moment())
	} else {
		c.link.Visible(c.moment())
		c.drain()
		c.hurried()
	}
	c.drain()
}

// hurried: a wait that is cut lasts as long as the server asked for and no longer
//
func (c *client) hurried() {
	if c.away || c.conn != nil || c.dead || c.wanted || !c.armed || !c.follows() || len(c.loads) > 0 {
		return
	}
	if in := link.Millis(c.alarm - c.w.real); in > max(0, c.leastAt-c.clock) {
		c.w.fail("a wait of %d ms where the server asked for %d", in, c.leastAt-c.clock)
	}
}

// credentials are asked for, once between two connections that were worth having
//
func (c *client) credentials(a *link.Action) {
	ok := c.input == openedIn && a.Status == c.response.Status && denies(a.Status) && c.w.climate.renews
	if !ok || c.asked {
		c.w.fail("credentials are asked for after status %d, before: %v", c.response.Status, c.asked)
	}
	c.asked, c.wanted = true, true
	if c.w.telling {
		c.w.tell("link     asks for new credentials")
	}
}

func denies(status int) bool { return status == 401 || status == 403 }

// renew brings new credentials, or says that there are none.
func (c *client) renew() {
	if !c.wanted || c.dead {
		return
	}
	c.wanted, c.input = false, renewIn
	c.unrenewed = c.w.faulty(statuses) && c.w.dice.one(6)
	if c.w.telling {
		c.w.tell("app      brings new credentials: %v", !c.unrenewed)
	}
	c.link.Renewed(c.moment(), c.unrenewed)
	c.drain()
}

// reset puts a cursor of the app in force, with the state it belongs to.
func (c *client) reset() {
	ln := &c.lanes[c.w.dice.below(len(c.lanes))]
	if ln.phase == finished || c.dead {
		return
	}
	v := ln.log.view
	if n := len(ln.log.past); n > 0 && c.w.faulty(badLoads) && c.w.dice.one(3) {
		v = ln.log.past[c.w.dice.below(n)]
	}
	p := place{at: v.tail, gen: v.gen}
	if c.w.telling {
		c.w.tell("app      resets %s to %d@%s", ln.log.id, seqOf(p.at), p.gen)
	}
	ln.rebuilt(p)
	c.queue = append(c.queue, item{lane: ln.index, place: p, state: true, link: c.links})
	c.input = loadedIn
	c.link.Reset(c.moment(), ln.index, p.cursor(ln.log.id))
	c.drain()
}

// mark asks which cursor belongs to what is applied, where the app knows that of
// this link.
func (c *client) mark(ln *lane) {
	if !ln.holds || ln.heldOf != c.links || ln.phase != following || c.link.Session(ln.index) == "" || c.resets(ln) {
		return
	}
	g := link.Given{Lane: ln.index, Seq: events.Seq(seqOf(ln.held.at))}
	if ln.held.at != nil && c.w.dice.one(2) {
		g.Event = string(ln.held.at.text)
	}
	c.marked, c.input = nil, aroundIn
	c.link.Give(c.moment(), appliedInput, &g)
	c.drain()
	c.take(ln)
}

// appliedInput is the number of that input on the seam.
const appliedInput = 14

// resets reports whether a new state of the lane waits for the app.
func (c *client) resets(ln *lane) bool {
	for i := range c.queue {
		if c.queue[i].lane == ln.index && c.queue[i].state {
			return true
		}
	}
	return false
}

// take holds the mark to what the rules say, and keeps it.
func (c *client) take(ln *lane) {
	at, gen := seqOf(ln.held.at), ""
	doubted := ln.trust == doubtful
	if at >= ln.since && !doubted {
		gen = ln.gen
	}
	m := c.marked
	switch {
	case m == nil:
		c.w.fail("no mark of %s", ln.log.id)
	case m.Cursor.Seq != events.Seq(at) || string(m.Cursor.Generation) != gen:
		c.w.fail("the mark of %s is %d@%s, the app holds %d@%s", ln.log.id, m.Cursor.Seq, m.Cursor.Generation, at, gen)
	}
	if gen != ln.held.gen {
		ln.held.gen, ln.held.unproven = gen, gen != "" && (ln.held.unproven || ln.misled)
	}
	ln.held.doubted, ln.held.proof = doubted, m.Proof
}

// answerMark keeps what the link answers to the question for a mark.
func (c *client) answerMark(a *link.Action) {
	c.marked = &link.Action{Cursor: a.Cursor, Proof: a.Proof}
}
