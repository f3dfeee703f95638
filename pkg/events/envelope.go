package events

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// Envelope is what the core reads of one event: enough to place it, no more.
// The byte slices alias the scanned text, or the scanner's scratch space when a
// value was escaped; they are valid until the next Scan with that scanner.
type Envelope struct {
	Type       []byte // decoded; nil when the event has none
	Session    []byte // decoded; nil when the event names no session
	Turn       []byte // decoded; nil when absent
	Seq        Seq    // 0 when absent: the event is not recorded
	Generation []byte // the token; nil when absent
	Known      int    // index into Types, -1 for a type that is not there
	ASCII      bool   // no byte of the event is above 0x7f
	At         int    // with a problem: the byte it was found at; else without meaning
}

// Members names the members of an envelope. An empty name means that the
// envelope has no such member.
type Members struct {
	_          [0]func() // not comparable, which saves a module the code of it
	Type       string
	Session    string
	Turn       string
	Seq        string
	Generation string
}

// The envelopes of the contract.
var (
	SessionMembers = Members{Type: "type", Session: "sessionId", Turn: "turnId", Seq: "seq", Generation: "generation"}
	RecordMembers  = Members{Type: "type", Session: "sessionId", Turn: "turnId", Seq: "seq", Generation: "gen"}
	RunMembers     = Members{Type: "type", Session: "runId", Seq: "seq", Generation: "generation"}
)

// Problem says why a text is no event. The zero Problem means that it is one.
type Problem uint8

// Problems of an event. All but NoProblem make it malformed.
const (
	NoProblem       Problem = iota
	NotJSON                 // the text is no JSON value, or more than one
	NotObject               // JSON, but no object
	InvalidUTF8             // bytes that are no UTF-8
	TooDeep                 // nesting beyond the limit
	DuplicateMember         // an envelope member that stands twice
	BadType                 // type is no string
	BadSession              // the session is no string, is empty or holds control characters
	BadSeq                  // seq is no integer in 1 … 2^53-1 written in digits
	BadGeneration           // generation is no integer >= 0 in digits and no non-empty string
	BadTurn                 // turn id is no string
	IDMismatch              // the SSE id names another place; no scanner's problem, and at no byte
	BeforeHead              // of a session whose head is still to come; the same
	BeforeProof             // it stands before the event that is to prove the cursor; the same
	problemEnd
)

var problemNames = [...]string{
	"", "not JSON", "not an object", "invalid UTF-8", "nested too deeply",
	"an envelope member stands twice", "type is not text", "session id is not usable text",
	"seq is not an integer from 1 to 9007199254740991", "generation is neither digits nor text",
	"turn id is not text",
	"the SSE id contradicts the event", "it stands before the head of its session",
	"it stands before the event that proves the cursor",
}

// String says what is wrong, "" for NoProblem.
func (p Problem) String() string {
	if int(p) < len(problemNames) {
		return problemNames[p]
	}
	return string(rawjson.AppendInt([]byte("problem "), int64(p)))
}

// Malformed reports whether the text is no event, as a scanner finds it.
func (p Problem) Malformed() bool { return p > NoProblem && p < IDMismatch }

// Write writes the problem and the byte it was found at as members, unless there
// is none.
func (p Problem) Write(w *rawjson.Writer, at int) {
	w.Known("problem", p.String())
	if p.Malformed() {
		w.Int("offset", int64(at))
	}
}

// MaxDepth is the default limit of nesting, in levels; the event itself is one.
const MaxDepth = 512
