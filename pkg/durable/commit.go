package durable

import (
	"bytes"
	"context"
	"slices"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Committed is a checkpoint that was made.
type Committed struct {
	checkpoint.Receipt
	Document checkpoint.Document
	Seq      events.Seq // of the record that commits it
}

// Commit takes a checkpoint of a turn over the whole log, as it is now. The
// document is in the store before the record that makes it count is in the log:
// when this fails in between, there is no checkpoint.
//
// The faults are EmptyLog, NotTheWriter, BadRecord for a log whose first records
// are not there any more, BadDocument for a state that makes no document, BadInput
// for an id that is no UTF-8, and what store and log say.
func (s *Session) Commit(ctx context.Context, state checkpoint.State) (*Committed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := flush(ctx, s.o.FlushBudget); err != nil {
		return nil, err
	}
	chain, err := s.head(ctx)
	if err != nil {
		return nil, err
	}
	made, err := s.commit(ctx, s.settled(state), chain)
	if err == nil && s.captured != nil && s.captured.state.TurnID == state.TurnID {
		s.captured = nil // the turn has a checkpoint of its own now
	}
	return made, err
}

// capture is a checkpoint that was not committed.
type capture struct {
	state checkpoint.State
	chain checkpoint.Chain
}

// Capture keeps the state of a turn in memory, where its iteration loop begins and
// before it asks a model: what it would commit now. Nothing is written. It
// takes the place of what was captured before.
func (s *Session) Capture(ctx context.Context, state checkpoint.State) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	chain, err := s.head(ctx)
	if err != nil {
		return err
	}
	s.captured = &capture{copied(s.settled(state)), chain}
	s.reading.captured, s.reading.there = chain.Seq(), chain
	return nil
}

// CommitCaptured commits what was captured of a turn that has to pause and has no
// checkpoint of its own since: the log up to where it was captured, the counts of
// then, and the time of now. The budget is flushed all the same. nil without an
// error: nothing was captured, and nothing is written. When the log up to there is
// another one by now, the fault is PrefixAltered, since nobody could restore it.
func (s *Session) CommitCaptured(ctx context.Context, turn string) (*Committed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.captured
	if c == nil || c.state.TurnID != turn {
		return nil, nil
	}
	if err := flush(ctx, s.o.FlushBudget); err != nil {
		return nil, err
	}
	if err := s.caughtUp(ctx); err != nil {
		return nil, err
	}
	if there := s.reading.there; there != c.chain {
		return nil, s.of(fault.New(fault.PrefixAltered, "the digest "+c.chain.Sum().String()+" at seq "+digits(c.chain.Seq()),
			there.Sum().String()+" at seq "+digits(there.Seq())))
	}
	made, err := s.commit(ctx, c.state, c.chain)
	if err == nil {
		s.captured = nil
	}
	return made, err
}

// head is the chain up to the head of the log.
func (s *Session) head(ctx context.Context) (checkpoint.Chain, error) {
	if err := s.caughtUp(ctx); err != nil {
		return checkpoint.Chain{}, err
	}
	r := &s.reading
	switch {
	case r.last == 0:
		return checkpoint.Chain{}, s.of(fault.New(fault.EmptyLog, "a log with at least one record", "none"))
	case r.gap != nil:
		gap := *r.gap
		return checkpoint.Chain{}, s.of(&gap)
	}
	return r.chain, nil
}

// commit writes the document, then the record.
func (s *Session) commit(ctx context.Context, state checkpoint.State, chain checkpoint.Chain) (*Committed, error) {
	if err := s.holdsLease(ctx); err != nil {
		return nil, err
	}
	d := checkpoint.Document{
		State: state, CheckpointID: s.o.NewID(), SessionID: s.o.Scope.SessionID,
		ThroughSeq: chain.Seq(), ThroughSHA256: chain.Sum(), CreatedAt: s.o.Clock(),
	}
	if err := s.sayable(d.TurnID, d.CheckpointID, d.LatestUserMessageID); err != nil {
		return nil, err
	}
	text := d.AppendJSON(nil)
	want, err := checkpoint.ReceiptOf(text)
	if err != nil {
		return nil, err
	}
	receipt, err := s.o.Store.Put(ctx, s.run(d.TurnID), d.CheckpointID, text)
	if err != nil {
		return nil, err
	}
	if receipt != want {
		return nil, s.of(fault.New(fault.DocumentAltered, "a receipt for the digest "+want.SHA256.String(), receipt.SHA256.String()))
	}
	event, err := s.append(ctx, receipt.AppendWritten(nil, d.TurnID))
	if err != nil {
		return nil, err
	}
	return &Committed{receipt, d, event.Seq}, nil
}

// settled gives a state the time its turn was created: what was said first, by a
// checkpoint that was restored, by an earlier state, or by the clock. Other turns may
// have their say in between, while this one waits.
func (s *Session) settled(state checkpoint.State) checkpoint.State {
	at, known := s.created[state.TurnID]
	if !known {
		if at = state.TurnCreatedAt; at == 0 {
			at = s.o.Clock()
		}
		s.created[state.TurnID] = at
	}
	state.TurnCreatedAt = at
	return state
}

// copied is a state that shares nothing with what the application goes on with.
func copied(state checkpoint.State) checkpoint.State {
	for _, field := range []*[]byte{&state.TokenUsage, &state.CostInfo, &state.WorkingState, &state.Trace} {
		*field = bytes.Clone(*field)
	}
	if b := state.Budget; b != nil {
		state.Budget = &checkpoint.Budget{Binding: bytes.Clone(b.Binding), AccountID: b.AccountID, Extra: members(b.Extra)}
	}
	state.Guards.Extra, state.Review.Extra, state.Extra = members(state.Guards.Extra), members(state.Review.Extra), members(state.Extra)
	return state
}

func members(list []checkpoint.Member) []checkpoint.Member {
	list = slices.Clone(list)
	for i := range list {
		list[i].Value = bytes.Clone(list[i].Value)
	}
	return list
}
