package link

import "github.com/tidemark-stream/tidemark/pkg/fault"

// loaded puts the cursor of a load in force. One that was not asked for, or not any
// more, is passed over.
func (l *Link) loaded() {
	g := l.given
	ln := l.lane()
	if ln == nil || ln.phase != loading {
		return
	}
	if g.Fault != nil {
		g.Found = g.Fault.Found + " as cursor"
		l.loadFailed()
		return
	}
	if !l.rebuild(ln) {
		return
	}
	a := l.push(State, g.Lane)
	a.Cursor = g.Cursor
	if ln.loads > 0 {
		a.Why = Rebuilt
	}
	l.join()
}

// reset puts a cursor of the app in force.
func (l *Link) reset() {
	ln := l.lane()
	if ln == nil || ln.done() {
		return
	}
	if f := l.given.Fault; f != nil {
		f.Session = ln.session()
		l.failLane(l.given.Lane, f)
	} else if l.rebuild(ln) {
		l.join()
	}
}

// rebuild moves a lane to the cursor that was given. False: it is another
// session's, and has ended the lane.
func (l *Link) rebuild(ln *lane) bool {
	c := &l.given.Cursor
	if name := ln.session(); name != "" && name != c.Session {
		l.failLane(l.given.Lane, foreign("a cursor of session "+name, c.Session, name))
		return false
	}
	ln.rebuild(c)
	return true
}

// join asks for a lane that was rebuilt. A connection that is there is made again; one
// that waits for something will ask for all.
func (l *Link) join() {
	l.turn(l.given.Lane, rebuilt)
	switch l.conn.state {
	case open, connecting:
		l.reconnect()
	case idle:
		l.connect()
	}
}

// loadFailed ends the session of a load that could not be done.
func (l *Link) loadFailed() {
	ln := l.lane()
	if ln == nil || ln.phase != loading {
		return
	}
	f := fault.New(fault.LoadFailed, "a state and its cursor", l.given.Found)
	f.Session = ln.session()
	l.failLane(l.given.Lane, f)
}

// lane is the one that the input names. A driver that names another is at fault.
func (l *Link) lane() *lane {
	if i := l.given.Lane; i >= 0 && i < len(l.lanes) {
		return &l.lanes[i]
	}
	l.Fail(fault.New(fault.BadInput, "a lane of this link", "another"))
	return nil
}
