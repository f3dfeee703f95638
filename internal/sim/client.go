package sim

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// client is the consumer: the driver of a link, with what the rules say of it.
type client struct {
	w    *world
	link *link.Link
	conn *conn // nil: there is none

	lanes []lane
	rows  []cursor.Cursor // where each session stands, as it was said last
	facts []fact          // told by what arrived, and not accounted for yet
	heads bool            // a head has come, on this connection or before
	dead  bool            // the link is over
	links int             // made so far
	away  bool            // there is no network
	input input           // that the link answers now

	armed bool
	alarm int64 // on the clock that nobody sets

	clock     link.Millis // of the latest input; the spans below move with it
	opened    link.Millis
	life      link.Millis
	notBefore link.Millis // what the server asked to wait
	leastAt   link.Millis // when a wait may end that is cut to what the server asked for
	retry     link.Millis // what its retry field asks for

	response link.Response // the latest
	news     bool          // a recorded event came on this connection
	empty    int           // clean ends in a row without news
	nonsense int           // connection faults since the last recorded event

	asked     bool         // credentials were asked for since a connection was worth having
	wanted    bool         // and are awaited
	unrenewed bool         // and there were none
	marked    *link.Action // the latest mark

	loads    []int  // lanes whose app runs its load
	snapshot item   // that the latest load answered
	queue    []item // handed over and not applied
	late     []byte // bytes of the connection before
}

type input uint8

const (
	starting input = iota
	openedIn
	feedingIn
	closedIn
	tickIn
	loadedIn
	renewIn
	lookIn
	aroundIn
	stopIn
)

// open makes a link from what is saved, or was received, and starts it.
func (c *client) open(cursors []cursor.Cursor, owes []string) {
	m := &c.w.climate
	o := link.Options{Profile: m.profile, Cursors: cursors, Owes: owes, Load: m.load, Explicit: m.explicit, Report: m.report, Proof: m.proof, Credentials: m.renews}
	if m.now {
		o.From = link.FromNow
	}
	for i := range c.lanes {
		if !m.unnamed {
			o.Sessions = append(o.Sessions, c.lanes[i].log.id)
		}
	}
	for i := range c.lanes {
		if ln := &c.lanes[i]; ln.placed && ln.proof.IsSet() {
			o.Proofs = append(o.Proofs, link.SavedProof{Session: ln.log.id, Digest: ln.proof})
		}
	}
	l, err := link.New(o)
	if err != nil {
		c.w.fail("the link refused its options: %v", err)
	}
	rows := make([]cursor.Cursor, len(c.lanes))
	for i := range rows {
		rows[i] = c.lanes[i].cursor(c.lanes[i].log.id)
	}
	*c = client{w: c.w, link: l, lanes: c.lanes, rows: rows, queue: c.queue, links: c.links + 1, clock: c.w.now(), input: starting}
	c.link.Start(c.moment())
	c.drain()
}

// moment is what the next input is lent. A clock that stepped back takes along
// what the link waits for.
func (c *client) moment() link.Moment {
	now := c.w.now()
	if back := c.clock - now; back > 0 {
		c.opened -= back
		c.life -= back
		c.notBefore -= back
		c.leastAt -= back
	}
	c.clock = now
	return link.Moment{Now: now, Random: c.w.dice.fraction()}
}

// answered hands the link the answer to its request.
func (c *client) answered(r link.Response) {
	c.input, c.response, c.news = openedIn, r, false
	m := c.moment()
	c.opened, c.life = m.Now, m.Now
	if r.Status != 200 {
		c.conn, c.empty = nil, 0
		c.notBefore = m.Now + r.RetryAfter
		c.leastAt = m.Now + max(r.RetryAfter, c.retryUnless(r.RetryAfter))
	}
	if c.w.telling {
		c.w.tell("server   answers %d %s retry after %d", r.Status, r.ContentType, r.RetryAfter)
	}
	for i := range c.lanes {
		ln := &c.lanes[i]
		ln.stood = ln.stood || r.Status == 200 && !c.heads && ln.phase == following
	}
	c.link.Opened(m, r)
	c.drain()
}

// feed lets n more bytes of the body arrive.
func (c *client) feed(n int) {
	from := c.conn.fed
	c.facts = append(c.facts, c.conn.take(n)...)
	if c.w.telling {
		c.w.tell("network  brings %d bytes, %d frames", n, len(c.facts))
	}
	c.input = feedingIn
	m := c.moment()
	c.life = m.Now
	c.link.Feed(m, c.conn.body[from:from+n])
	c.drain()
}

// closed says that the connection has ended.
func (c *client) closed(torn bool) {
	m := c.moment()
	c.worth()
	c.input, c.conn = closedIn, nil
	if torn || c.news || m.Now-c.opened >= openLong {
		c.empty = 0
	} else {
		c.empty++
	}
	if c.w.telling {
		c.w.tell("network  the connection ends, torn=%v", torn)
	}
	c.leastAt = m.Now + c.retry
	c.link.Closed(m, torn)
	c.drain()
}

// worth: a connection that lasted, or brought an event, is progress.
func (c *client) worth() {
	if c.conn != nil && c.conn.answered && (c.news || c.clock-c.opened >= openLong) {
		c.asked = false
	}
}

