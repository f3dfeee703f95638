package sessionlog

import (
	"context"

	"github.com/tidemark-stream/tidemark/pkg/events"
)

// Event is one event as a reader gets it.
type Event struct {
	Seq        events.Seq        // place in the log; 0: not recorded, it cannot be replayed
	Generation events.Generation // the fence it was recorded under; "" when there was none, or not recorded
	Text       []byte            // the live event, one JSON object without line breaks of its own; shared, never write to it
}

// Head is where a log stands.
type Head struct {
	LastSeq    events.Seq        // highest seq in the log; 0: nothing was ever appended
	Generation events.Generation // the lease it is written under now; "" when nobody took one
	OldestSeq  events.Seq        // lowest seq that is retained; LastSeq+1 when nothing is
}

// Page is one answer to a read.
type Page struct {
	Events []Event // in append order, never sorted; empty when nothing is above the cursor
	More   bool    // the log held events beyond the last one when this page was read
}

// Log is the log of one session. Its methods may be called by several goroutines
// at once.
type Log interface {
	// Session is the id of the session.
	Session() string

	// Append stores one event and then publishes it. The text is a JSON object
	// without seq, gen, generation and ts: those are the log's to give. A
	// sessionId is added when the event has none; another session's is refused
	// with fault.ForeignSession. Ephemeral and listener-only types are refused
	// with fault.BadEvent: they go to Publish. The text is copied.
	Append(ctx context.Context, generation events.Generation, text []byte) (Event, error)

	// Publish hands an event to the subscribers of this moment and stores
	// nothing: deltas, delegation events, events relayed from a child session,
	// or an event whose append failed. It must carry no seq.
	Publish(ctx context.Context, generation events.Generation, text []byte) error

	// Acquire takes the lease: it answers a generation above every earlier one
	// of this log and from then on refuses all others. The first is "1". A log
	// whose generation is not written in digits cannot be raised: fault.BadInput.
	Acquire(ctx context.Context) (events.Generation, error)

	// Head answers where the log stands now.
	Head(ctx context.Context) (Head, error)

	// Read answers events above since, at most limit of them ([DefaultPage] when
	// limit <= 0). It may answer fewer and say More.
	Read(ctx context.Context, since events.Seq, limit int) (Page, error)

	// Records answers what Read does as the lines of the log: each record
	// in the bytes it is stored in, without its line end, so with gen where
	// the event says generation. A digest of the log is one of these bytes. At most
	// limit lines ([DefaultPage] when limit <= 0), and fewer when they are long;
	// more says that the log held records beyond them. The lines are shared: never
	// write to them.
	Records(ctx context.Context, since events.Seq, limit int) (lines [][]byte, more bool, err error)

	// Subscribe begins a tail. Every event published after it returned is in
	// the tail; take the head afterwards and nothing falls between the two.
	// ctx covers the call only; end the tail with Close.
	Subscribe(ctx context.Context) (Tail, error)

	// Prune drops events below before. A place above LastSeq+1 counts as
	// LastSeq+1, one at or below OldestSeq changes nothing.
	Prune(ctx context.Context, before events.Seq) error
}

// Tail is a subscription: live events of one session, recorded or not.
type Tail interface {
	// Next waits until there is something and answers all of it, at least one
	// event, in the order of publication. After a [Cut] it first answers what was
	// published before, then the cut, and the cut again on every later call. Call
	// it from one goroutine at a time.
	Next(ctx context.Context) ([]Event, error)

	// Close ends the tail; a waiting Next answers a Cut with CutClosed.
	Close()
}

// Store holds the logs of many sessions.
type Store interface {
	// Open answers the log of a session, or fault.UnknownSession.
	Open(ctx context.Context, session string) (Log, error)

	// Create makes a new, empty log; fault.BadInput when there is one already or
	// the id cannot be a session id ([CheckSession]).
	Create(ctx context.Context, session string) (Log, error)

	// List answers the ids of all sessions in byte order.
	List(ctx context.Context) ([]string, error)

	// Delete removes a session's log and cuts its subscribers with CutDeleted;
	// fault.UnknownSession when there is none. A log made under the same id later
	// knows nothing of it and counts generations from the start: give a new
	// session a new id, or old cursors may fit it by chance.
	Delete(ctx context.Context, session string) error

	// Close cuts all subscribers with CutClosed and releases what the store holds.
	Close() error
}

// DefaultPage is the number of events in a page when the reader names none.
const DefaultPage = 500
