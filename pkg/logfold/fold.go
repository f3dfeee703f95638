package logfold

import (
	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/decision"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// Fold is one log on its way through. Make it with [New] or [Resume].
type Fold struct {
	options
	scanner *events.Scanner
	other   *events.Scanner // for records that call the generation as live events do
	live    bool            // scanner looks for generation, and other for gen
	found   events.Envelope

	partial []byte // the beginning of a line whose end has not come, as far as it is held
	length  int    // of that beginning
	start   int64  // where the current line starts
	lines   int64  // how many are read
	cut     int64  // 1: the last one was cut, and is not among them

	records    int64
	first      events.Seq
	last       events.Seq
	generation events.Generation

	chain    checkpoint.Chain
	lost     bool // a line was too long to be read, so the chain is none
	parks    park.Fold
	grants   decision.Grants
	ledger   checkpoint.Ledger
	context  checkpoint.Context
	through  events.Seq // what the context still waits for; 0 when it is done, or none is wanted
	err      error      // why there is no context
	findings []Finding
	total    int64
}

// New begins a log at its first byte.
func New(o Options) *Fold {
	o.fill()
	f := &Fold{
		options: o, through: o.Through,
		scanner: events.NewScanner(events.RecordMembers), other: events.NewScanner(events.SessionMembers),
	}
	f.parks.Reset(o.Turn)
	f.context.Watch = o.Watch
	return f
}

// Standing is where a fold stands in its log.
type Standing struct {
	Session    string            // "" while no record named one
	Records    int64             // lines that are records or should be
	Lines      int64             // all lines
	Bytes      int64             // up to the end of the last whole line
	FirstSeq   events.Seq        // 0 before the first record
	LastSeq    events.Seq        // of the newest record; 0 before the first
	Generation events.Generation // of the newest record that has one
}

// Standing says how far the fold has read.
func (f *Fold) Standing() Standing {
	return Standing{f.Session, f.records, f.lines, f.start, f.first, f.last, f.generation}
}

// Parks are the questions to humans. They are the fold's, and change with it.
func (f *Fold) Parks() *park.Fold { return &f.parks }

// Grants are the calls that need not be asked about. They are the fold's.
func (f *Fold) Grants() *decision.Grants { return &f.grants }

// Checkpoints are those that the log commits and has not pruned, oldest record
// first.
func (f *Fold) Checkpoints() []checkpoint.Written { return f.ledger.Committed() }

// Chain is the digest over the records so far. Without Options.Digest, and behind a
// line that is longer than Options.MaxLine, it stands before the first.
func (f *Fold) Chain() checkpoint.Chain {
	if f.lost {
		return checkpoint.Chain{}
	}
	return f.chain
}
