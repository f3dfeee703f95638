package checkpoint

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// State is what a turn says of itself when a checkpoint is taken. JSON members are
// slices of what was parsed, or what the application gives; they are never
// changed.
type State struct {
	TurnID              string
	Iteration           int64    // at least 0
	TokenUsage          []byte   // JSON object; nil is written as {}
	CostInfo            []byte   // JSON object; nil is written as {}
	Budget              *Budget  // nil: the turn has no account of its own
	Guards              Guards   // what was used up
	Review              Review   // what was tried
	LatestUserMessageID string   // the newest message of the operator; "" for none
	WorkingState        []byte   // JSON, of the compactor; nil for none
	Trace               []byte   // JSON, the span that the checkpoint was taken in; nil for none
	TurnCreatedAt       int64    // ms since 1970; the same on all checkpoints of a turn
	Extra               []Member // members that this version does not know, in their order
}

// Budget names the account that a turn spends from.
type Budget struct {
	Binding   []byte // JSON; nil for none
	AccountID string
	Extra     []Member
}

// Guards are the limits of a turn as far as they are used up.
type Guards struct {
	Iteration int64
	ElapsedMS int64 // since the turn started, at least 0
	Extra     []Member
}

// Review counts attempts at an answer that passes. Each is at least 0.
type Review struct {
	StructuredAttempts       int64
	AnswerAttempts           int64
	NativeStructuredAttempts int64
	Extra                    []Member
}

// Document is a checkpoint: what a turn said, and which part of the log it covers.
// It holds no messages; those are folded from the log (see [Context]).
type Document struct {
	State
	CheckpointID  string
	SessionID     string
	ThroughSeq    events.Seq // the last record that is covered, at least 1
	ThroughSHA256 Sum        // end of the chain at ThroughSeq
	CreatedAt     int64      // ms since 1970
}

// documentTable has the members in the order of the contract.
var documentTable = table[Document]{
	extra: func(d *Document) *[]Member { return &d.Extra },
	rows: []row[Document]{
		word[Document]("v", "1"),
		word[Document]("kind", `"checkpoint"`),
		text("checkpointId", true, func(d *Document) *string { return &d.CheckpointID }),
		text("sessionId", true, func(d *Document) *string { return &d.SessionID }),
		text("turnId", true, func(d *Document) *string { return &d.TurnID }),
		count("iteration", func(d *Document) *int64 { return &d.Iteration }),
		position("throughSeq", func(d *Document) *events.Seq { return &d.ThroughSeq }),
		digest("throughSha256", func(d *Document) *Sum { return &d.ThroughSHA256 }),
		facts("tokenUsage", func(d *Document) *[]byte { return &d.TokenUsage }),
		facts("costInfo", func(d *Document) *[]byte { return &d.CostInfo }),
		nested("budget", false, &budgetTable, budgetOf),
		nested("guards", true, &guardsTable, func(d *Document, _ bool) *Guards { return &d.Guards }),
		nested("review", true, &reviewTable, func(d *Document, _ bool) *Review { return &d.Review }),
		text("latestUserMessageId", false, func(d *Document) *string { return &d.LatestUserMessageID }),
		opaque("workingState", func(d *Document) *[]byte { return &d.WorkingState }),
		opaque("trace", func(d *Document) *[]byte { return &d.Trace }),
		moment("turnCreatedAt", func(d *Document) *int64 { return &d.TurnCreatedAt }),
		moment("createdAt", func(d *Document) *int64 { return &d.CreatedAt }),
	},
}

var budgetTable = table[Budget]{
	of:    "budget.",
	extra: func(b *Budget) *[]Member { return &b.Extra },
	rows: []row[Budget]{
		opaque("binding", func(b *Budget) *[]byte { return &b.Binding }),
		text("accountId", true, func(b *Budget) *string { return &b.AccountID }),
	},
}

var guardsTable = table[Guards]{
	of:    "guards.",
	extra: func(g *Guards) *[]Member { return &g.Extra },
	rows: []row[Guards]{
		count("iteration", func(g *Guards) *int64 { return &g.Iteration }),
		count("elapsedMs", func(g *Guards) *int64 { return &g.ElapsedMS }),
	},
}

var reviewTable = table[Review]{
	of:    "review.",
	extra: func(r *Review) *[]Member { return &r.Extra },
	rows: []row[Review]{
		count("structuredAttempts", func(r *Review) *int64 { return &r.StructuredAttempts }),
		count("answerAttempts", func(r *Review) *int64 { return &r.AnswerAttempts }),
		count("nativeStructuredAttempts", func(r *Review) *int64 { return &r.NativeStructuredAttempts }),
	},
}

func budgetOf(d *Document, make bool) *Budget {
	if make {
		d.Budget = &Budget{}
	}
	return d.Budget
}

// Parse reads a document. What is no document is fault.BadDocument, with
// the member and what was expected of it. The document keeps slices of text.
func Parse(text []byte) (Document, error) {
	var d Document
	if problem, at := rawjson.Check(text, events.MaxDepth); problem != rawjson.OK {
		f := bad("a checkpoint document as one JSON object", problem.String())
		f.Offset = int64(at)
		return Document{}, f
	}
	text = rawjson.Trim(text)
	if rawjson.KindOf(text) != rawjson.Object {
		return Document{}, bad("a checkpoint document as one JSON object", "another JSON value")
	}
	if f := documentTable.read(text, &d); f != nil {
		return Document{}, f
	}
	return d, nil
}

// AppendJSON appends the document, members in the order of the contract and the
// unknown ones behind them. What stands in it is written, not checked: [Parse]
// says whether it is a document.
func (d *Document) AppendJSON(dst []byte) []byte { return documentTable.append(dst, d) }

// TraceOf is the span of a document, nil when it has none. It never fails: from a
// text that is no document, too, the answer is none.
func TraceOf(text []byte) []byte {
	d, err := Parse(text)
	if err != nil {
		return nil
	}
	return d.Trace
}
