package client

import (
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

// Item is what a stream hands over: a [State], [Event], [Draft], [Restart],
// [Live], [Refused] or [End]. The list is closed. Items belong to whoever got them.
type Item interface {
	// SessionID is the session that the item is about; "" for an End of a session
	// that the server was to name and never did.
	SessionID() string
	item()
}

// State is a whole new state from Load and the cursor it stands at. It replaces
// what there was of the session.
type State struct {
	Session string
	Why     link.Why // link.First or link.Rebuilt
	State   any      // as Load answered it
	Cursor  string   // token
}

// Event is a recorded event: it continues all that came before of its session, and
// is of the same generation.
type Event struct {
	Session    string
	Type       string // "" when it has none
	Seq        int64  // as on the wire, from 1, or from 0 where the profile's base is 0
	Generation string // "" when it has none
	JSON       []byte // the event's own text, byte for byte
}

// Draft is an event that is not recorded. It may come again, and a Restart voids
// it if it is ephemeral.
type Draft struct {
	Session    string // of a relayed event the session that it names
	Type       string
	Generation string
	JSON       []byte
}

// Restart says that the ephemeral drafts of the session since AfterSeq are void:
// they come again.
type Restart struct {
	Session  string
	AfterSeq int64 // -1: before the first event of a stream that numbers from 0
}

// Live says that the replay has ended: what follows is live.
type Live struct {
	Session  string
	Seq      int64 // where the session stands; -1 as in Restart
	Strength profile.Strength
}

// Refused says that the session is not continued; others of the stream are. With
// Load a State follows. It is an error, so that a consumer can return it.
type Refused struct {
	Session  string
	Refusal  *replay.Refusal // reason, detail and evidence. Its numbers count from 1; the JSON shows those of the wire
	Strength profile.Strength

	base events.Seq
}

// End says that nothing more comes of the session.
type End struct {
	Session string
	Cause   link.Cause
	Fault   *fault.Fault // with link.Failed: what ended this session, while others go on; else nil
}

// SessionID is Session.
func (i State) SessionID() string { return i.Session }

// SessionID is Session.
func (i Event) SessionID() string { return i.Session }

// SessionID is Session.
func (i Draft) SessionID() string { return i.Session }

// SessionID is Session.
func (i Restart) SessionID() string { return i.Session }

// SessionID is Session.
func (i Live) SessionID() string { return i.Session }

// SessionID is Session.
func (i Refused) SessionID() string { return i.Session }

// SessionID is Session.
func (i End) SessionID() string { return i.Session }

func (State) item()   {}
func (Event) item()   {}
func (Draft) item()   {}
func (Restart) item() {}
func (Live) item()    {}
func (Refused) item() {}
func (End) item()     {}

// Error is one line: the rule, what happened, and the session.
func (i Refused) Error() string {
	return i.Refusal.ID().Error() + " (session " + i.Session + ")"
}

// Unwrap is the rule, so that errors.Is(err, fault.GapHole) holds.
func (i Refused) Unwrap() error { return i.Refusal.ID() }

// MarshalJSON writes the refusal as pages see it: positions, and the catalog's
// words for them, never payload.
func (i Refused) MarshalJSON() ([]byte, error) {
	return i.Refusal.AppendJSON(nil, i.base, i.Strength), nil
}

// Decision is one verdict, or a connection that broke, with positions and never
// payload. Its numbers count from 1; the JSON shows those of the wire.
type Decision struct {
	*link.Report

	base events.Seq
}

// MarshalJSON writes the decision as pages see it.
func (d Decision) MarshalJSON() ([]byte, error) { return d.AppendJSON(nil, d.base), nil }
