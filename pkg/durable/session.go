package durable

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

// Options of a session. Log is needed; without Store and Scope there are no
// checkpoints, and questions all the same.
type Options struct {
	Log   sessionlog.Log
	Store Store

	// Scope is tenant and project of the session; its session is that of the log.
	Scope listing.Scope

	// ParentRunID is the run that started this session's, "" for none.
	ParentRunID string

	// Lease is the generation that everything is recorded under, "" when nobody
	// ever took one. A new lease takes a new Session.
	Lease events.Generation

	Clock func() int64  // ms since 1970; nil: the time of the system
	NewID func() string // ids of checkpoints, never the same twice; nil: time and randomness
	TTL   int64         // ms that a question waits when it does not say; 0 or less: for ever

	// FlushBudget is called before a checkpoint is committed, so that what was
	// spent is known; nil: nothing to do.
	FlushBudget func(ctx context.Context) error

	// FlushRecords is called before the head of the log is taken and before parks
	// are looked at, so that what is queued is in the log; nil: nothing is queued.
	FlushRecords func(ctx context.Context) error

	// Spill reads bodies that lie apart from their records. nil: there are
	// none, and one that does is missing.
	Spill func(ref []byte) ([]byte, error)
}

// Session is the durable state of one session. Share one between all goroutines
// that work on the session: its methods take turns.
type Session struct {
	o Options

	mu       sync.Mutex
	reading  reading
	captured *capture
	created  map[string]int64 // when each turn was, as far as that is settled; ms since 1970
}

// New makes the Session of a log. Nothing is read yet.
func New(o Options) (*Session, error) {
	if o.Log == nil {
		return nil, fault.New(fault.BadInput, "a session with its log", "no log")
	}
	if id := o.Scope.SessionID; id != "" && id != o.Log.Session() {
		return nil, fault.New(fault.BadInput, "the scope of session "+fault.Clip([]byte(o.Log.Session())), "that of "+fault.Clip([]byte(id)))
	}
	o.Scope.SessionID = o.Log.Session()
	if o.Store == nil {
		o.Store = noStore{}
	}
	if o.Clock == nil {
		o.Clock = func() int64 { return time.Now().UnixMilli() }
	}
	if o.NewID == nil {
		o.NewID = func() string { return newID(o.Clock()) }
	}
	return &Session{o: o, created: map[string]int64{}}, nil
}

// Lease is the generation that the Session records under, "" for none.
func (s *Session) Lease() events.Generation { return s.o.Lease }

// newID begins with the time, so that of two ids the higher is the newer one.
func newID(now int64) string {
	var b [16]byte
	_, _ = rand.Read(b[6:]) // never fails
	for i := range 6 {
		b[i] = byte(now >> (40 - 8*i))
	}
	return "cp_" + hex.EncodeToString(b[:])
}

// run is the scope of a turn's run.
func (s *Session) run(turn string) listing.RunScope {
	return listing.RunScope{
		TenantID: s.o.Scope.TenantID, ProjectID: s.o.Scope.ProjectID, SessionID: s.o.Scope.SessionID,
		RunID: turn, ParentRunID: s.o.ParentRunID,
	}
}

// flush calls a hook of the application, if there is one.
func flush(ctx context.Context, hook func(context.Context) error) error {
	if hook == nil {
		return nil
	}
	return hook(ctx)
}

// caughtUp lands what is queued and reads the log up to its head.
func (s *Session) caughtUp(ctx context.Context) error {
	if err := flush(ctx, s.o.FlushRecords); err != nil {
		return err
	}
	return s.follow(ctx)
}

// sayable refuses ids that JSON cannot say: what is recorded would have another one,
// and nobody would find it under this one again.
func (s *Session) sayable(ids ...string) error {
	for _, id := range ids {
		if !utf8.ValidString(id) {
			return s.of(fault.New(fault.BadInput, "ids as UTF-8", strconv.QuoteToASCII(fault.Clip([]byte(id)))))
		}
	}
	return nil
}

// append records an event under the lease.
func (s *Session) append(ctx context.Context, text []byte) (sessionlog.Event, error) {
	event, err := s.o.Log.Append(ctx, s.o.Lease, text)
	if errors.Is(err, fault.Fenced) {
		return event, s.notTheWriter("another lease", err)
	}
	return event, err
}

// holdsLease refuses before anything is done that an append would only refuse
// afterwards.
func (s *Session) holdsLease(ctx context.Context) error {
	head, err := s.o.Log.Head(ctx)
	if err == nil && head.Generation != s.o.Lease {
		err = s.notTheWriter("generation "+fault.Clip([]byte(head.Generation)), nil)
	}
	return err
}

func (s *Session) notTheWriter(found string, cause error) error {
	f := fault.New(fault.NotTheWriter, "the lease of the log, generation "+fault.Clip([]byte(s.o.Lease)), found)
	f.Session, f.Err = s.o.Scope.SessionID, cause
	return f
}

// of names the session in a fault of ours.
func (s *Session) of(f *fault.Fault) error {
	f.Session = s.o.Scope.SessionID
	return f
}
