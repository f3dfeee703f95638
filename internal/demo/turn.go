package demo

import (
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/events/typed"
)

// turn is a turn while it is being worked out: of the session, or of a child.
type turn struct {
	script  *script
	session string
	id      string
	lineage typed.Raw // of a child's turn; nil: the session's own
	list    *[]step   // shared with the turns of children, whose events come in between

	iteration int
	used      int64 // tool calls so far
	spent     int64 // tokens so far
	answer    string
	lastID    typed.MessageID // message of the last round
	userID    typed.MessageID // what the user wanted
}

func (t *turn) steps() []step { return *t.list }

// callLimit is how many tool calls a turn may make.
const callLimit = 40

const (
	model     = "atlas-2"
	smaller   = "atlas-2-mini"
	contextOf = 200_000 // tokens of the model's window
	leadText  = "You are a careful engineer. Say what you found, what you changed, and how you know."
)

var toolNames = []string{"read_file", "search", "edit_file", "run", "ask_user", "delegate"}

// begin opens the turn with what the user wants.
func (t *turn) begin(ask string) {
	id := typed.MessageID(t.script.newID("msg"))
	t.userID = id
	t.add(&typed.TurnStarted{
		UserMessageID: id,
		Config:        raw(map[string]any{"model": model, "maxIterations": 24, "toolCallLimit": callLimit}),
	})
	t.note("message", usualPause/2, map[string]any{
		"messageId": id, "content": map[string]any{"role": "user", "content": ask},
	})
	t.add(&typed.RequestEnvelope{
		Iteration: "1", Model: model, SystemPrompt: leadText, ToolNames: toolNames,
		ToolSchemaDigest: "sha256:4f1d9c2ab7e05386",
	})
	t.add(&typed.ToolCallsAdmitted{
		Kind: typed.AdmissionKindInitialize, Count: "0", Used: "0", Limit: typed.IntOf(callLimit),
	})
}

// end closes the turn with the text of its last round.
func (t *turn) end() {
	t.add(&typed.TurnCompleted{
		Result: t.answer, StopReason: typed.Some(raw("end_turn")),
		Settlement: raw(map[string]any{"status": "completed", "resultSource": "assistant"}),
	})
}

// fail closes the turn by an error.
func (t *turn) fail(message, code string) {
	t.add(&typed.TurnFailed{
		Error:      message,
		Failure:    typed.Some(typed.PlatformError{Code: code, Message: message, Retryable: true}),
		Settlement: raw(map[string]any{"status": "failed", "resultSource": "none"}),
	})
}

// call is one use of a tool.
type call struct {
	tool     string
	input    map[string]any
	progress []string                 // shown while it runs
	during   func(id typed.ToolUseID) // events in between, before its result
	result   string
	failed   bool
	id       typed.ToolUseID // given by the round
}

// round is one exchange with the model: what it thinks and says, the tools it
// calls, and what they answer.
func (t *turn) round(thought, text string, calls ...call) {
	t.propose(thought, text, calls)
	for _, c := range calls {
		t.run(c)
	}
	t.close(len(calls) > 0)
}

// propose is the first half of a round, up to where its calls would run. It gives
// them their ids.
func (t *turn) propose(thought, text string, calls []call) {
	t.iteration++
	n := typed.IntOf(int64(t.iteration))
	t.add(&typed.IterationStarted{Iteration: n})
	t.message(thought, text, calls)
	if len(calls) > 0 {
		t.used += int64(len(calls))
		t.add(&typed.ToolCallsAdmitted{
			Kind: typed.AdmissionKindBatch, Count: typed.IntOf(int64(len(calls))),
			Used: typed.IntOf(t.used), Limit: typed.IntOf(callLimit),
		})
	}
}

// close is the end of a round.
func (t *turn) close(hadCalls bool) {
	t.usage()
	t.add(&typed.IterationCompleted{Iteration: typed.IntOf(int64(t.iteration)), HasToolCalls: hadCalls})
}

