package link

// connection is the link's half of one network connection after another.
type connection struct {
	_       [0]func() // not comparable, which saves a module the code of it
	state   state
	begun   bool   // a connection was asked for before
	attempt int    // connections since the last progress
	floor   Millis // what the server asked to wait, for the next back-off
	retryAt Millis
	leastAt Millis // when what the server asked to wait has passed
	away    bool   // there is no network
	asked   bool   // the app was asked for credentials since the last progress
	told    standing

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
		c.leastAt -= back
		c.opened -= back
		c.life -= back
		c.quiet -= back
	}
	c.now, c.random = t.Now, t.Random
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
	if l.options.Single && l.conn.begun {
		l.finish(Incomplete)
		return
	}
	if l.conn.away {
		l.conn.state = offline
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

func (l *Link) wake(at Millis) { l.push(Wake, -1).At = at }
