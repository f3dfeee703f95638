package decision

import (
	"slices"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// Grants are the calls that need not be asked about again in one session.
// The zero Grants are empty and ready. They need memory for open questions and for
// what was granted to turns that have not ended, however long the log is.
type Grants struct {
	fold  park.Fold
	asked map[string]string          // turn of each open question, by decision id
	keys  map[string]map[string]bool // remembered keys, by turn
}

// Add takes the next record of the log, or the text of a live event. Of answers the
// first to a question that is open counts, in the way of [park.Fold]; the turn is
// that of the question, whatever the answer names. With the end of a turn its grants
// are gone, and answers to what it had asked grant nothing any more.
func (g *Grants) Add(record []byte) {
	name := typeOf(record)
	switch {
	case name == nil:
	case events.TypeAt(events.TypeIndex(name)).Terminal:
		g.end(record)
	default:
		g.settle(record)
	}
}

// settle folds a record about a question.
func (g *Grants) settle(record []byte) {
	g.fold.Keep(1)
	switch g.fold.Add(record) {
	case park.Opened:
		g.open(textIn(record, "decisionId"))
	case park.Answered:
		g.answer(textIn(record, "decisionId"), rawjson.Value(record, "decision"))
	case park.TimedOut:
		delete(g.asked, textIn(record, "decisionId"))
	}
}

func (g *Grants) open(id string) {
	if g.asked == nil {
		g.asked = map[string]string{}
	}
	g.asked[id] = g.fold.Find(id).TurnID
}

func (g *Grants) answer(id string, raw []byte) {
	turn := g.asked[id]
	delete(g.asked, id)
	d, err := Parse(raw)
	if err != nil || d.Action != ApproveTools || turn == "" {
		return
	}
	for _, key := range d.Remember {
		g.remember(turn, key)
	}
}

func (g *Grants) remember(turn, key string) {
	if g.keys == nil {
		g.keys = map[string]map[string]bool{}
	}
	if g.keys[turn] == nil {
		g.keys[turn] = map[string]bool{}
	}
	g.keys[turn][key] = true
}

// end forgets what belongs to a turn. When the record does not say which turn, all
// of it goes.
func (g *Grants) end(record []byte) {
	ended, ok := turnOf(record)
	if !ok {
		g.asked, g.keys = nil, nil
		return
	}
	delete(g.keys, ended)
	for id, turn := range g.asked {
		if turn == ended {
			delete(g.asked, id)
		}
	}
}

// Covers reports whether a call of a turn is granted: one of its two [Keys] is
// remembered. An error says that the call has none, which is as good as false.
func (g *Grants) Covers(turn, tool string, input []byte) (bool, error) {
	keys, err := Keys(tool, input)
	if err != nil {
		return false, err
	}
	return g.keys[turn][keys[0]] || g.keys[turn][keys[1]], nil
}

// typeOf is the type of a record when it is one that matters here, nil otherwise.
// It reads no further than that.
func typeOf(record []byte) []byte {
	text, _ := rawjson.AppendText(nil, rawjson.Value(record, "type"))
	if len(text) > 0 && (events.TypeAt(events.TypeIndex(text)).Terminal || slices.Contains(questionTypes, string(text))) {
		return text
	}
	return nil
}

// turnOf is the one turn that a record names.
func turnOf(record []byte) (turn string, ok bool) {
	if problem, _ := rawjson.Check(record, len(record)); problem != rawjson.OK {
		return "", false
	}
	count := 0
	for name := range rawjson.Members(record) {
		if string(name) == "turnId" {
			count++
		}
	}
	turn = textIn(record, "turnId")
	return turn, count == 1 && turn != ""
}

var questionTypes = park.Types()

func textIn(record []byte, member string) string {
	text, _ := rawjson.AppendExactText(nil, rawjson.Value(record, member))
	return string(text)
}
