package sim

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// item is one thing that was handed over and that the app has still to apply.
type item struct {
	lane  int
	place      // behind the event or the snapshot
	state bool // it is a snapshot
	link  int  // that handed it over

	spliced bool // it is of another incarnation than what came before, which nobody could see
}

// queueMost is how many items wait at most; a consumer that is this far behind
// stops reading.
const queueMost = 12

// apply takes in the oldest item. False: there is none.
func (c *client) apply() bool {
	if len(c.queue) == 0 {
		return false
	}
	it := c.queue[0]
	c.queue = c.queue[1:]
	ln := &c.lanes[it.lane]
	switch {
	case it.state:
		ln.applied, ln.spliced = above(it.at, 0), false
	default:
		ln.applied, ln.spliced = append(ln.applied, it.at), ln.spliced || it.spliced
	}
	ln.held, ln.holds, ln.heldOf = it.place, true, it.link
	return true
}

// save writes down what is applied, position and state as one.
func (c *client) save() {
	for i := range c.lanes {
		ln := &c.lanes[i]
		if !c.dead {
			c.mark(ln)
		}
		if ln.holds {
			n := len(ln.applied)
			ln.saved = saved{true, ln.held, ln.applied[:n:n], ln.spliced}
		}
	}
	if c.w.telling {
		c.w.tell("app      saves")
	}
}

// crash begins again from what was saved: a page was closed between received and
// applied.
func (c *client) crash() {
	if c.w.telling {
		c.w.tell("app      crashes and begins again from what it saved")
	}
	c.queue = nil
	var cursors []cursor.Cursor
	for i := range c.lanes {
		ln := &c.lanes[i]
		s := ln.saved
		ln.applied, ln.held, ln.holds, ln.spliced, ln.heldOf = s.state, s.place, s.there, s.spliced, c.links+1
		if s.there {
			cursors = append(cursors, s.cursor(ln.log.id))
		}
		ln.begin(s.place, s.there, c.w.climate.now)
	}
	c.open(cursors, nil)
}

// cursor is a place as the core writes it.
func (p *place) cursor(session string) cursor.Cursor {
	return cursor.Cursor{Session: session, Seq: events.Seq(seqOf(p.at)), Generation: events.Generation(p.gen)}
}

// replace puts a fresh link in place of one that died, which goes on from what
// was received.
func (c *client) replace() {
	for i := range c.lanes {
		if c.lanes[i].phase != following || c.dead {
			return
		}
	}
	if c.w.telling {
		c.w.tell("app      the module dies, and another one goes on")
	}
	var cursors []cursor.Cursor
	var owes []string
	for i := range c.lanes {
		ln := &c.lanes[i]
		ln.disconnected()
		due, after := ln.owes, seqOf(ln.at)
		if due {
			owes = append(owes, ln.log.id)
		}
		if ln.placed {
			p := ln.told()
			cursors = append(cursors, p.cursor(ln.log.id))
			ln.begin(p, true, ln.fromNow)
		} else {
			ln.begin(place{}, false, ln.fromNow)
		}
		ln.owes, ln.after = due, after
	}
	c.open(cursors, owes)
}

// loading answers.
type loadAnswer uint8

const (
	loadHonest loadAnswer = iota
	loadOld               // a snapshot of an earlier day, maybe of another incarnation
	loadFails
	loadForeign
)

// answerLoad ends one load that the app runs. False: there is none.
func (c *client) answerLoad() bool {
	if len(c.loads) == 0 {
		return false
	}
	ln := &c.lanes[c.loads[0]]
	c.loads = c.loads[1:]
	if ln.phase != loading {
		return true
	}
	c.w.answered = c.w.drawLoad()
	c.input = loadedIn
	switch c.w.answered {
	case loadFails:
		c.w.tellLoad(ln, "fails")
		c.link.LoadFailed(c.moment(), ln.index, "a failure")
	case loadForeign:
		c.w.tellLoad(ln, "answers a cursor of another session")
		c.link.Loaded(c.moment(), ln.index, cursor.Cursor{Session: foreignSession})
	default:
		c.loaded(ln)
	}
	c.drain()
	return true
}

// loaded answers a snapshot of some view of the log.
func (c *client) loaded(ln *lane) {
	v := ln.log.view
	if n := len(ln.log.past); n > 0 && c.w.answered == loadOld {
		v = ln.log.past[c.w.dice.below(n)]
	}
	at := v.tail
	if back := v.last() - v.oldest + 1; back > 0 && !c.w.quiet && c.w.dice.one(2) {
		at = v.tail.back(v.last() - c.w.dice.below(back+1))
	}
	gen := v.gen
	if c.w.dice.one(4) {
		gen = ""
	}
	c.snapshot = item{lane: ln.index, place: place{at: at, gen: gen}, state: true}
	if c.w.telling {
		c.w.tell("app      loads %s up to %d@%s", ln.log.id, seqOf(at), gen)
	}
	c.link.Loaded(c.moment(), ln.index, c.snapshot.cursor(ln.log.id))
}

// state puts the snapshot in force that was just loaded.
func (c *client) state(a *link.Action) {
	ln := &c.lanes[a.Lane]
	s := c.snapshot
	if c.input != loadedIn || s.lane != a.Lane || a.Cursor.Seq != events.Seq(seqOf(s.at)) || string(a.Cursor.Generation) != s.gen {
		c.w.fail("a state of %s that was not loaded", ln.log.id)
	}
	ln.rebuilt(s.place)
	s.link = c.links
	c.queue = append(c.queue, s)
}

func (w *world) drawLoad() loadAnswer {
	switch {
	case !w.faulty(badLoads) || !w.dice.one(3):
		return loadHonest
	case w.dice.one(8):
		return loadFails
	case w.dice.one(8) && !w.climate.unnamed:
		return loadForeign
	}
	return loadOld
}

func (w *world) tellLoad(ln *lane, what string) {
	if w.telling {
		w.tell("app      the load of %s %s", ln.log.id, what)
	}
}
