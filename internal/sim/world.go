package sim

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// world is one play: logs with their writers, servers, a network, and one
// consumer with its app.
type world struct {
	seed    uint64
	dice    dice
	climate climate
	quiet   bool // faults have stopped

	real int64 // milliseconds since the world began, on a clock that nobody sets
	skew int64 // of the clock that the link is told

	logs   []*sessionLog
	leases int // taken so far
	made   int // events so far

	client   client
	reader   reader
	answered loadAnswer // to the latest load

	scratch []byte
	telling bool
	story   []string
	step    int
}

// began is the time at which worlds begin, in milliseconds since the Unix epoch.
const began = 1_700_000_000_000

func (w *world) now() link.Millis { return link.Millis(began + w.real + w.skew) }

// faulty reports whether something of a kind may go wrong now.
func (w *world) faulty(h hazard) bool { return !w.quiet && w.climate.faults&h != 0 }

// newWorld draws a world and lets its consumer begin.
func newWorld(seed uint64, telling bool) *world {
	w := &world{seed: seed, dice: dice{seed}, telling: telling}
	w.client.w, w.reader.w = w, w
	w.climate.draw(&w.dice)
	if telling {
		w.tell("%s", w.climate.text())
	}
	for i := range w.climate.lanes {
		w.logs = append(w.logs, w.newLog(i))
	}
	return w
}

// newLog makes a log that something may stand in already.
func (w *world) newLog(i int) *sessionLog {
	l := &sessionLog{id: sessions[i], view: view{oldest: 1}}
	if w.climate.leases == always {
		l.fences = true
		w.acquire(l)
	}
	for range w.dice.below(8) {
		w.append(l)
	}
	return l
}

// play runs the world to its end.
func (w *world) play() {
	if w.climate.pages {
		w.reader.begin(w.logs[0])
	} else {
		w.beginClient()
	}
	d := w.deck()
	for w.step < w.climate.steps {
		w.step++
		d.draw(&w.dice)(w)
	}
	w.calm()
}

func (w *world) beginClient() {
	c := &w.client
	c.lanes = make([]lane, len(w.logs))
	for i := range c.lanes {
		ln := &c.lanes[i]
		ln.log, ln.index = w.logs[i], i
		ln.begin(place{}, false, w.climate.now)
	}
	c.open(w.beforeAll(), nil)
}

// beforeAll lets a session of several stand before the first event, where numbers
// begin at 0: no cursor can be asked from there, so that those that begin now are
// asked for from the beginning with it.
func (w *world) beforeAll() []cursor.Cursor {
	if !w.climate.now || w.climate.base == 1 || w.climate.lanes == 1 || w.dice.one(2) {
		return nil
	}
	ln := &w.client.lanes[0]
	ln.begin(place{}, true, true)
	return []cursor.Cursor{ln.cursor(ln.log.id)}
}

// anyLog is a log that is still written to, nil for none.
func (w *world) anyLog() *sessionLog {
	if l := w.logs[w.dice.below(len(w.logs))]; !l.ended {
		return l
	}
	return nil
}

// anyServed is a session on the connection that was answered, nil for none.
func (w *world) anyServed() *served {
	c := w.client.conn
	if c == nil || !c.answered {
		return nil
	}
	return &c.served[w.dice.below(len(c.served))]
}
