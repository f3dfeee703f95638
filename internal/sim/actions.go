package sim

import (
	"bytes"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// performers do what the link orders, and hold each order to the rules first.
var performers map[link.Kind]func(*client, *link.Action)

func init() {
	performers = map[link.Kind]func(*client, *link.Action){
		link.Deliver: (*client).handOver,
		link.Draft:   (*client).handOver,
		link.Restart: (*client).restart,
		link.Live:    (*client).goLive,
		link.Refused: (*client).refuse,
		link.End:     (*client).end,
		link.Connect: (*client).connect,
		link.Wake:    (*client).wake,
		link.Load:    (*client).load,
		link.Close:   (*client).hangUp,
		link.Fail:    (*client).failed,
		link.State:   (*client).state,
		link.Mark:    (*client).answerMark,

		link.Credentials: (*client).credentials,
		link.Decided:     func(*client, *link.Action) {},
		link.Position:    (*client).stand,
	}
}

func (c *client) perform(a *link.Action) {
	do, ok := performers[a.Kind]
	if !ok {
		c.w.fail("an action of a kind that the world does not know: %d", a.Kind)
	}
	if c.dead && a.Kind != link.Position || c.stopped() && a.Kind != link.End && a.Kind != link.Close && a.Kind != link.Position {
		c.w.fail("an action of kind %d after the end", a.Kind)
	}
	do(c, a)
}

func (c *client) stopped() bool { return c.input == stopIn }

// expect answers the fact that an action follows from, and fails when the rules
// want something else, or nothing.
func (c *client) expect(e effect, what string) *fact {
	f, r := c.next()
	switch {
	case f == nil:
		c.w.fail("the link says %s, and nothing that arrived says so", what)
	case r.effect != e:
		c.w.fail("the link says %s, and by the rules %s wants %s", what, c.w.factText(f), effectNames[r.effect])
	}
	return f
}

// handOver takes one event, recorded or not, in the bytes that it was sent in.
func (c *client) handOver(a *link.Action) {
	f := c.expect(handed, string(a.Data))
	if !bytes.Equal(a.Data, f.text) || (a.Kind == link.Deliver) != (f.kind == event) {
		c.w.fail("%s is handed over where %s comes next", a.Data, c.w.factText(f))
	}
	if f.kind == relayed {
		if string(a.Session) != foreignSession {
			c.w.fail("a relayed event is handed over as one of %q", a.Session)
		}
		return
	}
	ln := &c.lanes[f.lane]
	if a.Lane != ln.index {
		c.w.fail("an event of %s is handed over as one of lane %d", ln.log.id, a.Lane)
	}
	if ln.owes {
		c.w.fail("an event of %s comes before the restart that is due", ln.log.id)
	}
	if f.kind == draft {
		ln.drafts = ln.drafts || f.ephemeral
		return
	}
	if a.Seq != events.Seq(f.rec.seq) {
		c.w.fail("seq %d is handed over as %d", f.rec.seq, a.Seq)
	}
	c.accept(ln, f)
}

// accept moves the consumer to a recorded event. The heart of the world: it has
// to be the one that follows in the same incarnation of the log.
func (c *client) accept(ln *lane, f *fact) {
	ln.continued(f)
	spliced := false
	switch {
	case !ln.anchored:
		ln.gen = ""
	case f.rec.prev != ln.at:
		if !c.blind(ln, f) {
			c.w.fail("a splice: %s is of another incarnation of %s than the %d@%s that the consumer holds, and the stream called itself exact",
				c.w.factText(f), ln.log.id, seqOf(ln.at), ln.gen)
		}
		spliced = true
	}
	ln.unproven = ln.gen != "" && f.gen == "" && ln.trust == doubtful
	ln.at, ln.anchored, ln.placed = f.rec, true, true
	ln.rise(f.gen)
	ln.seam = seam{provable: c.w.proves(), made: !ln.vouched(), trust: ln.trust, bent: f.bent, bare: ln.bare, named: f.gen != ""}
	ln.proof = cursor.Proof{}
	if ln.provable && c.w.climate.eager {
		ln.proof = c.link.Proof(ln.index)
	}
	ln.resynced, ln.refusals, ln.drafts, ln.reshown = false, 0, false, false
	c.news, c.nonsense, c.empty, c.asked = true, 0, 0, false
	c.queue = append(c.queue, item{lane: ln.index, place: ln.told(), link: c.links, spliced: spliced})
	if c.w.telling {
		c.w.tell("app      gets %s:%d", ln.log.id, f.rec.seq)
	}
}

// stand keeps what is said of where a session stands.
func (c *client) stand(a *link.Action) {
	c.rows[a.Lane] = a.Cursor
	if ln := &c.lanes[a.Lane]; ln.proof.IsSet() {
		ln.proof = c.link.Proof(a.Lane)
	}
}

func (c *client) restart(a *link.Action) {
	ln := &c.lanes[a.Lane]
	if !ln.owes || a.Seq != events.Seq(ln.after) {
		c.w.fail("a restart of %s after %d, due: %v after %d", ln.log.id, a.Seq, ln.owes, ln.after)
	}
	ln.owes, ln.drafts = false, false
	if c.w.telling {
		c.w.tell("app      gets a restart of %s after %d", ln.log.id, a.Seq)
	}
}

// goLive: the lane has reached the head that it was promised.
func (c *client) goLive(a *link.Action) {
	f := c.expect(live, "live")
	ln := &c.lanes[f.lane]
	ln.continued(f)
	ln.settle()
	if a.Lane != ln.index || a.Seq != events.Seq(seqOf(ln.at)) {
		c.w.fail("live of lane %d at %d, the consumer of %s holds %d", a.Lane, a.Seq, ln.log.id, seqOf(ln.at))
	}
	want := profile.StrengthContiguous
	if ln.exact() {
		want = profile.StrengthExact
	}
	if a.Strength != want {
		c.w.fail("%s says that it is %s, by the rules %s", ln.log.id, a.Strength, want)
	}
	if c.w.telling {
		c.w.tell("app      gets live of %s at %d, %s", ln.log.id, a.Seq, a.Strength)
	}
}

// connect makes a connection from where the consumer stands.
func (c *client) connect(a *link.Action) {
	switch {
	case c.away:
		c.w.fail("a connection while there is no network")
	case c.conn != nil:
		c.w.fail("a second connection beside the one there is")
	case c.clock < c.notBefore:
		c.w.fail("a connection %d ms before the server allowed one", c.notBefore-c.clock)
	}
	c.facts = nil
	for i := range c.lanes {
		c.lanes[i].disconnected()
	}
	c.checkAsks(a.Asks)
	c.conn = c.w.dial(a.Asks)
	c.life = c.clock
	if c.w.telling {
		c.w.tell("link     connects%s", c.w.asksText(a.Asks))
	}
}

// disconnected: ephemeral output may come again, and heads have to.
func (ln *lane) disconnected() {
	ln.headed, ln.named = false, false
	if ln.drafts {
		ln.drafts, ln.owes, ln.after = false, true, seqOf(ln.at)
	}
}

// checkAsks: every session that is followed is asked for, from its place.
func (c *client) checkAsks(asks []link.Ask) {
	n := 0
	for i := range c.lanes {
		if c.lanes[i].phase == following {
			n++
		}
	}
	if len(asks) != n {
		c.w.fail("a connection asks for %d sessions, %d are followed", len(asks), n)
	}
	for i := range asks {
		a := &asks[i]
		ln := &c.lanes[c.w.laneOf(a.Session)]
		at, gen := ln.asksFrom()
		switch a.Start {
		case link.FromCursor:
			if a.Cursor.Seq != events.Seq(at) || string(a.Cursor.Generation) != gen || !ln.anchored {
				c.w.fail("%s is asked for from %d@%s, the consumer holds %d@%s", ln.log.id, a.Cursor.Seq, a.Cursor.Generation, at, gen)
			}
		case link.FromBeginning:
			if at > 0 || seqOf(ln.at) > 0 && c.w.climate.base == 1 {
				c.w.fail("%s is asked for from the beginning, the consumer holds %d", ln.log.id, at)
			}
		case link.FromNow:
			if ln.placed || !ln.fromNow {
				c.w.fail("%s is asked for from now, the consumer holds %d", ln.log.id, at)
			}
		}
	}
}

// longestWait is how far ahead an alarm may lie beside what a server asked for,
// in milliseconds.
const longestWait = 61_000 + 30_000

func (c *client) wake(a *link.Action) {
	in := a.At - c.clock
	if in > longestWait {
		c.w.fail("an alarm in %d ms", in)
	}
	c.armed, c.alarm = true, c.w.real+int64(max(in, 0))
}

// load lets the app run its load for a session.
func (c *client) load(a *link.Action) {
	ln := &c.lanes[a.Lane]
	if (a.Why == link.Rebuilt) != (ln.phase == refusing) {
		c.w.fail("a load of %s that is called %s", ln.log.id, a.Why)
	}
	if ln.refusals > 1 {
		c.w.fail("%s loads again, though the load before did not help", ln.log.id)
	}
	ln.phase = loading
	c.loads = append(c.loads, a.Lane)
	if c.w.telling {
		c.w.tell("link     asks for a load of %s, %s", ln.log.id, a.Why)
	}
}
