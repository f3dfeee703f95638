package durable

import (
	"context"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// Restored is a checkpoint that was proven, and what a turn goes on with. It is the
// caller's.
type Restored struct {
	Document          checkpoint.Document
	Text              []byte               // the document, byte for byte
	Messages          []checkpoint.Message // the context up to ThroughSeq, each with its id
	Pending           *park.Park           // the last park of the turn at this checkpoint, settled or not; nil for none
	LatestUserMessage []byte               // the newest message of the operator, as JSON; nil for none
}

// Restore proves a checkpoint of a turn and folds what the turn goes on with. It
// reads the log from its first record. What is wrong is looked for in this order,
// and each has a fault of its own:
//
//   - UnknownCheckpoint: no document, or no record that commits it
//   - DocumentAltered, ReceiptAltered, PrefixAltered, and BadDocument for a
//     committed text that is none, or that the store cannot read
//   - BadRecord: the context cannot be folded
//   - IntentMissing: the operator's newest message is nowhere
//   - SpillMissing: a body that lies apart cannot be had
func (s *Session) Restore(ctx context.Context, turn, checkpointID string) (*Restored, error) {
	back, err := s.restore(ctx, turn, checkpointID)
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.created[turn] = back.Document.TurnCreatedAt
	}
	return back, err
}

func (s *Session) restore(ctx context.Context, turn, checkpointID string) (*Restored, error) {
	text, err := get(ctx, s.o.Store, s.run(turn), checkpointID)
	if err != nil {
		return nil, err
	}
	p := newPass(checkpointID, text, turn, s.o.Spill)
	if _, err := s.each(ctx, 0, p.take); err != nil {
		return nil, err
	}
	d, err := p.proof.Result()
	if err != nil {
		return nil, err
	}
	if d.TurnID != turn || d.SessionID != s.o.Scope.SessionID {
		return nil, Unknown(s.run(turn), checkpointID)
	}
	return p.restored(d, text)
}

// pass is one reading of the log for one checkpoint.
type pass struct {
	proof   *checkpoint.Proof
	context checkpoint.Context
	parks   park.Fold
	count   events.Seq
}

func newPass(checkpointID string, text []byte, turn string, spill func([]byte) ([]byte, error)) *pass {
	p := &pass{proof: checkpoint.Prove(checkpointID, text), context: checkpoint.Context{Spill: spill}}
	if d, err := checkpoint.Parse(text); err == nil {
		p.context.Watch = d.LatestUserMessageID
	}
	p.parks.Reset(turn)
	return p
}

func (p *pass) take(record []byte) {
	p.proof.Add(record)
	p.parks.Add(record)
	if p.count++; p.count <= p.proof.Through() {
		_ = p.context.Add(record) // it keeps its error, and the proof comes first
	}
}

func (p *pass) restored(d checkpoint.Document, text []byte) (*Restored, error) {
	intent, err := p.context.Intent()
	if err != nil {
		return nil, err
	}
	messages, err := p.context.Messages()
	if err != nil {
		return nil, err
	}
	return &Restored{Document: d, Text: text, Messages: messages, Pending: p.pending(d.CheckpointID), LatestUserMessage: intent}, nil
}

// pending is the last park at the checkpoint.
func (p *pass) pending(checkpointID string) (last *park.Park) {
	for _, k := range p.parks.Parks() {
		if k.CheckpointID == checkpointID {
			last = k
		}
	}
	return last
}

// Summary sums a checkpoint up for a person. It is proven first: the faults are
// those of [Session.Restore].
func (s *Session) Summary(ctx context.Context, turn, checkpointID string) (checkpoint.Summary, error) {
	back, err := s.restore(ctx, turn, checkpointID)
	if err != nil {
		return checkpoint.Summary{}, err
	}
	return checkpoint.Summarize(&back.Document, back.Messages), nil
}

// Trace is the span that a checkpoint was taken in, as JSON; nil when there is
// none, and for whatever reason it cannot be read. It never fails.
func (s *Session) Trace(ctx context.Context, turn, checkpointID string) []byte {
	text, err := s.o.Store.Get(ctx, s.run(turn), checkpointID)
	if err != nil {
		return nil
	}
	return checkpoint.TraceOf(text)
}
