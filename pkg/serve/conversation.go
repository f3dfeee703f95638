package serve

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/park"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

// Conversation is the default fold: what a reader of the session has to see.
//
//	{"items": [item…], "turns": [turn…], "parks"?: saved}
//
// An item is a settled message or a finished tool call, in the order in which
// they first appeared:
//
//	{"kind":"message","seq","id","turnId"?,"content"?}   content as recorded: text, or a whole message
//	{"kind":"tool","seq","id","turnId"?,"name"?,"input"?,"result"?,"isError"?}
//
// A message that is settled or replaced later keeps its place and takes the new
// content; seq is that of the event that last changed it. A turn is
//
//	{"id","seq","status"}                                status: running, paused, completed or failed
//
// and parks is the saved fold of the session's questions at the cursor, which an inbox
// takes as it is and goes on with:
//
//	{"session","seq","generation"?,"fold"}               fold: text, as park.Fold.AppendSaved writes it
//
// It is left out when events before the last one were not added, as of a log that was
// pruned: such a fold lacks what was asked there.
//
// Everything else of the log leaves no trace in it.
func Conversation(session string) State {
	return &conversation{at: cursor.Cursor{Session: session}, place: map[string]int{}, turn: map[string]int{}}
}

type conversation struct {
	items []item
	place map[string]int // of an item, by kind and id
	turns []turn
	turn  map[string]int
	parks park.Fold
	at    cursor.Cursor // of the events that were added
	gap   bool          // some before it were not
}

// Start notes whether something is missing before the first event of the log.
func (c *conversation) Start(first events.Seq) { c.gap = c.gap || first > c.at.Seq+1 }

// End notes the cursor of the state: its generation may be above that of the last
// event.
func (c *conversation) End(at cursor.Cursor) { c.at = at }

// item is one row; its members are JSON text, nil when absent.
type item struct {
	kind, id string
	seq      int64
	turnID   []byte
	members  [len(itemMembers)][]byte
}

type turn struct {
	id     string
	seq    int64
	status string
}

// itemMembers are the members an item may have beyond those all have.
var itemMembers = [...]string{"content", "name", "input", "result", "isError"}

// itemRule says how an event becomes an item: which member of it is the id, and
// which members become which of the item's.
type itemRule struct {
	kind, id string
	members  map[string]int
}

var itemRules = map[string]itemRule{
	"message":           {"message", "messageId", map[string]int{"content": 0}},
	"message_completed": {"message", "messageId", map[string]int{"content": 0}},
	"message_replaced":  {"message", "targetMessageId", map[string]int{"content": 0}},
	"tool_executing":    {"tool", "toolUseId", map[string]int{"toolName": 1, "input": 2}},
	"tool_completed":    {"tool", "toolUseId", map[string]int{"toolName": 1, "result": 3, "isError": 4}},
}

var turnStatus = map[string]string{
	"turn_started": "running", "turn_resuming": "running", "turn_paused": "paused",
	"turn_completed": "completed", "turn_failed": "failed",
}

// Add takes in one event.
func (c *conversation) Add(e sessionlog.Event) error {
	c.gap = c.gap || e.Seq != c.at.Seq+1
	c.at.Seq, c.at.Generation = e.Seq, e.Generation
	c.parks.Add(e.Text)
	members := map[string][]byte{}
	for name, value := range rawjson.Members(e.Text) {
		members[string(name)] = value
	}
	kind, _ := rawjson.Text(members["type"])
	if rule, ok := itemRules[kind]; ok {
		c.addItem(rule, members, int64(e.Seq))
	}
	if status, ok := turnStatus[kind]; ok {
		c.addTurn(members["turnId"], status, int64(e.Seq))
	}
	return nil
}

func (c *conversation) addItem(rule itemRule, members map[string][]byte, seq int64) {
	id, ok := rawjson.Text(members[rule.id])
	if !ok {
		return
	}
	key := rule.kind + " " + id
	i, known := c.place[key]
	if !known {
		i = len(c.items)
		c.place[key] = i
		c.items = append(c.items, item{kind: rule.kind, id: id, turnID: clone(members["turnId"])})
	}
	c.items[i].seq = seq
	for name, at := range rule.members {
		if value := members[name]; value != nil {
			c.items[i].members[at] = clone(value)
		}
	}
}

func (c *conversation) addTurn(raw []byte, status string, seq int64) {
	id, ok := rawjson.Text(raw)
	if !ok {
		return
	}
	i, known := c.turn[id]
	if !known {
		i = len(c.turns)
		c.turn[id] = i
		c.turns = append(c.turns, turn{id: id})
	}
	c.turns[i].seq, c.turns[i].status = seq, status
}

// AppendJSON writes the state.
func (c *conversation) AppendJSON(dst []byte) []byte {
	w := rawjson.Begin(dst)
	w.Name("items")
	w.Append(func(dst []byte) []byte { return appendList(dst, c.items, (*item).appendJSON) })
	w.Name("turns")
	w.Append(func(dst []byte) []byte { return appendList(dst, c.turns, (*turn).appendJSON) })
	if !c.gap {
		w.Open("parks")
		c.writeParks(&w)
		w.Close()
	}
	return w.End()
}

func (c *conversation) writeParks(w *rawjson.Writer) {
	w.Text("session", c.at.Session)
	w.Int("seq", int64(c.at.Seq))
	w.Known("generation", string(c.at.Generation))
	w.Text("fold", string(c.parks.AppendSaved(nil, c.at.Seq, c.at.Generation)))
}

func appendList[T any](dst []byte, list []T, one func(*T, []byte) []byte) []byte {
	dst = append(dst, '[')
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = one(&list[i], dst)
	}
	return append(dst, ']')
}

func (m *item) appendJSON(dst []byte) []byte {
	w := rawjson.Begin(dst)
	w.Text("kind", m.kind)
	w.Int("seq", m.seq)
	w.Text("id", m.id)
	if m.turnID != nil {
		w.Raw("turnId", m.turnID)
	}
	for i, name := range itemMembers {
		if m.members[i] != nil {
			w.Raw(name, m.members[i])
		}
	}
	return w.End()
}

func (t *turn) appendJSON(dst []byte) []byte {
	w := rawjson.Begin(dst)
	w.Text("id", t.id)
	w.Int("seq", t.seq)
	w.Text("status", t.status)
	return w.End()
}

func clone(b []byte) []byte {
	if b == nil {
		return nil
	}
	return append([]byte{}, b...)
}
