package demo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/durable/memory"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	logmemory "github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

// Options of a demo. The zero value works.
type Options struct {
	Seed    uint64                               // what the agent works on; any number
	Speed   float64                              // 1: about 8 events a second; 0 or less: 1
	History int                                  // records in the log before anybody can watch; 0: 150
	Retain  int                                  // records kept of the session; older ones are pruned; 0: 20,000
	Now     func() time.Time                     // record time; nil: time.Now
	After   func(time.Duration) <-chan time.Time // waits between events; nil: time.After
	Serve   serve.Options                        // of the routes below /v1
}

func (o Options) orDefault() Options {
	if o.Speed <= 0 {
		o.Speed = 1
	}
	if o.History <= 0 {
		o.History = 150
	}
	if o.Retain <= 0 {
		o.Retain = 20_000
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = time.After
	}
	return o
}

// Demo is the agent and the server of its session.
type Demo struct {
	agent *agent
	bare  *Demo // the one beside it that is written without a lease; nil in all but the first
	desks desks // those whose turns wait for people; nil in all but the first
	kind  *kind
	store *bentStore
	fan   *fan
	doors *doors
	v1    *serve.Handler
	mux   *http.ServeMux
	speed float64
	over  chan struct{} // closed when the agent has stopped

	stream func(http.HandlerFunc) http.HandlerFunc // the doors that a stream comes in through

	pruned []sessionlog.Event // what the fault prune took away; changed only while the doors are shut
}

// New makes a demo whose session already has a history, and a second one beside it
// whose log is written without a lease, so that nothing but its content can show
// that it was replaced. The ids follow from the seed: a server that starts again
// with another seed has other sessions, so that nobody takes the one for the other.
func New(ctx context.Context, o Options) (*Demo, error) {
	o = o.orDefault()
	documents := memory.New()
	o.Serve.Clock = func() int64 { return o.Now().UnixMilli() }
	o.Serve.Listers = func(context.Context, listing.Scope) ([]durable.Lister, error) {
		return []durable.Lister{documents}, nil
	}
	d, err := newSingle(ctx, o, leased)
	if err != nil {
		return nil, err
	}
	if d.bare, err = newSingle(ctx, o, bare); err != nil {
		return nil, err
	}
	d.desks, err = newDesks(ctx, o, documents)
	return d, err
}

// rooms are all sessions, this one first.
func (d *Demo) rooms() []*Demo { return append([]*Demo{d, d.bare}, d.desks...) }

// kind is how the log of a session is written.
type kind struct {
	prefix string // of the session id
	twist  uint64 // of the seed, so that two sessions tell different things
	ids    int    // where ids begin, so that no two sessions make the same
	leased bool
	faults []string // that can be asked for
	asks   scene    // nil: nobody is ever waited for
	asked  string   // type of what is asked
}

var (
	leased = &kind{prefix: "ses_demo", leased: true, faults: []string{"cut", "takeover", "lose", "prune", "drop", "repeat"}}
	bare   = &kind{prefix: "ses_bare", twist: 0x6261_7265, ids: 1 << 19, faults: []string{"cut", "replace", "lose", "prune", "drop", "repeat"}}
)

// newSingle makes a session that is served by itself.
func newSingle(ctx context.Context, o Options, k *kind) (*Demo, error) {
	d := newRoom(o, k)
	if o.Serve.Fold == nil {
		o.Serve.Fold = d.fold
	}
	d.v1, d.stream = serve.New(d.store, o.Serve), d.doors.stream
	d.routes()
	return d, d.begin(ctx, o.History)
}

// newRoom makes one session with everything around it but its routes.
func newRoom(o Options, k *kind) *Demo {
	session := fmt.Sprintf("%s%08x", k.prefix, uint32(o.Seed^o.Seed>>32))
	retain := o.Retain
	if k.asks != nil {
		retain = 0 // its agent begins a new log instead
	}
	inner := logmemory.New(logmemory.Options{MaxRecords: retain, Now: o.Now})
	d := &Demo{
		kind: k, fan: newFan(), doors: newDoors(session), mux: http.NewServeMux(), speed: o.Speed, over: make(chan struct{}),
	}
	d.store = &bentStore{Store: inner, session: session, fan: d.fan}
	d.agent = &agent{
		script: newScript(session, o.Seed^k.twist, k.ids), store: inner,
		after: o.After, speed: o.Speed, asked: make(chan func(context.Context) error),
	}
	return d
}

// begin takes the lease, where there is one, and plays the history.
func (d *Demo) begin(ctx context.Context, history int) error {
	a := d.agent
	log, err := a.store.Create(ctx, d.Session())
	if err != nil {
		return err
	}
	a.log = log.(*logmemory.Log)
	if d.kind.leased {
		if a.lease, err = a.log.Acquire(ctx); err != nil {
			return err
		}
	}
	if err := a.begin(ctx); err != nil {
		return err
	}
	return a.reach(ctx, events.Seq(history))
}

// fold makes transcripts. What was pruned on request is still in them, as it is
// where an application keeps snapshots: pruning a log loses the way there, not the
// place.
func (d *Demo) fold(session string) serve.State {
	state := serve.Conversation(session)
	if session != d.Session() {
		return state
	}
	for _, e := range d.pruned {
		_ = state.Add(e) // the log took it, so it can be added
	}
	return state
}

// Session is the id of the session that is always live.
func (d *Demo) Session() string { return d.store.session }

// Bare is the id of the session beside it, whose log is written without a lease.
func (d *Demo) Bare() string { return d.bare.Session() }

// Run plays all sessions until ctx is done. Call it once.
func (d *Demo) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	rooms := d.rooms()
	over := make(chan error, len(rooms))
	for _, room := range rooms {
		go func() {
			defer stop()
			over <- room.run(ctx)
		}()
	}
	all := make([]error, len(rooms))
	for i := range all {
		all[i] = <-over
	}
	return errors.Join(all...)
}

func (d *Demo) run(ctx context.Context) error {
	defer close(d.over)
	return d.agent.run(ctx)
}

// Close ends every open stream in good order. Call it before http.Server.Shutdown,
// which waits for open requests.
func (d *Demo) Close() {
	for _, room := range d.rooms() {
		room.v1.Close()
		room.doors.close()
	}
}

// ServeHTTP answers one request.
func (d *Demo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for _, room := range d.rooms()[1:] {
		if room.holds(r) {
			room.mux.ServeHTTP(w, r)
			return
		}
	}
	d.mux.ServeHTTP(w, r)
}

// holds reports whether a request is for a session of this room, or for a child of
// one.
func (d *Demo) holds(r *http.Request) bool {
	_, rest, ok := strings.Cut(r.URL.Path, "/sessions/")
	id, _, _ := strings.Cut(rest, "/")
	if !ok || id == "" {
		return false
	}
	_, err := d.store.Open(r.Context(), id)
	return err == nil
}
