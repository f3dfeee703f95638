package abi

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// dead is the row count for a handle that is none.
const dead = -1

// Links is the lean module: links by handle, and the table their rows go to.
// The zero Links is ready.
type Links struct {
	Room
	rows     table
	channels handles // of channel
}

func (m *Links) channel(h int32) *channel { return (*channel)(m.channels.get(h)) }

// Rows is the row table.
func (m *Links) Rows() *table { return &m.rows }

// Open makes a link from n bytes of options in the input room. 0: no link, the
// fault is at Output.
func (m *Links) Open(n int) int32 {
	m.reuse()
	c, f := m.open(n)
	if f != nil {
		m.answerFault(f)
		return 0
	}
	return m.channels.open(unsafe.Pointer(c))
}

func (m *Links) open(n int) (*channel, *fault.Fault) {
	arg, f := m.argument(n)
	if f != nil {
		return nil, f
	}
	o, f := readOptions(arg)
	if f != nil {
		return nil, f
	}
	return newChannel(o)
}

// Text answers the name of a text id of a link; its length is returned, -1 for
// an id that was never given out.
func (m *Links) Text(h int32, id uint32) int {
	m.reuse()
	c := m.channel(h)
	if c == nil {
		return dead
	}
	name, ok := c.texts.text(id)
	if !ok {
		return dead
	}
	m.out = append(m.out, name...)
	return len(m.out)
}

// Reserve answers room for n bytes from the network; nil for a dead handle.
func (m *Links) Reserve(h int32, n int) []byte {
	c := m.channel(h)
	if c == nil || n < 0 {
		return nil
	}
	return c.link.Reserve(n)
}

// Feed takes n bytes that were written to what Reserve answered, and
// drains.
func (m *Links) Feed(h int32, n int, now, random float64) int {
	c := m.channel(h)
	if c == nil || n < 0 {
		return dead
	}
	c.link.Received(moment(now, random), n)
	return c.drain(&m.rows)
}

// Next goes on draining.
func (m *Links) Next(h int32) int {
	c := m.channel(h)
	if c == nil {
		return dead
	}
	return c.drain(&m.rows)
}

// Close forgets a link.
func (m *Links) Close(h int32) { m.channels.shut(h) }

// Do gives a link any other input, its n bytes of argument in the input room,
// and drains. An argument that cannot be read ends the link with a fault: the
// host is ours, and so is the mistake.
func (m *Links) Do(h, kind int32, n int, now, random float64) int {
	c := m.channel(h)
	if c == nil {
		return dead
	}
	in := &input{seq: noSeq}
	arg, f := m.argument(n)
	if f != nil || rawjson.Read(arg, events.MaxDepth, unsafe.Pointer(in), inputMembers) != nil ||
		!c.perform(kind, moment(now, random), in) {
		return c.reject(&m.rows)
	}
	return c.drain(&m.rows)
}

func (c *channel) reject(rows *table) int {
	c.link.Fail(fault.New(fault.BadInput, "an input of docs/seam.md", "something else"))
	return c.drain(rows)
}

func moment(now, random float64) link.Moment {
	return link.Moment{Now: link.Millis(now), Random: random}
}

// input is the arguments of all inputs; each uses its own.
type input struct {
	link.Given
	retryAfterMs int
	body         string
	token        string // of a cursor
	seq          int    // on the wire; noSeq when absent
}

const noSeq = -1

// inputMembers says how an input is read.
var inputMembers = []rawjson.Member{
	{Name: "status", Offset: unsafe.Offsetof(input{}.Response) + unsafe.Offsetof(link.Response{}.Status), Read: rawjson.ReadInt},
	{Name: "contentType", Offset: unsafe.Offsetof(input{}.Response) + unsafe.Offsetof(link.Response{}.ContentType), Read: rawjson.ReadText},
	{Name: "retryAfterMs", Offset: unsafe.Offsetof(input{}.retryAfterMs), Read: rawjson.ReadInt},
	{Name: "body", Offset: unsafe.Offsetof(input{}.body), Read: rawjson.ReadText},
	{Name: "lane", Offset: unsafe.Offsetof(input{}.Lane), Read: rawjson.ReadInt},
	{Name: "cursor", Offset: unsafe.Offsetof(input{}.token), Read: rawjson.ReadText},
	{Name: "seq", Offset: unsafe.Offsetof(input{}.seq), Read: rawjson.ReadInt},
	{Name: "event", Offset: unsafe.Offsetof(input{}.Event), Read: rawjson.ReadText},
	{Name: "error", Read: readError},
}

func readError(into unsafe.Pointer, raw []byte, _ string) bool {
	in := (*input)(into)
	in.Failed = true
	return rawjson.ReadText(unsafe.Pointer(&in.Found), raw, "")
}

// perform gives the link an input. A cursor that is none, and a number that no event
// can have, are the link's to judge.
func (c *channel) perform(kind int32, t link.Moment, in *input) bool {
	if kind == inputCounts {
		c.held = &link.Action{Kind: kindCounts, Lane: -1}
		return true
	}
	g := &in.Given
	g.Response.RetryAfter, g.Response.Body = link.Millis(in.retryAfterMs), []byte(in.body)
	g.Fault = g.Cursor.Read(in.token, c.base)
	if in.seq >= 0 {
		g.Seq, _ = cursor.FromWire(events.Seq(in.seq), c.base)
	}
	return c.link.Give(t, int(kind), g)
}
