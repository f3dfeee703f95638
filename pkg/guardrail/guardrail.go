package guardrail

import (
	"context"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
)

// Stage is where a chain stands in a turn.
type Stage uint8

// Stages.
const (
	Input  Stage = iota // messages that are about to be sent
	Output              // the final text of the assistant
)

// String is the word of the wire.
func (s Stage) String() string {
	if s == Output {
		return "output"
	}
	return "input"
}

// Context is what a guardrail judges. Messages are JSON objects with a role and a
// content, which is text or a list of parts; they are shared and read-only.
type Context struct {
	SessionID    string
	TurnID       string   // needed for the event
	SystemPrompt string   // of the input stage; "" for none
	Messages     [][]byte // input: about to be sent; output: the whole history
	Text         string   // input: that of the newest user message, set by the chain; output: the answer
}

// The actions of a verdict. Any other one blocks.
const (
	Pass    = "pass"
	Block   = "block"
	Rewrite = "rewrite"
)

// Verdict is what a guardrail answers. The zero Verdict is no pass: it blocks.
type Verdict struct {
	Action string
	Output string // with Rewrite: the text from here on
	Reason string // goes into the record; "" for none
}

// Guardrail is one rule.
type Guardrail struct {
	Name  string // stands in the record, so that it says which rule fired; "" for none
	Check func(context.Context, Context) (Verdict, error)
}

// Chain is guardrails in the order in which they run.
type Chain []Guardrail

// Triggered is a guardrail that did something.
type Triggered struct {
	TurnID    string
	Stage     Stage
	Action    string // Block or Rewrite
	Guardrail string // its name; "" for none
	Reason    string // "" for none
}

// AppendEvent appends the text of a guardrail_triggered event, without a
// stamp: that is the log's to give.
func (t Triggered) AppendEvent(dst []byte) []byte {
	w := rawjson.Begin(dst)
	w.Text("type", "guardrail_triggered")
	w.Text("turnId", t.TurnID)
	w.Text("stage", t.Stage.String())
	w.Text("action", t.Action)
	w.Known("guardrail", t.Guardrail)
	w.Known("reason", t.Reason)
	return w.End()
}

// Result is how a chain came out. The zero Result lets nothing pass.
type Result struct {
	Action    string      // Pass, Block, or Rewrite when there was one and no block
	Text      string      // as the chain left it; with Block as the guardrail saw it that blocked
	Messages  [][]byte    // those of the context; the newest user message with its new text
	Triggered []Triggered // in order
	Err       error       // with Block: why a guardrail could not judge; nil when it did
}

// Passes reports whether Text and Messages may go on.
func (r *Result) Passes() bool { return r.Action == Pass || r.Action == Rewrite }
