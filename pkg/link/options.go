package link

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// Millis is a time or a span in milliseconds. Times are since the Unix epoch,
// by the driver's clock.
type Millis int64

// Moment is what the outside world lends to one input: the time, and one random
// number in [0, 1) for the input to spend on a back-off.
type Moment struct {
	Now    Millis
	Random float64
}

// Start is where a session begins. Each of the three is asked for by name, and
// what is missing for one never makes it another.
type Start uint8

// Starts.
const (
	FromBeginning Start = iota
	FromNow
	FromCursor
)

var startNames = [...]string{"beginning", "now", "cursor"}

// String is the name on the seam.
func (s Start) String() string {
	if int(s) < len(startNames) {
		return startNames[s]
	}
	return ""
}

// MaxSessions is how many sessions one link follows at most.
const MaxSessions = 1024

// What a host lets itself be asked for at most. [New] takes more.
const (
	MostFrame = 1 << 30 // MaxFrame, in bytes: of the 4 GiB that a module can have, two such buffers take half
	MostDepth = 10_000  // MaxDepth: who reads the event behind a host takes each level by a call, as a rule
)

// Options configure a link. The zero value follows one session, which the
// server names, from the beginning, and enforces.
type Options struct {
	Profile  *profile.Profile // nil: profile.Session
	Sessions []string         // sessions asked for, each once, at most MaxSessions; empty: those of Cursors and Places, else the one the server names
	Cursors  []cursor.Cursor  // where to resume; sessions without one start at From
	Places   []cursor.Cursor  // where the link stood that this one goes on for: as Cursors, but the app may have taken in less
	Owes     []string         // sessions whose ephemeral output is still out, of the link that this one goes on for
	From     Start            // FromBeginning or FromNow, for sessions without a cursor
	Explicit bool             // From was asked for: no first load, even with Load
	Mode     Mode             // Enforce or Observe
	Load     bool             // the app can load a snapshot: for the first position and after a refusal
	Report   bool             // report every verdict as an action of kind Decided
	MaxFrame int              // bytes of one frame; 0: sse.DefaultMaxFrame
	MaxDepth int              // levels of nesting in one event; 0: events.MaxDepth

	Single      bool         // there is one connection and no other: what would need one ends the stream
	Frames      bool         // what stands around events matters: hand on frames that are none, too
	Passage     bool         // the bytes of the connection are passed on: keep account of them, see [Link.Settled] and [Link.Cuts]
	Stood       []Stood      // of the link that this one goes on for in the middle of a connection
	States      bool         // tell where the connection and each lane stand, as actions of kind Connection and Phase
	Credentials bool         // the app can be asked for new credentials; else 401 and 403 end the link at once
	Proof       Proof        // whether a saved position is proven by the event it stands on
	Proofs      []SavedProof // digests of the events that Cursors and Places stand on, as far as they were saved; at most one for a session
}

// Proof is how much a position has to prove when the stream names no generation that
// would show that its log was lost and has grown past the position again.
type Proof uint8

// Proofs a link can ask for.
const (
	ProofByProfile Proof = iota // not said: Prefer for profiles of ours, Off for others
	Prefer                      // prove what can be proven, and go on where it cannot
	Require                     // refuse what cannot be proven
	Off                         // ask for no proof
)

var proofNames = [...]string{"", "prefer", "require", "off"}

// String is the name on the seam, "" for ProofByProfile.
func (p Proof) String() string {
	if int(p) < len(proofNames) {
		return proofNames[p]
	}
	return ""
}

// SavedProof is the digest of the event that the saved cursor of a session stands
// on.
type SavedProof struct {
	Session string
	Digest  [16]byte
}

// Mode is what the link does about what does not connect.
type Mode uint8

// Modes.
const (
	Enforce Mode = iota // refuse it
	Observe             // hand over everything unchanged, and report each would-be refusal
)

var modeNames = [...]string{"enforce", "observe"}

// String is the name on the seam.
func (m Mode) String() string {
	if int(m) < len(modeNames) {
		return modeNames[m]
	}
	return ""
}
