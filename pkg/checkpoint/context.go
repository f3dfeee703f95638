package checkpoint

import (
	"bytes"
	"slices"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Message is one message of a context.
type Message struct {
	ID      string // "" for a summary
	Summary bool   // what a compaction put in the place of messages
	Content []byte // JSON, as it stands in the log or was spilled
}

// body is a message's content, or where it lies.
type body struct{ content, spill []byte }

// kept is a message of the context.
type kept struct {
	id      string
	summary bool
	body    body
}

// Context folds the messages that a turn goes on with. Hand it the records
// of a log from the first one to the last that counts; it does not look at their
// seq. Its memory is that of the context, whatever the length of the log.
type Context struct {
	// Spill reads a body that lies apart from its record; ref is the record's
	// member spill as it stands. nil: a body that lies apart is missing.
	Spill func(ref []byte) ([]byte, error)

	// Watch is a message whose newest body is kept for [Context.Intent], also
	// when a compaction drops it from the context; "" for none. Set it first.
	Watch string

	list    []kept
	at      map[string]int // place of each id
	watched *body
	err     error
}

// contextRecords says what the records that take part do.
var contextRecords = map[string]func(c *Context, record []byte) error{
	"message":          (*Context).append,
	"message_replaced": (*Context).replace,
	"compaction":       (*Context).compact,
}

// Add takes the next record. Records of other types take no part. One that is
// damaged ends the fold with fault.BadRecord, which every later call answers too.
func (c *Context) Add(record []byte) error {
	if c.err != nil {
		return c.err
	}
	name := typeOf(record)
	if name == nil {
		c.err = badRecord("a record with a type", "none")
		return c.err
	}
	take := contextRecords[string(name)]
	if take == nil {
		return nil
	}
	if problem, at := rawjson.Check(record, events.MaxDepth); problem != rawjson.OK {
		f := badRecord("a record of type "+string(name)+" as one JSON object", problem.String())
		f.Offset = int64(at)
		c.err = f
		return c.err
	}
	c.err = take(c, record)
	return c.err
}

func (c *Context) append(record []byte) error {
	id, b, err := readBody(record, "messageId")
	if err != nil {
		return err
	}
	c.watch(id, b)
	c.put(kept{id: id, body: b})
	return nil
}

func (c *Context) put(k kept) {
	if c.at == nil {
		c.at = map[string]int{}
	}
	if k.id != "" {
		c.at[k.id] = len(c.list)
	}
	c.list = append(c.list, k)
}

// replace changes a message in its place. One that a compaction dropped stays
// dropped.
func (c *Context) replace(record []byte) error {
	id, b, err := readBody(record, "targetMessageId")
	if err != nil {
		return err
	}
	c.watch(id, b)
	if i, ok := c.at[id]; ok {
		c.list[i].body = b
	}
	return nil
}

func (c *Context) watch(id string, b body) {
	if id == c.Watch {
		c.watched = &b
	}
}

// compact puts the summary first and what is kept behind it, in the order it had.
func (c *Context) compact(record []byte) error {
	summary := rawjson.Value(record, "summary")
	if summary == nil || rawjson.KindOf(summary) == rawjson.Null {
		return badRecord("a compaction with its summary", "none")
	}
	places, err := c.keeps(rawjson.Value(record, "keptMessageIds"))
	if err != nil {
		return err
	}
	before := c.list
	c.list, c.at = nil, nil
	c.put(kept{summary: true, body: body{content: bytes.Clone(summary)}})
	for _, i := range places {
		c.put(before[i])
	}
	return nil
}

// keeps is the places of the messages that a compaction keeps, in order.
func (c *Context) keeps(list []byte) (places []int, err error) {
	if rawjson.KindOf(list) != rawjson.Array {
		return nil, badRecord("keptMessageIds as a list", shown(list))
	}
	for raw := range rawjson.Elements(list) {
		id, _ := rawjson.Text(raw)
		i, ok := c.at[id]
		if !ok {
			return nil, badRecord("the id of a message in the context in keptMessageIds", fault.Clip(raw))
		}
		places = append(places, i)
	}
	slices.Sort(places)
	return slices.Compact(places), nil
}

// Messages is the context as it stands, with spilled bodies read. A body that
// cannot be had is fault.SpillMissing.
func (c *Context) Messages() ([]Message, error) {
	if c.err != nil {
		return nil, c.err
	}
	list := make([]Message, len(c.list))
	for i, k := range c.list {
		content, err := c.read(k.id, k.body)
		if err != nil {
			return nil, err
		}
		list[i] = Message{k.id, k.summary, content}
	}
	return list, nil
}

// Intent is the newest message of the operator, which is the one to watch: what it
// says at last, wherever it stands. nil when there is none to watch;
// fault.IntentMissing when no record has it.
func (c *Context) Intent() ([]byte, error) {
	switch {
	case c.Watch == "":
		return nil, nil
	case c.err != nil:
		return nil, c.err
	case c.watched == nil:
		return nil, fault.New(fault.IntentMissing, "message "+fault.Clip([]byte(c.Watch)), "no record of it")
	}
	content, err := c.read(c.Watch, *c.watched)
	if err != nil {
		return nil, err
	}
	return intentOf(content), nil
}

// read is a body, fetched when it lies apart.
func (c *Context) read(id string, b body) ([]byte, error) {
	if b.spill == nil {
		return b.content, nil
	}
	f := fault.New(fault.SpillMissing, "the body of message "+fault.Clip([]byte(id)), "no reader for bodies")
	if c.Spill == nil {
		return nil, f
	}
	content, err := c.Spill(b.spill)
	if err != nil {
		f.Found, f.Err = "an error", err
		return nil, f
	}
	if problem, _ := rawjson.Check(content, events.MaxDepth); problem != rawjson.OK {
		f.Found = "a text that is no JSON: " + problem.String()
		return nil, f
	}
	return content, nil
}

// readBody reads whose body a record has, and where it is.
func readBody(record []byte, idName string) (id string, b body, err error) {
	id = memberText(record, idName)
	if id == "" {
		return "", b, badRecord(idName+" as text that is not empty", shown(rawjson.Value(record, idName)))
	}
	if spill := rawjson.Value(record, "spill"); spill != nil && rawjson.KindOf(spill) != rawjson.Null {
		return id, body{spill: bytes.Clone(spill)}, nil
	}
	content := rawjson.Value(record, "content")
	if content == nil || rawjson.KindOf(content) == rawjson.Null {
		return "", b, badRecord("the content of message "+fault.Clip([]byte(id))+", or where it was spilled", "neither")
	}
	return id, body{content: bytes.Clone(content)}, nil
}

// shown is a value as a fault shows it.
func shown(raw []byte) string {
	if raw == nil {
		return "no such member"
	}
	return fault.Clip(raw)
}

func badRecord(expected, found string) *fault.Fault {
	return fault.New(fault.BadRecord, expected, found)
}
