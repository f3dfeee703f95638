package durable

import (
	"bytes"
	"context"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// Question is what a turn asks a human.
type Question struct {
	TurnID       string
	CheckpointID string // where the turn goes on; also the id of the decision
	Request      []byte // JSON object with a type, recorded as it is
	TTL          *int64 // ms that it waits, 0 or less: for ever; nil: as the options say
}

// Park records a question. The park that it answers has the request as the
// log holds it, which puts a space for each line break, and the time of the call; that
// of its record, which counts, can be some milliseconds later. The
// faults are BadRequest, NotTheWriter, and BadInput for ids that are absent or no UTF-8.
func (s *Session) Park(ctx context.Context, q Question) (*park.Park, error) {
	if err := park.CheckRequest(q.Request); err != nil {
		return nil, err
	}
	if q.CheckpointID == "" || q.TurnID == "" {
		return nil, s.of(fault.New(fault.BadInput, "a question of a turn, with its checkpoint", "one without"))
	}
	if err := s.sayable(q.CheckpointID, q.TurnID); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.tell(ctx)
	p := &park.Park{
		DecisionID: q.CheckpointID, TurnID: q.TurnID, CheckpointID: q.CheckpointID,
		Request: q.Request, ParkedAt: s.o.Clock(),
	}
	ttl := s.o.TTL
	if q.TTL != nil {
		ttl = *q.TTL
	}
	p.DeadlineAt, p.HasDeadline = park.Deadline(p.ParkedAt, ttl)
	event, err := s.append(ctx, park.AppendRequested(nil, p))
	if err != nil {
		return nil, err
	}
	p.Seq, p.Generation = event.Seq, event.Generation
	p.Request = bytes.Clone(rawjson.Value(event.Text, "request"))
	return p, nil
}

// Unpark records a decision on the first open park of a checkpoint and answers the
// park as it was before; nil when there is none, and then nothing is recorded. Its
// deadline is not looked at. The faults are BadDecision and NotTheWriter.
func (s *Session) Unpark(ctx context.Context, checkpointID string, decision []byte, by park.By) (*park.Park, error) {
	if err := checkDecision(decision); err != nil {
		return nil, err
	}
	return s.settle(ctx, checkpointID, func(p *park.Park) []byte {
		return park.AppendResolved(nil, p.TurnID, p.DecisionID, decision, by.AppendJSON(nil))
	})
}

// Expire records that nobody came for the first open park of a checkpoint, whether
// it has a deadline or not, and answers the park as it was before; nil when there
// is none, and then nothing is recorded.
func (s *Session) Expire(ctx context.Context, checkpointID string) (*park.Park, error) {
	return s.settle(ctx, checkpointID, expiry)
}

func expiry(p *park.Park) []byte { return park.AppendExpired(nil, p.TurnID, p.DecisionID) }

func (s *Session) settle(ctx context.Context, checkpointID string, record func(p *park.Park) []byte) (*park.Park, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.tell(ctx)
	if err := s.caughtUp(ctx); err != nil {
		return nil, err
	}
	open := s.reading.parks.Open(checkpointID)
	if open == nil {
		return nil, nil
	}
	before := *open
	if _, err := s.append(ctx, record(open)); err != nil {
		return nil, err
	}
	return &before, nil
}

// Sweep expires every park that is past its deadline, oldest first, and answers
// them as they were before. One clock counts for all of them. When it fails in
// between, the answer is what was expired until then.
func (s *Session) Sweep(ctx context.Context) (ended []*park.Park, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.tell(ctx)
	if err := s.caughtUp(ctx); err != nil {
		return nil, err
	}
	for _, p := range s.reading.parks.Expired(s.o.Clock()) {
		before := *p
		if _, err := s.append(ctx, expiry(p)); err != nil {
			return ended, err
		}
		ended = append(ended, &before)
	}
	return ended, nil
}

// Fence says where a question was read: the row of an inbox has both.
type Fence struct {
	Seq        events.Seq
	Generation events.Generation // "" when the request was recorded under none
}

// Answer records what a human decides on a question. The first
// settlement counts, and there is one for each question:
//
//   - UnknownDecision: nothing was asked under this id
//   - DecisionAnswered, DecisionExpired: it is settled, and the park that comes
//     along says how
//   - StaleDecision: the question stands elsewhere now than it was read at
//   - BadDecision: the decision cannot be read
//   - NotTheWriter: another writer has the log
//
// A deadline that is past refuses nothing until its expiry is recorded. Without an
// error the park is the settled one, and ResolvedSeq is where the answer stands.
func (s *Session) Answer(ctx context.Context, decisionID string, fence Fence, decision []byte, by park.By) (*park.Park, error) {
	if err := checkDecision(decision); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.caughtUp(ctx); err != nil {
		return nil, err
	}
	p := s.reading.parks.Find(decisionID)
	if err := s.answerable(p, decisionID, fence); err != nil {
		return copyOf(p), err
	}
	event, err := s.append(ctx, park.AppendResolved(nil, p.TurnID, p.DecisionID, decision, by.AppendJSON(nil)))
	if err != nil {
		return nil, err
	}
	return s.confirm(context.WithoutCancel(ctx), decisionID, event.Seq)
}

// confirm looks whether it was our record that settled the park: a writer that
// does not share this Session may have been first.
func (s *Session) confirm(ctx context.Context, decisionID string, at events.Seq) (*park.Park, error) {
	s.reading.answer = answer{decisionID: decisionID, at: at}
	err := s.follow(ctx)
	p := s.reading.answer.park
	switch {
	case p == nil && err != nil:
		return nil, err
	case p == nil:
		return nil, s.of(fault.New(fault.StaleDecision, "the log that the answer was recorded in", "another one"))
	case p.ResolvedSeq != at:
		return p, s.settledBefore(p)
	}
	return p, nil
}

// answerable reports why a question takes no answer.
func (s *Session) answerable(p *park.Park, decisionID string, fence Fence) error {
	switch {
	case p == nil:
		return s.of(fault.New(fault.UnknownDecision, "the id of a decision that was requested", fault.Clip([]byte(decisionID))))
	case p.Resolved:
		return s.settledBefore(p)
	case p.Seq != fence.Seq || p.Generation != fence.Generation:
		return s.of(fault.New(fault.StaleDecision, place(p.Seq, p.Generation), place(fence.Seq, fence.Generation)))
	}
	return nil
}

func (s *Session) settledBefore(p *park.Park) error {
	id, how := fault.DecisionAnswered, "an answer"
	if p.Expired {
		id, how = fault.DecisionExpired, "an expiry"
	}
	return s.of(fault.New(id, "a question that is open", how+" at seq "+digits(p.ResolvedSeq)))
}

func place(seq events.Seq, generation events.Generation) string {
	if !generation.IsSet() {
		return "seq " + digits(seq) + " without a generation"
	}
	return "seq " + digits(seq) + " of generation " + fault.Clip([]byte(generation))
}

func copyOf(p *park.Park) *park.Park {
	if p == nil {
		return nil
	}
	again := *p
	return &again
}
