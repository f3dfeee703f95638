package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

// Report says what a fault did. It is the answer to the request for it.
type Report struct {
	Fault       string    `json:"fault"`
	Session     string    `json:"session"`
	Happened    string    `json:"happened"`    // one sentence for people
	Connections int       `json:"connections"` // open streams that it met
	Positions   Positions `json:"positions"`
}

// Positions are the places that a fault is about. Those that a fault does not
// have are absent.
type Positions struct {
	SeenSeq            events.Seq      `json:"seenSeq"`                      // the log's last seq while the streams were whole; no watcher is beyond it
	LastSeq            events.Seq      `json:"lastSeq"`                      // the log's last seq now
	OldestSeq          events.Seq      `json:"oldestSeq"`                    // lowest seq that is retained now; lastSeq+1: none
	Generation         json.RawMessage `json:"generation,omitempty"`         // the lease now, as on the wire; absent without one
	PreviousGeneration json.RawMessage `json:"previousGeneration,omitempty"` // takeover: the lease before
	SnapshotSeq        *events.Seq     `json:"snapshotSeq,omitempty"`        // takeover: what came after it was replaced
	EventSeq           *events.Seq     `json:"eventSeq,omitempty"`           // drop, repeat: the event; cut: the one in whose frame it was
	EventType          string          `json:"eventType,omitempty"`
}

// faults are all there are; which of them can be asked for is up to the kind of
// log.
var faults = []struct {
	name string
	do   func(d *Demo, ctx context.Context, r *Report) error
}{
	{"cut", (*Demo).cut},
	{"takeover", (*Demo).takeover},
	{"replace", (*Demo).replace},
	{"lose", (*Demo).lose},
	{"prune", (*Demo).prune},
	{"drop", (*Demo).drop},
	{"repeat", (*Demo).repeat},
}

// settleFor is how long a fault waits until everybody has seen what was published
// before it.
const settleFor = time.Second

// settled answers the head once those who watch have got everything up to it.
func (d *Demo) settled(ctx context.Context, r *Report) (sessionlog.Head, error) {
	head, err := d.agent.log.Head(ctx)
	if err != nil {
		return head, err
	}
	d.fan.settle(head.LastSeq, settleFor)
	r.Positions.SeenSeq = head.LastSeq
	return head, nil
}

// cut tears every stream in the middle of a record's frame. The agent goes on.
func (d *Demo) cut(ctx context.Context, r *Report) error {
	if err := d.agent.ahead(ctx, d.agent.record); err != nil {
		return err
	}
	if _, err := d.settled(ctx, r); err != nil {
		return err
	}
	streams := d.doors.open()
	for _, c := range streams {
		c.out.arm()
	}
	d.name(r)
	if err := d.agent.step(ctx); err != nil {
		return err
	}
	wait(streams)
	r.Connections = len(streams)
	r.Happened = fmt.Sprintf("%d connections were closed in the middle of the frame of seq %d; the agent goes on", len(streams), *r.Positions.EventSeq)
	return nil
}

// name says which record is the next one.
func (d *Demo) name(r *Report) {
	seq := r.Positions.SeenSeq + 1
	r.Positions.EventSeq, r.Positions.EventType = &seq, d.agent.plan[0].kind
}

// unseen is how many records the worker that takes over has not seen, at least.
const unseen = 3

// takeover lets a second worker go on from a snapshot that lacks the last few
// records, which the first one still wrote and everybody saw.
func (d *Demo) takeover(ctx context.Context, r *Report) error {
	a := d.agent
	snapshot, err := a.log.Head(ctx)
	if err != nil {
		return err
	}
	was := a.standing()
	if err := a.reach(ctx, snapshot.LastSeq+unseen); err != nil {
		return err
	}
	if err := a.ahead(ctx, a.telling); err != nil {
		return err
	}
	if err := a.step(ctx); err != nil {
		return err
	}
	return d.behindDoors(ctx, r, func(seen sessionlog.Head) error {
		a.log.Lose(snapshot.LastSeq)
		if a.lease, err = a.log.Acquire(ctx); err != nil {
			return err
		}
		if a.plan, err = a.resumed(ctx, was); err != nil {
			return err
		}
		r.Positions.SnapshotSeq, r.Positions.PreviousGeneration = &snapshot.LastSeq, generationJSON(seen.Generation)
		r.Happened = fmt.Sprintf("a second worker took the lease (generation %s) with a snapshot of seq %d: seq %d to %d are other records now",
			a.lease, snapshot.LastSeq, snapshot.LastSeq+1, seen.LastSeq)
		return a.reach(ctx, seen.LastSeq)
	})
}

// resumed is what a worker begins with that found turns open. Those that wait for
// somebody go on waiting.
func (a *agent) resumed(ctx context.Context, was standing) (plan []step, err error) {
	if a.asking != nil {
		err = a.takeUp(ctx, &was)
	}
	for _, turn := range was.open {
		if err == nil {
			var steps []step
			steps, err = a.script.interrupted(turn)
			plan = append(plan, steps...)
		}
	}
	a.open = was.open
	return plan, err
}

