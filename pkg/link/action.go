package link

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

// Kind is what an [Action] asks the driver to do, or tells the app. The numbers
// are those of the seam (docs/seam.md) and never change their meaning.
type Kind uint8

// Kinds, with the members of Action that each one fills.
const (
	Deliver  Kind = 1  // a recorded event: Event, Data, Seq
	Draft    Kind = 2  // an event that is not recorded: the same, Session when it is relayed
	Restart  Kind = 3  // drafts since Seq are void
	Live     Kind = 4  // replay has ended: Seq, Strength
	Refused  Kind = 5  // the session cannot be continued: Refusal, Strength
	End      Kind = 6  // nothing more will come: Cause, and Fault with Failed
	Connect  Kind = 7  // open a connection: Asks, Attempt
	Wake     Kind = 8  // send a tick at At; replaces the wake before
	Load     Kind = 9  // run the app's load: Why, Refusal when there is one
	Close    Kind = 10 // close the connection now
	Fail     Kind = 11 // the link is over: Fault
	Decided  Kind = 12 // a verdict was given: Report
	Position Kind = 13 // what [Link.Place], [Link.Placed] and [Link.Drafts] say has changed: Cursor
	State    Kind = 14 // a loaded snapshot is in force: Why, Cursor

	Credentials Kind = 15 // ask the app for new credentials: Status
	Connection  Kind = 16 // the connection stands elsewhere: Name, Attempt, At while it waits
	Phase       Kind = 17 // a lane stands elsewhere: Name
	Mark        Kind = 18 // the cursor of what was taken in: Cursor, Proof; it has no session when there is none to save

	Headed Kind = 22 // the head of a session was accepted; only with Options.Passage

	// 20 is of the seam alone: what [Link.Frame] says of the events behind it
	Aside Kind = 21 // a frame that is no event and has no verdict: Data
)

// KindNames are the names that docs/seam.md gives kinds, by number; "" for one that is
// none there.
var KindNames = [...]string{
	Deliver: "event", Draft: "draft", Restart: "restart", Live: "live", Refused: "refused", End: "end",
	Connect: "connect", Wake: "wake", Load: "load", Close: "close", Fail: "fail", Decided: "decision",
	Position: "cursor", State: "state", Credentials: "credentials", Connection: "connection", Phase: "phase",
	Mark: "mark", Aside: "aside",
}

// Why is the occasion of a load.
type Why uint8

// Occasions.
const (
	First   Why = iota // no cursor to begin with
	Rebuilt            // after a refusal
)

// Cause is why a session ended.
type Cause uint8

// Causes.
const (
	Terminal   Cause = iota // a terminal event of the profile
	Server                  // 204 or tidemark.end
	Incomplete              // the stream ended twice with nothing new and no terminal event
	Closed                  // the app closed the link
	Failed                  // a fault of this session alone
)

var causeNames = [...]string{"terminal", "server", "incomplete", "closed", "failed"}

// String is the name in the item union.
//
//go:noinline
func (c Cause) String() string {
	if int(c) < len(causeNames) {
		return causeNames[c]
	}
	return ""
}

// Ask is what a connection asks for one session.
type Ask struct {
	_       [0]func() // not comparable, which saves a module the code of it
	Session string    // "" when only the server knows its name
	Start   Start
	Cursor  cursor.Cursor // with FromCursor
}

// Action is one order or delivery. Members that the kind does not name are zero.
type Action struct {
	Kind     Kind
	Lane     int              // index of the session; -1: none in particular
	Event    *events.Envelope // what was read of the event; valid until the next call of Next
	Data     []byte           // the text of the event or aside; valid until the next input
	Session  []byte           // of a relayed event of another session; else nil
	Seq      events.Seq
	Attempt  int // waits since the last progress; 0 for a first connection and for a resync
	Asks     []Ask
	At       Millis
	Why      Why
	Cause    Cause
	Cursor   cursor.Cursor
	Steps    bool         // of a Position: nothing but numbers has changed since the last one, of what [Link.Stands] says as well
	Proof    cursor.Proof // that belongs to Cursor, of a Mark; zero: none
	Strength profile.Strength
	Refusal  *replay.Refusal
	Fault    *fault.Fault
	Report   *Report
	Status   int    // 401 or 403
	Name     string // as docs/states.md has it
}

// Report is one verdict with its positions, or a break of the connection. It
// never carries payload.
type Report struct {
	Session  string          // "" for what concerns no session in particular
	Decision cursor.Decision // of an event; Verdict is NoVerdict for a head
	Proven   bool            // the duplicate is the event that the cursor stands on, asked for once more, and the same
	Outcome  replay.Outcome  // of a head, or Unavailable for a refusal
	Refusal  *replay.Refusal // with Unavailable, and for each would-be refusal
	Cursor   cursor.Cursor   // after the verdict

	Broken fault.ID // the connection could not be made or kept, for this reason; then only Cut and Wait are set
	Cut    bool     // it stopped inside a frame, which is lost
	Wait   Millis   // until it is made again; below 0: not by time alone
}

var whyNames = [...]string{"first", "rebuilt"}

// String is the name in the item union.
//
//go:noinline
func (w Why) String() string {
	if int(w) < len(whyNames) {
		return whyNames[w]
	}
	return ""
}
