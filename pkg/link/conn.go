package link

import "github.com/tidemark-stream/tidemark/pkg/fault"

// state is where the connection stands.
type state uint8

const (
	idle       state = iota // not started, or no lane needs a connection now
	connecting              // asked for, not answered
	open                    // the body is being read
	pausing                 // waiting for the back-off to pass
	final                   // over for good
)

// connection is the link's half of one network connection after another.
type connection struct {
	_       [0]func() // not comparable, which saves a module the code of it
	state   state
	begun   bool   // a connection was asked for before
	attempt int    // connections since the last progress
	floor   Millis // what the server asked to wait, for the next back-off
	retryAt Millis

	opened  Millis // when the body began
	life    Millis // when the last sign of life came
	quiet   Millis // when the next resync may be made at once
	now     Millis // of the latest input
	random  float64
	news    bool // a recorded event was accepted on this connection
	closing bool // the body has ended; frames may still be undrained
	failed  bool // it ended with an error
	cut     bool // it ended inside a frame
	empty   int  // clean ends in a row with nothing new
	faults  int  // connection faults since the last recorded event
}

// at takes the time of an input. A clock that steps back takes along what the
// connection waits for.
//
//go:noinline
func (c *connection) at(t Moment) {
	if back := c.now - t.Now; back > 0 {
		c.retryAt -= back
		c.opened -= back
		c.life -= back
		c.quiet -= back
	}
	c.now, c.random = t.Now, t.Random
}

func (c *connection) alive(t Moment) {
	c.at(t)
	c.life = t.Now
}

// connect opens a connection for every lane that asks for one.
func (l *Link) connect() {
	asks := make([]Ask, 0, len(l.lanes))
	for i := range l.lanes {
		ln := &l.lanes[i]
		if ln.phase == loading && !l.conn.begun {
			return // the first connection waits for every first load
		}
		if ln.asks() {
			asks = asks[:len(asks)+1]
			ln.ask(&asks[len(asks)-1], l.profile.Base)
		}
	}
	if len(asks) == 0 {
		return
	}
	oneStart(asks)
	l.conn.state, l.conn.begun, l.conn.life = connecting, true, l.conn.now
	l.conn.closing, l.conn.failed, l.conn.cut, l.conn.news = false, false, false, false
	a := l.push(Connect, -1)
	a.Asks, a.Attempt = asks, l.conn.attempt
	l.wake(l.conn.now + watchdogSpan)
}

// oneStart: a request has one start for all sessions without a cursor. From now
// would be too late for one that is at the beginning; the other way round, the
// head says what is too early.
func oneStart(asks []Ask) {
	beginning := false
	for i := range asks {
		beginning = beginning || asks[i].Start == FromBeginning
	}
	for i := range asks {
		if beginning && asks[i].Start == FromNow {
			asks[i].Start = FromBeginning
		}
	}
}

// Opened says that the server answered.
func (l *Link) Opened(t Moment, r Response) {
	if l.conn.state != connecting {
		return
	}
	l.conn.alive(t)
	l.conn.opened, l.conn.floor = t.Now, r.RetryAfter
	code := code(r.Body)
	if l.profile.IsExpired(r.Status, code) {
		l.refuseAll(r.Status, code, fault.DetailWindowExpired)
		return
	}
	switch answerTo(r.Status) {
	case answerStream:
		l.opened(r.ContentType)
	case answerEnd:
		l.finish(Server)
	case answerRefusal:
		l.refuseAll(r.Status, code, fault.DetailHTTPStatus)
	case answerLater:
		l.backOff(fault.HTTPStatus)
	case answerDenied:
		l.fail(statusFault(fault.Unauthorized, r.Status))
	default:
		l.fail(statusFault(fault.HTTPStatus, r.Status))
	}
}

func (l *Link) opened(contentType string) {
	if !isEventStream(contentType) {
		l.fail(contentTypeFault(contentType))
		return
	}
	l.decoder.Reset()
	l.conn.state, l.conn.floor = open, 0
}

