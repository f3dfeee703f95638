package link

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// given is what the present input brought; each input sets its own members.
type given struct {
	response Response
	size     int  // of bytes
	failed   bool // of closed and credentials
	lane     int
	cursor   cursor.Cursor
	seq      events.Seq
	found    string
	fault    *fault.Fault
}

// Start begins: the app's load runs first when there is no cursor to begin
// with, then the link connects.
func (l *Link) Start(t Moment) { l.take(t, inStart) }

// Opened says that the server answered.
func (l *Link) Opened(t Moment, r Response) {
	l.given.response = r
	l.take(t, inOpened)
	l.given.response.Body = nil
}

// Reserve answers room for n bytes from the network, at the end of the link's
// own buffer. Write there, then call [Link.Received].
func (l *Link) Reserve(n int) []byte { return l.decoder.Reserve(n) }

// Received takes n bytes that were written to what Reserve answered. Bytes that
// come while no body is being read are of a connection that was given up, and
// are dropped.
func (l *Link) Received(t Moment, n int) {
	l.given.size = n
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
	l.given.failed = failed
	l.take(t, inClosed)
}

// Tick says that time has passed. The link asks for it with Wake; more ticks do
// no harm.
func (l *Link) Tick(t Moment) { l.take(t, inTick) }

// Loaded answers a Load: the app holds a state folded at exactly c.
func (l *Link) Loaded(t Moment, lane int, c cursor.Cursor) {
	l.given.lane, l.given.cursor = lane, c
	l.take(t, inLoaded)
}

// LoadFailed answers a Load that could not be done. found says what happened.
func (l *Link) LoadFailed(t Moment, lane int, found string) {
	l.given.lane, l.given.found = lane, found
	l.take(t, inLoadFailed)
}

// Stop ends everything that has not ended, with cause Closed.
func (l *Link) Stop() { l.take(l.moment(), inStop) }

// Offline says that there is no network: no connection is begun until Online. One
// that is open is left to its watchdog.
func (l *Link) Offline(t Moment) { l.take(t, inOffline) }

// Online says that there is a network again, as there is to begin with.
func (l *Link) Online(t Moment) { l.take(t, inOnline) }

// Hidden says that nobody looks. Nothing is closed for it.
func (l *Link) Hidden(t Moment) { l.take(t, inHidden) }

// Visible says that somebody looks again, after which timers may have been late:
// what they are for is judged at once, and a wait is cut to what the server asked
// for.
func (l *Link) Visible(t Moment) { l.take(t, inVisible) }

// Renewed answers Credentials: the next request will bring new ones, or, failed,
// there are none.
func (l *Link) Renewed(t Moment, failed bool) {
	l.given.failed = failed
	l.take(t, inCredentials)
}

// Reset puts a cursor of the app in force, as Loaded does, at any time and for any
// reason. A load that runs is over with it: its answer is not to be given any more.
// A session that has ended stays so.
func (l *Link) Reset(t Moment, lane int, c cursor.Cursor) {
	l.given.lane, l.given.cursor, l.given.fault = lane, c, nil
	l.take(t, inReset)
}

// ResetFailed is [Link.Reset] with what is no cursor, as f says: it ends the
// session.
func (l *Link) ResetFailed(t Moment, lane int, f *fault.Fault) {
	l.given.lane, l.given.fault = lane, f
	l.take(t, inReset)
}

// Applied says that everything of a session up to the recorded event seq, counted
// from 1, was taken in; 0: nothing yet. The answer is one Mark: the cursor that
// belongs to that state. It does not move back within one state.
func (l *Link) Applied(lane int, seq events.Seq) {
	l.given.lane, l.given.seq = lane, seq
	l.take(l.moment(), inApplied)
}

// moment is the present for inputs that do not depend on it.
func (l *Link) moment() Moment { return Moment{Now: l.conn.now, Random: l.conn.random} }
