package demo

import (
	"context"
	"slices"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

// agent plays the script into the log. Everything here runs in one goroutine,
// that of run, or before it began.
type agent struct {
	script   *script
	store    *memory.Store // of the session and its children, as they are
	log      *memory.Log   // of the session
	lease    events.Generation
	plan     []step   // what comes next; never empty once it was filled
	open     []string // turns that have begun and neither ended nor paused
	children []child
	asking   *asking // nil: its turns never wait for anybody

	after  func(time.Duration) <-chan time.Time
	speed  float64
	asked  chan func(context.Context) error // faults, done between two events
	silent <-chan struct{}                  // set while the agent waits for those who were cut off; closed when they are back
}

// child is the log of a child session.
type child struct {
	session string
	log     sessionlog.Log
	lease   events.Generation
}

// keepChildren is how many logs of children are kept.
const keepChildren = 8

// patience is how long the agent stays silent for those who were cut off.
const patience = 5 * time.Second

// run plays until ctx is done. Between two events it does the faults it is asked
// for.
func (a *agent) run(ctx context.Context) error {
	for {
		if err := a.pause(ctx); err != nil {
			return err
		}
		if err := a.heed(ctx); err != nil {
			return err
		}
		if err := a.turnOver(ctx); err != nil {
			return err
		}
		if err := a.step(ctx); err != nil {
			return err
		}
	}
}

// pause waits until the next event is due. A fault may put another event next, so
// the wait begins anew behind it.
func (a *agent) pause(ctx context.Context) error {
	for {
		if err := a.refill(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case fault := <-a.asked:
			if err := fault(ctx); err != nil {
				return err
			}
		case <-a.silent:
			a.silent = nil
		case <-a.after(a.untilNext()):
			a.silent = nil
			return nil
		}
	}
}

func (a *agent) untilNext() time.Duration {
	if a.silent != nil {
		return patience
	}
	return time.Duration(float64(a.plan[0].pause) / a.speed)
}

// refill makes sure that there is a next event.
func (a *agent) refill() error {
	for len(a.plan) == 0 {
		a.script.mayAsk = a.asking != nil && !a.waits()
		steps, err := a.script.next()
		if err != nil {
			return err
		}
		a.plan = steps
	}
	return nil
}

// step plays the next event.
func (a *agent) step(ctx context.Context) error {
	if err := a.refill(); err != nil {
		return err
	}
	s := a.plan[0]
	a.plan = a.plan[1:]
	if s.session != a.log.Session() {
		return a.stepOfChild(ctx, s)
	}
	if s.ask != nil {
		return a.put(ctx, s.ask)
	}
	a.follow(s)
	return put(ctx, a.log, a.lease, s)
}

// follow notes which turns are open behind an event.
func (a *agent) follow(s step) {
	switch {
	case s.kind == "turn_started" || s.kind == "turn_resuming":
		a.open = append(a.open, s.turn)
	case s.kind == "turn_paused" || events.TypeAt(events.TypeIndex([]byte(s.kind))).Terminal:
		a.open = slices.DeleteFunc(a.open, func(turn string) bool { return turn == s.turn })
	}
}

// stepOfChild plays an event of a child: it goes to the child's log, and is shown
// to those who watch the parent, where it has no number.
func (a *agent) stepOfChild(ctx context.Context, s step) error {
	c, err := a.child(ctx, s.session)
	if err != nil {
		return err
	}
	if err := put(ctx, c.log, c.lease, s); err != nil {
		return err
	}
	return a.log.Publish(ctx, a.lease, s.text)
}

func put(ctx context.Context, log sessionlog.Log, lease events.Generation, s step) error {
	if !s.recorded {
		return log.Publish(ctx, lease, s.text)
	}
	_, err := log.Append(ctx, lease, s.text)
	return err
}

// child finds the log of a child, or makes it in place of the oldest one.
func (a *agent) child(ctx context.Context, session string) (child, error) {
	for _, c := range a.children {
		if c.session == session {
			return c, nil
		}
	}
	c := child{session: session}
	var err error
	if c.log, err = a.store.Create(ctx, session); err != nil {
		return c, err
	}
	if c.lease, err = c.log.Acquire(ctx); err != nil {
		return c, err
	}
	a.children = append(a.children, c)
	if len(a.children) <= keepChildren {
		return c, nil
	}
	oldest := a.children[0]
	a.children = a.children[1:]
	return c, a.store.Delete(ctx, oldest.session)
}

// mostAhead bounds how far the agent works ahead; every kind of turn has what is
// looked for many times before that.
const mostAhead = 1000

// ahead plays, without pausing, up to the event that is looked for. That one is
// the next then.
func (a *agent) ahead(ctx context.Context, wanted func(step) bool) error {
	for range mostAhead {
		if err := a.refill(); err != nil {
			return err
		}
		if wanted(a.plan[0]) {
			return nil
		}
		if err := a.step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// record is what ahead looks for: a record of the session itself.
func (a *agent) record(s step) bool { return s.recorded && s.session == a.log.Session() }

// telling are the types that a reader of the session would miss.
var telling = map[string]bool{"message_completed": true, "tool_completed": true}

func (a *agent) telling(s step) bool { return telling[s.kind] && a.record(s) }

// reach plays, without pausing, until the log has come to a place.
func (a *agent) reach(ctx context.Context, seq events.Seq) error {
	for {
		head, err := a.log.Head(ctx)
		if err != nil || head.LastSeq >= seq {
			return err
		}
		if err := a.step(ctx); err != nil {
			return err
		}
	}
}