// retryUnless is the wait of the retry field, which Retry-After goes before.
func (c *client) retryUnless(after link.Millis) link.Millis {
	if after > 0 {
		return 0
	}
	return c.retry
}

// tick is the alarm that the link asked for.
func (c *client) tick() {
	c.armed, c.input = false, tickIn
	if c.w.telling {
		c.w.tell("alarm")
	}
	c.link.Tick(c.moment())
	c.drain()
}

// most is how many actions may follow from one input, for each frame, lane and
// for itself.
const most = 8

// drain performs all actions of an input, and then looks at what came of it.
func (c *client) drain() {
	bound := most * (1 + len(c.facts) + len(c.lanes))
	for a := c.link.Next(); a != nil; a = c.link.Next() {
		if bound--; bound < 0 {
			c.w.fail("one input was answered by more than %d actions", most*(1+len(c.facts)+len(c.lanes)))
		}
		c.perform(a)
	}
	c.rest()
}

// rest holds the link to what the rules say once it waits for an input.
func (c *client) rest() {
	if f, r := c.next(); f != nil {
		c.w.fail("after %s there was to be %s", c.w.factText(f), effectNames[r.effect])
	}
	for i := range c.lanes {
		ln := &c.lanes[i]
		if ln.phase == refusing {
			c.w.fail("%s was refused and neither loads nor ends", ln.log.id)
		}
		if ln.phase == following && !c.dead {
			c.compare(ln)
		}
	}
	if len(c.queue) > queueMost+c.w.climate.chunk {
		c.w.fail("%d items wait for the app", len(c.queue))
	}
}

// compare: only recorded events move a cursor, seq and generation as one.
func (c *client) compare(ln *lane) {
	p := c.link.Place(ln.index)
	if c.link.Placed(ln.index) != ln.placed {
		c.w.fail("%s has a position to ask from: %v, by the rules %v", ln.log.id, !ln.placed, ln.placed)
	}
	if p.Seq != events.Seq(seqOf(ln.at)) || string(p.Generation) != ln.gen {
		c.w.fail("the cursor of %s is %d@%s, by the rules %d@%s", ln.log.id, p.Seq, p.Generation, seqOf(ln.at), ln.gen)
	}
	if row, told := &c.rows[ln.index], ln.told(); ln.placed && c.link.Session(ln.index) != "" && *row != told.cursor(ln.log.id) {
		c.w.fail("the shell was told that %s is at %s, by the rules %d@%s", ln.log.id, row.Token(1), seqOf(told.at), told.gen)
	}
	if p := c.link.Proof(ln.index); ln.proof.IsSet() && p.IsSet() && p != ln.proof {
		c.w.fail("the proof of %s is %s, and the shell was told %s", ln.log.id, p, ln.proof)
	}
	if c.link.Drafts(ln.index) != (ln.drafts || ln.owes) {
		c.w.fail("%s says that drafts are out: %v", ln.log.id, c.link.Drafts(ln.index))
	}
}

// next answers the first fact that has to have an effect, and takes in those
// before it that have none.
func (c *client) next() (*fact, ruling) {
	for len(c.facts) > 0 {
		f := &c.facts[0]
		c.facts = c.facts[1:]
		r := c.rule(f)
		if r.effect != silent {
			return f, r
		}
		c.learn(f)
	}
	return nil, nothing
}

// cannotMiss reports whether a consumer has no way to know that a frame was to
// come: it waits for as long as nothing comes (R-194 looks for the first head alone).
func (c *client) cannotMiss(f *fact) bool {
	switch f.kind {
	case headed:
		return !c.heads || c.lanes[f.lane].headed
	case event:
		return c.w.climate.hush
	}
	return f.kind == denied || f.kind == over
}

// learn is what a fact does that has no effect to be seen: a head that refuses
// nothing, and the event at a cursor.
func (c *client) learn(f *fact) {
	if f.lane < 0 || c.lanes[f.lane].phase != following {
		return
	}
	ln := &c.lanes[f.lane]
	if f.kind == event && f.rec == ln.at && ln.compares() && f.flaw == flawless && !c.early(ln) && !ln.contradicts(f.gen, f.seq()) {
		ln.shown()
	}
	if f.kind == headed {
		c.learnHead(ln, f)
	}
}

func (c *client) learnHead(ln *lane, f *fact) {
	second := ln.goes()
	ln.named = ln.named && !second
	ln.join, _ = ln.shows(f)
	c.heads, ln.headed, ln.head = true, true, *f
	if ln.fromNow && !ln.placed {
		ln.at, ln.gen, ln.risen = f.tail, f.gen, nil
		ln.anchored, ln.placed, ln.since = true, true, f.last
		ln.stray()
	}
	ln.own = ln.own && !second
	ln.stood, ln.bare = true, f.gen == ""
	if ln.join == unproven {
		ln.continued(f)
	}
	ln.begun, ln.headGen, ln.headLast = true, f.gen, f.last
	if ln.anchored && seqOf(ln.at) == f.last && ln.join == joined {
		ln.settle()
	}
}
