package demo

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/decision"
	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/events/typed"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// ask is a question that a turn stops at. What the turn does then is worked out
// when it is known how the question was settled.
type ask struct {
	turn    *turn
	wait    time.Duration
	reason  string // of the pause
	request map[string]any
	before  func(t *turn, id typed.CheckpointID) // events between the checkpoint and the question
	then    func(t *turn, id typed.CheckpointID, r reply)

	decision string // its id, which is that of the checkpoint; "" until it was put
	waits    bool   // the turn has not gone on
}

// reply is how a question was settled.
type reply struct {
	decision.Decision      // the zero one after an expiry
	expired           bool // nobody came
}

// idle reports whether the turn stays where it is: nobody refused, nobody agreed.
func (r reply) idle() bool { return r.expired || r.Action == decision.Pause }

func replyOf(p *park.Park) (reply, error) {
	if p.Expired {
		return reply{expired: true}, nil
	}
	d, err := decision.Parse(p.Decision)
	return reply{Decision: d}, err
}

// asking is what an agent needs whose turns wait for people.
type asking struct {
	documents durable.Store
	clock     func() int64
	most      events.Seq // records of one log
	asks      []*ask     // the newest last; settled ones too, since a takeover can lose an answer

	mu      sync.Mutex
	session *durable.Session // under the lease of now; shared with the routes
}

// keepAsks is how many questions are kept, with their checkpoints.
const keepAsks = 8

var deskScope = listing.Scope{TenantID: "ten_demo", ProjectID: "prj_demo"}

// durable is the one durable session of the log as it stands now.
func (k *asking) durable() *durable.Session {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.session
}

// renew makes the durable session of a lease that was just taken, or of a log that
// begins anew.
func (a *agent) renew() error {
	s, err := durable.New(durable.Options{
		Log: a.log, Store: a.asking.documents, Scope: deskScope, Lease: a.lease, Clock: a.asking.clock,
		NewID: func() string { return string(a.script.newID("chk")) }, // only the agent commits
	})
	if err != nil {
		return err
	}
	a.asking.mu.Lock()
	defer a.asking.mu.Unlock()
	a.asking.session = s
	return nil
}

// waits reports whether a turn of the agent waits for somebody.
func (a *agent) waits() bool {
	return a.asking != nil && slices.ContainsFunc(a.asking.asks, func(q *ask) bool { return q.waits })
}

// put commits a checkpoint, puts the question and lets the turn pause there.
func (a *agent) put(ctx context.Context, q *ask) error {
	s, t := a.asking.durable(), q.turn
	made, err := s.Commit(ctx, t.state())
	if err != nil {
		return err
	}
	q.decision = made.CheckpointID
	id := typed.CheckpointID(q.decision)
	if err := a.playNow(ctx, t, func() {
		t.add(&typed.CheckpointCreated{CheckpointID: id, Iteration: typed.IntOf(int64(t.iteration))})
		q.before(t, id)
	}); err != nil {
		return err
	}
	wait := q.wait.Milliseconds()
	if _, err := s.Park(ctx, durable.Question{TurnID: t.id, CheckpointID: q.decision, Request: raw(q.request), TTL: &wait}); err != nil {
		return err
	}
	q.waits = true
	if err := a.keep(ctx, q); err != nil {
		return err
	}
	return a.playNow(ctx, t, func() { t.add(&typed.TurnPaused{CheckpointID: id, Reason: q.reason}) })
}

// playNow plays what a turn adds, without pausing.
func (a *agent) playNow(ctx context.Context, t *turn, add func()) error {
	steps, err := t.anew(add)
	for _, s := range steps {
		if err == nil {
			a.follow(s)
			err = put(ctx, a.log, a.lease, s)
		}
	}
	return err
}

// keep remembers a question, and forgets the oldest one with its checkpoint.
func (a *agent) keep(ctx context.Context, q *ask) error {
	k := a.asking
	k.asks = append(k.asks, q)
	if len(k.asks) <= keepAsks {
		return nil
	}
	oldest := k.asks[0]
	k.asks = slices.Delete(k.asks, 0, 1)
	return k.documents.Delete(ctx, a.runOf(oldest), oldest.decision)
}

func (a *agent) runOf(q *ask) listing.RunScope {
	return listing.RunScope{
		TenantID: deskScope.TenantID, ProjectID: deskScope.ProjectID, SessionID: a.log.Session(), RunID: q.turn.id,
	}
}