// Closed says that the body ended: cleanly, or broken by an error. It also says
// that a request failed before any answer.
func (l *Link) Closed(t Moment, failed bool) {
	l.conn.at(t)
	switch l.conn.state {
	case connecting:
		l.backOff(fault.ConnectionLost)
	case open:
		l.conn.closing, l.conn.failed = true, failed
	}
}

// ended settles a connection whose frames are all judged. A clean end is not a
// completion: the link resumes, and only when that brings nothing new either is
// the stream over, incomplete.
func (l *Link) ended() {
	c := &l.conn
	c.cut = l.decoder.End()
	c.state = idle
	empty := 0
	switch {
	case c.progressed():
		c.attempt = 0
	case !c.failed && !c.cut:
		empty = c.empty + 1
	}
	if empty >= 2 {
		l.finish(Incomplete)
		return
	}
	l.backOff(fault.ConnectionLost)
	c.empty = empty
}

// progressed reports whether the open connection was worth having.
func (c *connection) progressed() bool { return c.news || c.now-c.opened >= openProgress }

// floor is the least wait: Retry-After if there was one, else the stream's own
// retry field.
func (l *Link) floor() Millis {
	if l.conn.floor > 0 {
		return l.conn.floor
	}
	if ms, ok := l.decoder.Retry(); ok {
		return clampRetry(ms)
	}
	return 0
}

// backOff drops the connection for a reason and comes back after a wait.
func (l *Link) backOff(why fault.ID) {
	wait := delay(l.floor(), l.conn.attempt, l.conn.random)
	if r := l.report(); r != nil {
		r.Broken, r.Cut, r.Wait = why, l.conn.cut, wait
	}
	l.dropLanes()
	l.conn.state, l.conn.retryAt = pausing, l.conn.now+wait
	l.conn.attempt++
	l.conn.floor = 0
	l.wake(l.conn.retryAt)
}

// resync hangs up and comes back, to see whether what did not connect was the
// wire's fault: at once, but one that follows another soon waits.
func (l *Link) resync(why fault.ID) {
	soon := l.conn.now < l.conn.quiet
	l.conn.quiet = l.conn.now + resyncPause
	if soon {
		l.hangUp()
		l.backOff(why)
	} else {
		l.reconnect()
	}
}

// reconnect hangs up and comes back at once.
func (l *Link) reconnect() {
	l.hangUp()
	l.dropLanes()
	l.connect()
}

// hangUp closes the connection if there is one.
func (l *Link) hangUp() {
	if l.conn.state == connecting || l.conn.state == open {
		l.push(Close, -1)
	}
	if l.conn.state != final {
		l.conn.state = idle
	}
}

// dropLanes: the connection is gone. Unless it ended cleanly, clean ends in a row
// are counted anew.
func (l *Link) dropLanes() {
	l.conn.empty = 0
	for i := range l.lanes {
		l.lanes[i].disconnect()
		l.turn(i, parted)
	}
}

// Tick says that time has passed. The link asks for it with Wake; more ticks do
// no harm.
func (l *Link) Tick(t Moment) {
	l.conn.at(t)
	switch l.conn.state {
	case pausing:
		if t.Now < l.conn.retryAt {
			l.wake(l.conn.retryAt)
			return
		}
		l.connect()
	case connecting, open:
		l.watch()
	}
}

// watch drops a connection that gave no sign of life for too long. A laptop that
// slept finds itself here.
func (l *Link) watch() {
	if l.conn.now-l.conn.life < watchdogSpan {
		l.wake(l.conn.life + watchdogSpan)
		return
	}
	if l.conn.state == open && l.conn.progressed() {
		l.conn.attempt = 0
	}
	l.hangUp()
	l.backOff(fault.Stalled)
}

func (l *Link) wake(at Millis) { l.push(Wake, -1).At = at }
