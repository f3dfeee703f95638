package link

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Given is what an input brings. Each has its own members; see the methods of
// [Link] that are named like it.
type Given struct {
	_        [0]func() // not comparable, which saves a module the code of it
	Response Response  // of opened
	Size     int       // of bytes
	Failed   bool      // of closed and credentials
	Lane     int       // of loaded, loadFailed, reset and applied
	Cursor   cursor.Cursor
	Seq      events.Seq   // of applied; 0: nothing yet
	Event    string       // of applied: the text of that event, so that its cursor can be proven though others came since; may be ""
	Found    string       // of loadFailed
	Fault    *fault.Fault // in place of Cursor: what was given is none
}

// Give is every input but the bytes by its number on the seam, for a driver that
// has them as such. It keeps g until the next one. False: there is no such input.
func (l *Link) Give(t Moment, kind int, g *Given) bool {
	if kind <= int(inBytes) || kind >= inputCount {
		return false
	}
	l.given = g
	l.take(t, input(kind))
	return true
}

// give is Give of an input that needs no more than g says.
func (l *Link) give(t Moment, in input, g Given) {
	l.brought = g
	l.given = &l.brought
	l.take(t, in)
}

// Start begins: the app's load runs first when there is no cursor to begin
// with, then the link connects.
func (l *Link) Start(t Moment) { l.give(t, inStart, Given{}) }

// Opened says that the server answered.
func (l *Link) Opened(t Moment, r Response) {
	l.give(t, inOpened, Given{Response: r})
}

// Reserve answers room for n bytes from the network, at the end of the link's
// own buffer. Write there, then call [Link.Received].
func (l *Link) Reserve(n int) []byte {
	l.keepAll()
	l.passage.cuts = l.passage.cuts[:0]
	return l.decoder.Reserve(n)
}

// Received takes n bytes that were written to what Reserve answered. Bytes that
// come while no body is being read are of a connection that was given up, and
// are dropped.
func (l *Link) Received(t Moment, n int) {
	l.brought.Size, l.given = n, &l.brought
	l.take(t, inBytes)
}

// Feed is Reserve, a copy, and Received.
func (l *Link) Feed(t Moment, chunk []byte) {
	copy(l.Reserve(len(chunk)), chunk)
	l.Received(t, len(chunk))
}

// Closed says that the body ended: cleanly, or broken by an error. It also says
// that a request failed before any answer.
func (l *Link) Closed(t Moment, failed bool) {
	l.give(t, inClosed, Given{Failed: failed})
}

// Tick says that time has passed. The link asks for it with Wake; more ticks do
// no harm.
func (l *Link) Tick(t Moment) { l.give(t, inTick, Given{}) }

// Loaded answers a Load: the app holds a state folded at exactly c.
func (l *Link) Loaded(t Moment, lane int, c cursor.Cursor) {
	l.give(t, inLoaded, Given{Lane: lane, Cursor: c})
}

// LoadFailed answers a Load that could not be done. found says what happened.
func (l *Link) LoadFailed(t Moment, lane int, found string) {
	l.give(t, inLoadFailed, Given{Lane: lane, Found: found})
}

// Stop ends everything that has not ended, with cause Closed.
func (l *Link) Stop() { l.give(l.moment(), inStop, Given{}) }

// Offline says that there is no network: no connection is begun until Online. One
// that is open is left to its watchdog.
func (l *Link) Offline(t Moment) { l.give(t, inOffline, Given{}) }

// Online says that there is a network again, as there is to begin with.
func (l *Link) Online(t Moment) { l.give(t, inOnline, Given{}) }

// Hidden says that nobody looks. Nothing is closed for it.
func (l *Link) Hidden(t Moment) { l.give(t, inHidden, Given{}) }

// Visible says that somebody looks again, after which timers may have been late:
// what they are for is judged at once, and a wait is cut to what the server asked
// for.
func (l *Link) Visible(t Moment) { l.give(t, inVisible, Given{}) }

// Renewed answers Credentials: the next request will bring new ones, or, failed,
// there are none.
func (l *Link) Renewed(t Moment, failed bool) {
	l.give(t, inCredentials, Given{Failed: failed})
}

// Reset puts a cursor of the app in force, as Loaded does, at any time and for any
// reason. A load that runs is over with it: its answer is not to be given any more.
// A session that has ended stays so.
func (l *Link) Reset(t Moment, lane int, c cursor.Cursor) {
	l.give(t, inReset, Given{Lane: lane, Cursor: c})
}

// ResetFailed is [Link.Reset] with what is no cursor, as f says: it ends the
// session.
func (l *Link) ResetFailed(t Moment, lane int, f *fault.Fault) {
	l.give(t, inReset, Given{Lane: lane, Fault: f})
}

// Applied says that everything of a session up to the recorded event seq, counted
// from 1, was taken in; 0: nothing yet. The answer is one Mark: the cursor that
// belongs to that state. It does not move back within one state.
func (l *Link) Applied(lane int, seq events.Seq) {
	l.give(l.moment(), inApplied, Given{Lane: lane, Seq: seq})
}

// moment is the present for inputs that do not depend on it.
func (l *Link) moment() Moment { return Moment{Now: l.conn.now, Random: l.conn.random} }
