package checkpoint

import (
	"cmp"
	"slices"

	"github.com/tidemark-stream/tidemark/internal/codeunit"
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// Entry is a checkpoint in a list.
type Entry struct {
	ID         string
	SessionID  string
	TurnID     string
	Iteration  int64
	CreatedAt  int64 // ms since 1970
	ThroughSeq events.Seq
}

// Entry is the document as it stands in a list.
func (d *Document) Entry() Entry {
	return Entry{d.CheckpointID, d.SessionID, d.TurnID, d.Iteration, d.CreatedAt, d.ThroughSeq}
}

// AppendJSON appends the entry as the contract names its members.
func (e Entry) AppendJSON(dst []byte) []byte {
	w := rawjson.Begin(dst)
	w.Text("id", e.ID)
	w.Text("sessionId", e.SessionID)
	w.Text("turnId", e.TurnID)
	w.Int("iteration", e.Iteration)
	w.Int("createdAt", e.CreatedAt)
	w.Int("throughSeq", int64(e.ThroughSeq))
	return w.End()
}

// Compare orders two checkpoints: the older one first; of two at the same time the
// one with the higher id is newer.
func Compare(a, b Entry) int {
	return cmp.Or(cmp.Compare(a.CreatedAt, b.CreatedAt), codeunit.Compare(a.ID, b.ID))
}

// Sort puts the oldest first.
func Sort(list []Entry) { slices.SortFunc(list, Compare) }

// Summary is a checkpoint as a person is shown it.
type Summary struct {
	Iteration    int64
	MessageCount int
	TokenUsage   []byte // JSON object
	CostInfo     []byte // JSON object
	LastText     string // of the last message of the assistant that says anything; "" for none
}

// Summarize sums up a document and the context that was folded for it.
func Summarize(d *Document, messages []Message) Summary {
	s := Summary{Iteration: d.Iteration, MessageCount: len(messages), TokenUsage: d.TokenUsage, CostInfo: d.CostInfo}
	for i := len(messages) - 1; i >= 0 && s.LastText == ""; i-- {
		if memberText(messages[i].Content, "role") == "assistant" {
			s.LastText = spoken(messages[i].Content)
		}
	}
	return s
}

// AppendJSON appends the summary; lastText is left out when there is none.
func (s Summary) AppendJSON(dst []byte) []byte {
	w := rawjson.Begin(dst)
	w.Int("iteration", s.Iteration)
	w.Int("messageCount", int64(s.MessageCount))
	w.Raw("tokenUsage", s.TokenUsage)
	w.Raw("costInfo", s.CostInfo)
	w.Known("lastText", s.LastText)
	return w.End()
}
