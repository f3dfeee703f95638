package link

import "github.com/tidemark-stream/tidemark/pkg/fault"

// loaded puts the cursor of a load in force. One that was not asked for, or not any
// more, is passed over.
func (l *Link) loaded() {
	i := l.given.lane
	if !l.has(i) || l.lanes[i].phase != loading || !l.rebuild(i) {
		return
	}
	a := l.push(State, i)
	a.Cursor = l.given.cursor
	if l.lanes[i].loads > 0 {
		a.Why = Rebuilt
	}
	l.turn(i, rebuilt)
	l.wanted()
}

// reset puts a cursor of the app in force.
func (l *Link) reset() {
	i := l.given.lane
	if !l.has(i) || l.lanes[i].done() {
		return
	}
	if f := l.given.fault; f != nil {
		f.Session = l.lanes[i].session()
		l.failLane(i, f)
	} else if l.rebuild(i) {
		l.turn(i, rebuilt)
		l.wanted()
	}
}

// rebuild moves a lane to the cursor that was given. False: it is another
// session's, and has ended the lane.
func (l *Link) rebuild(i int) bool {
	c := &l.given.cursor
	if name := l.lanes[i].session(); name != "" && name != c.Session {
		l.failLane(i, foreign("a cursor of session "+name, c.Session, name))
		return false
	}
	l.lanes[i].rebuild(c)
	return true
}

// loadFailed ends the session of a load that could not be done.
func (l *Link) loadFailed() {
	i := l.given.lane
	if !l.has(i) || l.lanes[i].phase != loading {
		return
	}
	f := fault.New(fault.LoadFailed, "a state and its cursor", l.given.found)
	f.Session = l.lanes[i].session()
	l.failLane(i, f)
}
