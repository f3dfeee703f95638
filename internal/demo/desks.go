package demo

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/park"
	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

// deskFaults can be asked for at a desk. Its log is not pruned: a checkpoint is
// proven by all records before it.
var deskFaults = []string{"cut", "takeover", "lose", "drop", "repeat"}

// deskKinds are the sessions whose turns wait for people, one for each kind of
// question.
var deskKinds = []*kind{
	{prefix: "ses_push", twist: 0x7075_7368, ids: 1 << 18, leased: true, faults: deskFaults, asks: pushes, asked: "tool_review"},
	{prefix: "ses_plan", twist: 0x706c_616e, ids: 3 << 18, leased: true, faults: deskFaults, asks: plans, asked: "plan_approval"},
	{prefix: "ses_chat", twist: 0x6368_6174, ids: 7 << 17, leased: true, faults: deskFaults, asks: wonders, asked: "user_question"},
}

// desks are the sessions with questions. They are served together, so that one
// stream can show them all.
type desks []*Demo

// newDesks makes the desks, whose checkpoints go into a store.
func newDesks(ctx context.Context, o Options, documents durable.Store) (desks, error) {
	var all desks
	for _, k := range deskKinds {
		d := newRoom(o, k)
		d.agent.asking = &asking{documents: documents, most: events.Seq(o.Retain), clock: func() int64 { return o.Now().UnixMilli() }}
		d.agent.script.asks, d.agent.script.scenes = k.asks, quietScenes
		all = append(all, d)
	}
	o.Serve.Writer, o.Serve.Who = all.writer, who
	v1 := serve.New(deskStore{all}, o.Serve)
	for _, d := range all {
		d.v1, d.stream = v1, all.stream
		d.routes()
		if err := d.begin(ctx, o.History); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// stream passes a request through the doors of every desk.
func (all desks) stream(next http.HandlerFunc) http.HandlerFunc {
	for _, d := range slices.Backward(all) {
		next = d.doors.stream(next)
	}
	return next
}

// who answers is whoever looks at the page.
func who(*http.Request) park.By {
	return park.By{Kind: "user", Role: "visitor", TenantID: deskScope.TenantID}
}

// writer is the durable session that a desk's agent writes through.
func (all desks) writer(_ context.Context, session string) (*durable.Session, error) {
	for _, d := range all {
		if d.Session() == session {
			return d.agent.asking.durable(), nil
		}
	}
	return nil, nil // a child's log is its agent's alone
}

var errNotHere = errors.New("demo: the agents make the logs")

// deskStore is the stores of all desks as one, to read from.
type deskStore struct{ desks }

// Open answers the log of a session of any desk.
func (s deskStore) Open(ctx context.Context, session string) (log sessionlog.Log, err error) {
	for _, d := range s.desks {
		if log, err = d.store.Open(ctx, session); err == nil {
			return log, nil
		}
	}
	return nil, err
}

// List answers all sessions, in byte order.
func (s deskStore) List(ctx context.Context) ([]string, error) {
	var all []string
	for _, d := range s.desks {
		some, err := d.store.List(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.Sort(all)
	return all, nil
}

// Create and Delete are the agents' business.
func (s deskStore) Create(context.Context, string) (sessionlog.Log, error) { return nil, errNotHere }

// Delete refuses as Create does.
func (s deskStore) Delete(context.Context, string) error { return errNotHere }

// Close leaves the stores to their desks.
func (s deskStore) Close() error { return nil }
