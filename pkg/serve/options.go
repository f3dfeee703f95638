package serve

import (
	"context"
	"net/http"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

// Options of a handler. The zero value works: everybody may read everything, from
// the same origin.
type Options struct {
	// Authorize decides before anything is looked up or parsed, for each session
	// that a request names: 0 lets it pass, any other value is the status of the
	// answer (401, 403, or 404 to not even say that there is something). The method
	// of the request tells who reads (GET) from who answers a question (POST). nil
	// lets everything pass.
	Authorize func(r *http.Request, session string) (status int)

	// Durable opens decisions and listings.
	Durable

	// Ended says that nothing more will come of a session, and in a word why. A
	// consumer at the head then gets tidemark.end, and 204 when it asks again
	// . It is asked when a replay ends, after live events, and once in each
	// Heartbeat. nil: sessions never end.
	Ended func(ctx context.Context, session string) (reason string, ended bool)

	// Fold makes the state of the transcript route. nil: [Conversation].
	Fold Fold

	// Origins are the origins whose pages may read, as in "https://app.example";
	// "*" allows all. Empty: no CORS headers, so only pages of the same origin.
	Origins []string

	// Credentials lets pages of those origins send cookies. With it "*" stands
	// for no origin at all: name them.
	Credentials bool

	// Heartbeat is the time between comments on an open stream; 0: 15 s.
	Heartbeat time.Duration

	// WriteTimeout is how long one write may take before the client is taken for
	// dead and its connection closed; 0: 20 s.
	WriteTimeout time.Duration

	// PageSize is the number of events that are read, written and flushed at
	// once; 0: 256.
	PageSize int

	// MaxLimit bounds limit= of the log route; 0: 1000.
	MaxLimit int

	// MaxSessions bounds the sessions of one stream; 0: 32.
	MaxSessions int

	// OnError is told of what a client cannot be told: a log that cannot be read,
	// a store that fails, a response writer that cannot flush. session may be "". It
	// may be called by several goroutines. nil: nobody is told.
	OnError func(session string, err error)
}

func (o Options) orDefault() Options {
	o.Durable = o.Durable.orDefault(o.Authorize != nil)
	if o.Authorize == nil {
		o.Authorize = func(*http.Request, string) int { return 0 }
	}
	if o.Fold == nil {
		o.Fold = Conversation
	}
	if o.OnError == nil {
		o.OnError = func(string, error) {}
	}
	o.Heartbeat = orElse(o.Heartbeat, 15*time.Second)
	o.WriteTimeout = orElse(o.WriteTimeout, 20*time.Second)
	o.PageSize = orElse(o.PageSize, 256)
	o.MaxLimit = orElse(o.MaxLimit, 1000)
	o.MaxSessions = orElse(o.MaxSessions, 32)
	return o
}

func orElse[T int | time.Duration](value, fallback T) T {
	if value <= 0 {
		return fallback
	}
	return value
}

// Fold begins the state of one session's transcript. Events are added in the
// order of the log, each once.
type Fold func(session string) State

// State is a transcript in the making. It belongs to one request. One that has a
// method Start(first events.Seq) is told before the first event where the log begins
// now: above 1 when it was pruned; one that has a method End(at cursor.Cursor) is told
// behind the last event which cursor the state is answered with.
type State interface {
	// Add takes in one recorded event. It must not keep e.Text. An error ends
	// the request with 500.
	Add(e sessionlog.Event) error

	// AppendJSON appends the state as one JSON value.
	AppendJSON(dst []byte) []byte
}