// message is what the model writes in one round. The deltas of a text add up to
// exactly that text.
func (t *turn) message(thought, text string, calls []call) {
	n, id := typed.IntOf(int64(t.iteration)), typed.MessageID(t.script.newID("msg"))
	t.answer, t.lastID = text, id
	t.add(&typed.MessageStarted{Iteration: n, MessageID: id})
	t.think(n, id, thought)
	for _, piece := range t.pieces(text) {
		t.add(&typed.TextDelta{Iteration: n, MessageID: id, Text: piece})
	}
	for i := range calls {
		t.arguments(n, id, &calls[i])
	}
	stop := "end_turn"
	if len(calls) > 0 {
		stop = "tool_use"
	}
	t.add(&typed.MessageCompleted{Iteration: n, MessageID: id, StopReason: raw(stop), Content: typed.Some(text)})
}

func (t *turn) think(n typed.Int, id typed.MessageID, thought string) {
	if thought == "" {
		return
	}
	t.add(&typed.ReasoningStarted{Iteration: n, MessageID: id, BlockIndex: "0", ReasoningType: typed.ReasoningTypeThinking})
	for _, piece := range t.pieces(thought) {
		t.add(&typed.ReasoningDelta{Iteration: n, MessageID: id, BlockIndex: "0", Text: piece})
	}
	t.add(&typed.ReasoningCompleted{Iteration: n, MessageID: id, BlockIndex: "0", Text: typed.Some(thought), Signed: true})
}

// arguments are the input of a call, written bit by bit.
func (t *turn) arguments(n typed.Int, message typed.MessageID, c *call) {
	c.id = typed.ToolUseID(t.script.newID("toolu"))
	input := raw(c.input)
	t.add(&typed.ToolInputStarted{Iteration: n, MessageID: message, ToolUseID: c.id, ToolName: c.tool})
	for _, piece := range t.pieces(string(input)) {
		t.add(&typed.ToolInputDelta{ToolUseID: c.id, PartialJSON: piece})
	}
	t.add(&typed.ToolInputCompleted{ToolUseID: c.id, Input: input})
}

func (t *turn) run(c call) {
	t.add(&typed.ToolExecuting{ToolUseID: c.id, ToolName: c.tool, Input: raw(c.input)})
	for i, message := range c.progress {
		t.add(&typed.ToolProgress{
			ToolUseID: c.id, ToolName: c.tool, Message: message,
			Fraction: typed.Some(typed.NumberOf(float64(i+1) / float64(len(c.progress)+1))),
		})
	}
	if c.during != nil {
		c.during(c.id)
	}
	t.add(&typed.ToolCompleted{
		ToolUseID: c.id, ToolName: c.tool, Result: c.result, IsError: c.failed,
		DurationMs:   typed.Some(typed.NumberOf(float64(40 + t.script.rng.IntN(2400)))),
		OutputLength: typed.Some(typed.IntOf(int64(len(c.result)))),
	})
}

// usage says what the turn has spent, which only grows.
func (t *turn) usage() {
	out := int64(120 + t.script.rng.IntN(380))
	t.spent += 2_400 + out
	t.add(&typed.TokenUsageUpdated{
		Usage:               raw(map[string]any{"inputTokens": t.spent - out, "outputTokens": out}),
		Cost:                raw(map[string]any{"currency": "USD", "total": float64(t.spent) / 400_000}),
		ContextTokens:       typed.Some(typed.IntOf(18_000 + t.spent)),
		ContextMeasuredBy:   typed.Some(typed.TokenMeasureProvider),
		ContextWindowTokens: typed.Some(typed.IntOf(contextOf)),
		WindowSource:        typed.Some(typed.WindowSourceModelTable),
	})
}

// pieces cuts a text as a model streams it: a few words at a time.
func (t *turn) pieces(text string) []string {
	var out []string
	for rest := text; rest != ""; {
		end := 0
		for range 1 + t.script.rng.IntN(4) {
			space := strings.IndexByte(rest[end:], ' ')
			if space < 0 {
				end = len(rest)
				break
			}
			end += space + 1
		}
		out = append(out, rest[:end])
		rest = rest[end:]
	}
	return out
}
