package sim

import (
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// hazard is a kind of thing that goes wrong. A world has some kinds and not
// others, so that each also comes alone.
type hazard uint32

const (
	cuts       hazard = 1 << iota // connections end at any byte
	silences                      // connections go dead without a word
	drops                         // frames are left out
	doubles                       // frames are sent twice
	spoils                        // frames are damaged
	poisons                       // records that are always left out or damaged
	losses                        // logs lose their tail
	takeovers                     // another writer takes over, with a tail of its own
	prunes                        // logs drop their front
	stales                        // servers answer from an old head
	zombies                       // the writer that was taken over writes on
	sloppy                        // servers go on across a replaced log without a new head
	statuses                      // servers answer something else than a stream
	crashes                       // the consumer begins again from what it saved
	badLoads                      // loads that fail, or answer an old snapshot
	clocks                        // the clock steps back
	networks                      // there is no network at times, and nobody looks
	resets                        // the app puts cursors of its own in force
	slow                          // the app takes its time
	faultKinds = iota
)

// climate is what a world is like from beginning to end.
type climate struct {
	faults  hazard
	steps   int // while faults last
	lanes   int
	profile *profile.Profile
	base    int // first seq on the wire
	chunk   int // most bytes that arrive at once
	every   int // frames are dropped, doubled and damaged once in so many

	leases    leasing
	names     bool // generations are names without an order
	quoted    bool // generations are written as text
	mute      bool // heads name no generation
	shy       bool // some events name none, though their log has one
	pages     bool // the consumer reads pages instead of a stream
	terminal  bool // some events end a stream
	anonymous bool // events name no session
	idless    bool // frames have no id
	bare      bool // members stand in another order than our server's
	crlf      bool
	mark      bool // a byte order mark begins each body
	hush      bool // nothing is written once the faults have stopped
	curt      bool // servers end connections soon after the replay, and writers write little

	load     bool // the app can load snapshots
	explicit bool // and was asked not to at first
	now      bool // sessions without a cursor begin now
	unnamed  bool // only the server knows the session
	report   bool
	renews   bool // it can be asked for new credentials
	proof    link.Proof
	eager    bool // proofs are asked for with each event
}

// leasing says when a log's writer takes a lease.
type leasing uint8

const (
	never leasing = iota
	always
	later // some time after it began
)

const terminalType = "turn_completed"

// profiles by (first seq on the wire, some events end a stream).
var profiles = func() (all [2][2]profile.Profile) {
	for base := range all {
		for terminal := range all[base] {
			p := profile.Session
			p.Base = events.Seq(base)
			if terminal == 1 {
				p.Terminal = []string{terminalType}
			}
			all[base][terminal] = p
		}
	}
	return all
}()

// draw draws the climate of a world.
func (c *climate) draw(d *dice) {
	for kind := range faultKinds {
		if d.percent(35) {
			c.faults |= 1 << kind
		}
	}
	c.pages = d.one(6)
	c.steps, c.every = d.between(30, 120), d.between(3, 24)
	c.base = 1
	if d.one(5) {
		c.base = 0
	}
	c.lanes = 1
	if d.one(3) && !c.pages {
		c.lanes = d.between(2, 3)
	}
	c.chunk = [...]int{3, 60, 400, 1 << 16}[d.below(4)]
	c.drawLog(d)
	c.drawWire(d)
	c.drawApp(d)
	c.profile = &profiles[c.base][index(c.terminal)]
}

func (c *climate) drawLog(d *dice) {
	c.leases = [...]leasing{never, always, always, later}[d.below(4)]
	c.names, c.quoted = d.one(4), d.one(4)
	c.mute = d.one(6)
	c.shy = !c.mute && c.faults&(drops|sloppy) == 0 && d.one(6)
	c.terminal = d.one(10)
}

func (c *climate) drawWire(d *dice) {
	c.anonymous = c.lanes == 1 && d.one(8)
	c.idless, c.bare = d.one(6), d.one(4)
	c.crlf, c.mark = d.one(8), d.one(16)
	c.curt, c.hush = d.one(6), d.one(4)
}

func (c *climate) drawApp(d *dice) {
	c.load, c.explicit = d.one(2), d.one(3)
	c.now = d.one(5)
	c.unnamed = c.lanes == 1 && d.one(8)
	c.report, c.renews = d.one(4), d.one(2)
	if c.curt && !d.one(4) {
		c.load, c.now, c.faults = true, false, c.faults|takeovers|losses
	}
	c.proof = [...]link.Proof{link.Off, link.Prefer, link.Prefer, link.Require}[d.below(4)]
	c.eager = d.one(2)
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}