// behindDoors waits until everybody has seen everything, keeps newcomers out, ends
// all streams as a deploy does, changes the log, and lets people in again.
func (d *Demo) behindDoors(ctx context.Context, r *Report, change func(seen sessionlog.Head) error) error {
	seen, err := d.settled(ctx, r)
	if err != nil {
		return err
	}
	d.doors.shut.Lock()
	defer d.doors.shut.Unlock()
	streams := d.doors.open()
	end(streams)
	r.Connections = len(streams)
	return change(seen)
}

// startOver empties the log, and gives the agent the plan of a new one.
func (d *Demo) startOver(ctx context.Context) error {
	d.agent.log.Lose(0)
	d.pruned = nil
	return d.agent.begin(ctx)
}

// lose empties the log. The generation stays what it was, so that only numbers
// can tell. The agent starts over when those who were cut off are back: until then
// no number comes again.
func (d *Demo) lose(ctx context.Context, r *Report) error {
	return d.behindDoors(ctx, r, func(seen sessionlog.Head) error {
		if err := d.startOver(ctx); err != nil {
			return err
		}
		d.agent.silent = d.doors.expect(r.Connections)
		r.Happened = fmt.Sprintf("the log was lost with its %d records; it starts again at seq 1, under the same generation", seen.LastSeq)
		return nil
	})
}

// regrown is how far a log that was replaced is beyond what everybody has seen.
const regrown = 8

// replace loses the log and writes another one in its place, which is longer at
// once. All numbers connect; there is no lease that would tell the one from the
// other.
func (d *Demo) replace(ctx context.Context, r *Report) error {
	return d.behindDoors(ctx, r, func(seen sessionlog.Head) error {
		if err := d.startOver(ctx); err != nil {
			return err
		}
		r.Happened = fmt.Sprintf("the log was lost and written anew, up to seq %d: seq 1 to %d are other records now, and no number shows it",
			seen.LastSeq+regrown, seen.LastSeq)
		return d.agent.reach(ctx, seen.LastSeq+regrown)
	})
}

// gone is how many records are pruned that nobody has seen, and kept how many stay.
const (
	goneUnseen = 6
	keptLast   = 4
)

// prune lets the log go on while nobody can watch, and drops more than they have
// seen.
func (d *Demo) prune(ctx context.Context, r *Report) error {
	return d.behindDoors(ctx, r, func(seen sessionlog.Head) error {
		if err := d.agent.reach(ctx, seen.LastSeq+goneUnseen+keptLast); err != nil {
			return err
		}
		before := seen.LastSeq + goneUnseen + 1
		if err := d.keepForTranscript(ctx, before); err != nil {
			return err
		}
		r.Happened = fmt.Sprintf("the log went on to seq %d while nobody could watch, and was pruned up to seq %d", seen.LastSeq+goneUnseen+keptLast, before-1)
		return d.agent.log.Prune(ctx, before)
	})
}

// keptForTranscript bounds what is kept of pruned records.
const keptForTranscript = 20_000

// keepForTranscript puts aside what is about to be pruned.
func (d *Demo) keepForTranscript(ctx context.Context, before events.Seq) error {
	page, err := d.agent.log.Read(ctx, 0, keptForTranscript)
	for _, e := range page.Events {
		if e.Seq < before {
			d.pruned = append(d.pruned, e)
		}
	}
	d.pruned = d.pruned[max(0, len(d.pruned)-keptForTranscript):]
	return err
}

// drop leaves one record out of the open streams. It is in the log.
func (d *Demo) drop(ctx context.Context, r *Report) error {
	err := d.bend(ctx, r, dropped)
	r.Happened = fmt.Sprintf("seq %d is in the log and was not sent on %d open connections", r.Positions.SeenSeq+1, r.Connections)
	return err
}

// repeat sends one record twice on the open streams. It is in the log once.
func (d *Demo) repeat(ctx context.Context, r *Report) error {
	err := d.bend(ctx, r, repeated)
	r.Happened = fmt.Sprintf("seq %d is in the log once and was sent twice on %d open connections", r.Positions.SeenSeq+1, r.Connections)
	return err
}

// bend plays up to the next record that a reader would miss, and bends that one.
// The record behind it follows at once, so that a hole can be seen.
func (d *Demo) bend(ctx context.Context, r *Report, how bend) error {
	if err := d.agent.ahead(ctx, d.agent.telling); err != nil {
		return err
	}
	head, err := d.settled(ctx, r)
	if err != nil {
		return err
	}
	d.name(r)
	r.Connections = d.fan.bend(how, head.LastSeq+1)
	return d.agent.reach(ctx, head.LastSeq+2)
}

// report does a fault and says where the log stands then.
func (d *Demo) report(ctx context.Context, name string, do func(*Demo, context.Context, *Report) error) (Report, error) {
	r := Report{Fault: name, Session: d.Session()}
	if err := do(d, ctx, &r); err != nil {
		return r, err
	}
	head, err := d.agent.log.Head(ctx)
	r.Positions.LastSeq, r.Positions.OldestSeq = head.LastSeq, head.OldestSeq
	r.Positions.Generation = generationJSON(head.Generation)
	return r, err
}

func generationJSON(g events.Generation) json.RawMessage {
	if !g.IsSet() {
		return nil
	}
	return g.AppendJSON(nil)
}
