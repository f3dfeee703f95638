package link

// state is where the connection stands.
type state uint8

const (
	fresh        state = iota // made, not started
	idle                      // no lane needs a connection now
	connecting                // asked for, not answered
	open                      // the body is being read
	pausing                   // waiting for the back-off to pass
	offline                   // wanted, but there is no network
	unauthorized              // wanted, but the app has to bring new credentials first
	final                     // over for good
	stateCount
)

// Waiting is the name of the state in which a Connection says until when, Unstarted
// that of a new link, which an app never hears: there it is idle.
const (
	Waiting   = "waiting"
	Unstarted = "new"
)

// stateNames are those of the seam.
var stateNames = [stateCount]string{Unstarted, "idle", "connecting", "open", Waiting, "offline", "unauthorized", "closed"}

// input is what a driver can say. The numbers are those of the seam
// (docs/seam.md), where bytes have a call of their own.
type input uint8

const (
	inBytes       input = 0
	inStart       input = 1
	inOpened      input = 2
	inClosed      input = 3
	inTick        input = 4
	inLoaded      input = 5
	inLoadFailed  input = 6
	inStop        input = 7
	inOffline     input = 8
	inOnline      input = 9
	inHidden      input = 10
	inVisible     input = 11
	inCredentials input = 12
	inReset       input = 13
	inApplied     input = 14
	inputCount          = 15
)

var inputNames = [inputCount]string{
	"bytes", "start", "opened", "closed", "tick", "loaded", "loadFailed", "stop",
	"offline", "online", "hidden", "visible", "credentials", "reset", "applied",
}

// cells has what the link does about each input in each state. A missing one is
// an input that no driver that keeps to the seam can give there: it ends the link
// with a fault. What is only too late, because it crossed an order of the link on
// its way, is there and passed over.
type cells [stateCount][inputCount]func(*Link)

var table = cells{
	fresh: {
		inStart: (*Link).begin, inStop: (*Link).stop, inTick: (*Link).ignore,
		inOffline: (*Link).leave, inOnline: (*Link).back, inHidden: (*Link).ignore, inVisible: (*Link).ignore,
		inReset: (*Link).reset, inApplied: (*Link).mark,
	},
	idle: {
		inOpened: (*Link).ignore, inBytes: (*Link).ignore, inClosed: (*Link).ignore, inTick: (*Link).ignore, inStop: (*Link).stop,
		inOffline: (*Link).leave, inOnline: (*Link).back, inHidden: (*Link).ignore, inVisible: (*Link).ignore,
		inLoaded: (*Link).loaded, inLoadFailed: (*Link).loadFailed, inReset: (*Link).reset, inApplied: (*Link).mark,
	},
	connecting: {
		inOpened: (*Link).answered, inBytes: (*Link).ignore, inClosed: (*Link).unanswered, inTick: (*Link).watch, inStop: (*Link).stop,
		inOffline: (*Link).leave, inOnline: (*Link).back, inHidden: (*Link).ignore, inVisible: (*Link).look,
		inLoaded: (*Link).loaded, inLoadFailed: (*Link).loadFailed, inReset: (*Link).reset, inApplied: (*Link).mark,
	},
	open: {
		inBytes: (*Link).receive, inClosed: (*Link).close, inTick: (*Link).watch, inStop: (*Link).stop,
		inOffline: (*Link).leave, inOnline: (*Link).back, inHidden: (*Link).ignore, inVisible: (*Link).look,
		inLoaded: (*Link).loaded, inLoadFailed: (*Link).loadFailed, inReset: (*Link).reset, inApplied: (*Link).mark,
	},
	pausing: {
		inOpened: (*Link).ignore, inBytes: (*Link).ignore, inClosed: (*Link).ignore, inTick: (*Link).due, inStop: (*Link).stop,
		inOffline: (*Link).dropWait, inOnline: (*Link).regain, inHidden: (*Link).ignore, inVisible: (*Link).hurry,
		inLoaded: (*Link).loaded, inLoadFailed: (*Link).loadFailed, inReset: (*Link).reset, inApplied: (*Link).mark,
	},
	offline: {
		inOpened: (*Link).ignore, inBytes: (*Link).ignore, inClosed: (*Link).ignore, inTick: (*Link).ignore, inStop: (*Link).stop,
		inOffline: (*Link).ignore, inOnline: (*Link).regain, inHidden: (*Link).ignore, inVisible: (*Link).ignore,
		inLoaded: (*Link).loaded, inLoadFailed: (*Link).loadFailed, inReset: (*Link).reset, inApplied: (*Link).mark,
	},
	unauthorized: {
		inOpened: (*Link).ignore, inBytes: (*Link).ignore, inClosed: (*Link).ignore, inTick: (*Link).ignore, inStop: (*Link).stop,
		inOffline: (*Link).leave, inOnline: (*Link).back, inHidden: (*Link).ignore, inVisible: (*Link).ignore,
		inCredentials: (*Link).renew,
		inLoaded:      (*Link).loaded, inLoadFailed: (*Link).loadFailed, inReset: (*Link).reset, inApplied: (*Link).mark,
	},
	final: {
		inStart: (*Link).ignore, inOpened: (*Link).ignore, inBytes: (*Link).ignore, inClosed: (*Link).ignore, inTick: (*Link).ignore,
		inStop: (*Link).ignore, inOffline: (*Link).ignore, inOnline: (*Link).ignore, inHidden: (*Link).ignore, inVisible: (*Link).ignore,
		inCredentials: (*Link).ignore, inLoaded: (*Link).ignore, inLoadFailed: (*Link).ignore, inReset: (*Link).ignore,
		inApplied: (*Link).mark,
	},
}

// take does what the table has for an input.
func (l *Link) take(t Moment, in input) {
	l.conn.at(t)
	if in != inBytes {
		l.stirred()
	}
	if do := l.cells[l.conn.state][in]; do != nil {
		do(l)
	} else {
		l.misused(inputNames[in], stateNames[l.conn.state])
	}
}

// ignore: there is nothing to do about the input.
func (l *Link) ignore() {}

// tell says where the connection stands when that is not what was said last.
func (l *Link) tell() {
	c := &l.conn
	shown, attempt, at := max(c.state, idle), 0, Millis(0)
	switch shown {
	case pausing:
		at = c.retryAt
		fallthrough
	case connecting:
		attempt = c.attempt
	}
	if told := &c.told; l.options.States && (shown != told.state || attempt != told.attempt || at != told.at) {
		told.state, told.attempt, told.at = shown, attempt, at
		a := l.push(Connection, -1)
		a.Name, a.Attempt, a.At = stateNames[shown], attempt, at
	}
}

// standing is what an app was told of the connection.
type standing struct {
	_       [0]func() // not comparable, which saves a module the code of it
	state   state
	attempt int
	at      Millis
}