// heed expires what nobody came for, and lets turns go on whose question is
// settled: in between what else the agent does, and never within a message.
func (a *agent) heed(ctx context.Context) error {
	if !a.waits() {
		return nil
	}
	if _, err := a.asking.durable().Sweep(ctx); err != nil {
		return err
	}
	if len(a.plan) > 0 && !between[a.plan[0].kind] {
		return nil
	}
	for _, q := range a.asking.asks {
		if !q.waits {
			continue
		}
		if err := a.goOn(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// turnOver begins a new log when the one there is has grown long, under a new lease:
// between two turns, and while nobody is waited for. A log with questions is not
// pruned, since a checkpoint is proven by all records before it.
func (a *agent) turnOver(ctx context.Context) error {
	if a.asking == nil || a.plan[0].kind != "turn_started" || len(a.open) > 0 || a.waits() {
		return nil
	}
	head, err := a.log.Head(ctx)
	if err != nil || head.LastSeq < a.asking.most {
		return err
	}
	a.log.Lose(0)
	if a.lease, err = a.log.Acquire(ctx); err != nil {
		return err
	}
	return a.begin(ctx)
}

// begin is what an agent does first with an empty log.
func (a *agent) begin(ctx context.Context) (err error) {
	a.open = nil
	if a.asking != nil {
		if err = a.forget(ctx); err != nil {
			return err
		}
	}
	a.plan, err = a.script.start()
	return err
}

// forget drops what was asked in a log that is gone.
func (a *agent) forget(ctx context.Context) error {
	for _, q := range a.asking.asks {
		if err := a.asking.documents.Delete(ctx, a.runOf(q), q.decision); err != nil {
			return err
		}
	}
	a.asking.asks = nil
	return a.renew()
}

// between are events before which another turn can come in.
var between = map[string]bool{
	"turn_started": true, "iteration_started": true, "message_started": true, "tool_executing": true, "turn_completed": true,
}

// goOn lets a turn go on if its question is settled.
func (a *agent) goOn(ctx context.Context, q *ask) error {
	s := a.asking.durable()
	if open, err := s.Pending(ctx, q.turn.id); open != nil || err != nil {
		return err
	}
	parks, err := s.Parks(ctx)
	if err != nil {
		return err
	}
	p := parkOf(parks, q.decision)
	if p == nil || !p.Resolved {
		return nil
	}
	r, err := replyOf(p)
	if err != nil {
		return err
	}
	q.waits = false
	steps, err := q.turn.anew(func() { q.then(q.turn, typed.CheckpointID(q.decision), r) })
	a.plan = append(steps, a.plan...)
	return err
}

// parkOf finds the park of a decision, nil for none.
func parkOf(parks []*park.Park, id string) *park.Park {
	for _, p := range slices.Backward(parks) {
		if p.DecisionID == id {
			return p
		}
	}
	return nil
}

// standing is what an agent was at: the turns that were open, and the questions
// that were waited for.
type standing struct {
	open  []string
	waits []*ask
}

func (a *agent) standing() standing {
	was := standing{open: slices.Clone(a.open)}
	if a.asking != nil {
		for _, q := range a.asking.asks {
			if q.waits {
				was.waits = append(was.waits, q)
			}
		}
	}
	return was
}

// takeUp is what a worker does first that found questions in the log: it proves
// their checkpoints and waits on, whoever put them. A question whose turn cannot
// go on is settled, so that nobody answers it for nothing. It changes which turns
// are left open.
func (a *agent) takeUp(ctx context.Context, was *standing) error {
	if err := a.renew(); err != nil {
		return err
	}
	parks, err := a.asking.durable().Parks(ctx)
	if err != nil {
		return err
	}
	for _, q := range a.asking.asks {
		p := parkOf(parks, q.decision)
		q.waits = p != nil && (!p.Resolved || slices.Contains(was.waits, q))
		if !q.waits {
			continue
		}
		if _, err := a.asking.durable().Restore(ctx, q.turn.id, q.decision); err == nil {
			was.open = slices.DeleteFunc(was.open, func(turn string) bool { return turn == q.turn.id })
			continue
		}
		q.waits = false
		if _, err := a.asking.durable().Expire(ctx, q.decision); err != nil {
			return err
		}
		was.open = append(was.open, q.turn.id)
	}
	return nil
}

// state is what a turn says of itself at a checkpoint.
func (t *turn) state() checkpoint.State {
	return checkpoint.State{
		TurnID: t.id, Iteration: int64(t.iteration), LatestUserMessageID: string(t.userID),
		TokenUsage: raw(map[string]any{"totalTokens": t.spent}), Guards: checkpoint.Guards{Iteration: int64(t.iteration)},
	}
}

// ask stops the turn at a question. It is the last that is worked out before it
// is settled.
func (t *turn) ask(q *ask) {
	q.turn = t
	*t.list = append(*t.list, step{
		pause: t.script.pause("checkpoint_written"), session: t.session, turn: t.id, kind: "checkpoint_written", recorded: true, ask: q,
	})
}

// anew works out more of a turn, behind what was played of it.
func (t *turn) anew(add func()) ([]step, error) {
	t.list = new([]step)
	add()
	return t.steps(), t.script.err
}
