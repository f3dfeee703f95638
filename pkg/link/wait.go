package link

import "github.com/tidemark-stream/tidemark/pkg/fault"

// noWait is the wait of a connection that no time brings back: something has to
// come first.
const noWait Millis = -1

// ended settles a connection whose frames are all judged. A clean end is not a
// completion: the link resumes, and only when that brings nothing new either is
// the stream over, incomplete.
func (l *Link) ended() {
	c := &l.conn
	c.cut = l.decoder.End()
	empty := 0
	if !c.credit() && !c.failed && !c.cut {
		empty = c.empty + 1
	}
	c.state = idle
	if empty >= 2 {
		l.finish(Incomplete)
		return
	}
	l.backOff(fault.ConnectionLost)
	c.empty = empty
}

// credit counts an open connection that was worth having as progress.
func (c *connection) credit() bool {
	worth := c.state == open && (c.news || c.now-c.opened >= openProgress)
	if worth {
		c.attempt, c.asked = 0, false
	}
	return worth
}

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

// backOff drops the connection for a reason and comes back after a wait, or when
// there is a network again.
func (l *Link) backOff(why fault.ID) {
	c := &l.conn
	floor := l.floor()
	wait := delay(floor, c.attempt, c.random)
	c.retryAt, c.leastAt = c.now+wait, c.now+floor
	c.attempt++
	c.floor = 0
	if c.away || l.options.Single {
		wait = noWait
	}
	if r := l.report(); r != nil {
		r.Broken, r.Cut, r.Wait = why, c.cut, wait
	}
	l.dropLanes()
	if l.options.Single {
		l.finish(Incomplete)
		return
	}
	if c.away {
		c.state = offline
		return
	}
	l.pause()
}

// pause waits for the back-off to pass.
func (l *Link) pause() {
	l.conn.state = pausing
	l.wake(l.conn.retryAt)
}

// due connects when the wait is over.
func (l *Link) due() {
	if l.conn.now < l.conn.retryAt {
		l.pause()
	} else {
		l.connect()
	}
}

// look: somebody looks again, and timers may have been late. A connection that died
// meanwhile is made again without a wait of ours.
func (l *Link) look() {
	l.watch()
	if l.conn.state == pausing {
		l.hurry()
	}
}

// regain: there is a network again.
func (l *Link) regain() {
	l.conn.away = false
	l.hurry()
}

// hurry cuts the wait to what the server asked for.
func (l *Link) hurry() {
	l.conn.retryAt = min(l.conn.retryAt, l.conn.leastAt)
	l.due()
}

// leave: there is no network.
func (l *Link) leave() { l.conn.away = true }

// dropWait: there is no network to wait for an end of the back-off with.
func (l *Link) dropWait() { l.conn.away, l.conn.state = true, offline }

// back: there is a network, and no connection waits for it.
func (l *Link) back() { l.conn.away = false }

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
	c := &l.conn
	c.credit()
	c.empty = 0 // it did not end cleanly
	if c.state == connecting || c.state == open {
		l.push(Close, -1)
	}
	if c.state != final {
		c.state = idle
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

// watch drops a connection that gave no sign of life for too long, or no head. A
// laptop that slept finds itself here.
func (l *Link) watch() {
	since := l.conn.life
	if l.lacksHead() {
		since = l.conn.opened
	}
	if l.conn.now-since < watchdogSpan {
		l.wake(since + watchdogSpan)
		return
	}
	l.hangUp()
	l.backOff(fault.Stalled)
}

// lacksHead reports whether nothing of some session can be taken because its head has
// not come yet, which no other sign of life makes up for.
func (l *Link) lacksHead() bool {
	for i := range l.lanes {
		if ln := &l.lanes[i]; l.conn.state == open && ln.takes() && l.early(ln) {
			return true
		}
	}
	return false
}
