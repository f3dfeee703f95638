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
	response     link.Response
	retryAfterMs int
	body         string
	lane         int
	cursor       string
	seq          int // on the wire; noSeq when absent
	failed       bool
	err          string
}

const noSeq = -1

// inputMembers says how an input is read.
var inputMembers = []rawjson.Member{
	{Name: "status", Offset: unsafe.Offsetof(input{}.response) + unsafe.Offsetof(link.Response{}.Status), Read: rawjson.ReadInt},
	{Name: "contentType", Offset: unsafe.Offsetof(input{}.response) + unsafe.Offsetof(link.Response{}.ContentType), Read: rawjson.ReadText},
	{Name: "retryAfterMs", Offset: unsafe.Offsetof(input{}.retryAfterMs), Read: rawjson.ReadInt},
	{Name: "body", Offset: unsafe.Offsetof(input{}.body), Read: rawjson.ReadText},
	{Name: "lane", Offset: unsafe.Offsetof(input{}.lane), Read: rawjson.ReadInt},
	{Name: "cursor", Offset: unsafe.Offsetof(input{}.cursor), Read: rawjson.ReadText},
	{Name: "seq", Offset: unsafe.Offsetof(input{}.seq), Read: rawjson.ReadInt},
	{Name: "error", Read: readError},
}

func readError(into unsafe.Pointer, raw []byte, _ string) bool {
	in := (*input)(into)
	in.failed = true
	return rawjson.ReadText(unsafe.Pointer(&in.err), raw, "")
}

// inputs has what each kind of input is to the link. Kind 0, the bytes, has a call
// of its own.
var inputs = [...]func(c *channel, t link.Moment, in *input){
	1: func(c *channel, t link.Moment, _ *input) { c.link.Start(t) },
	2: (*channel).opened,
	3: func(c *channel, t link.Moment, in *input) { c.link.Closed(t, in.failed) },
	4: func(c *channel, t link.Moment, _ *input) { c.link.Tick(t) },
	5: (*channel).loaded,
	6: func(c *channel, t link.Moment, in *input) { c.link.LoadFailed(t, in.lane, in.err) },
	7: func(c *channel, _ link.Moment, _ *input) { c.link.Stop() },

	8:  func(c *channel, t link.Moment, _ *input) { c.link.Offline(t) },
	9:  func(c *channel, t link.Moment, _ *input) { c.link.Online(t) },
	10: func(c *channel, t link.Moment, _ *input) { c.link.Hidden(t) },
	11: func(c *channel, t link.Moment, _ *input) { c.link.Visible(t) },
	12: func(c *channel, t link.Moment, in *input) { c.link.Renewed(t, in.failed) },
	13: (*channel).reset,
	14: (*channel).applied,
}

func (c *channel) perform(kind int32, t link.Moment, in *input) bool {
	if kind < 1 || int(kind) >= len(inputs) {
		return false
	}
	inputs[kind](c, t, in)
	return true
}

func (c *channel) opened(t link.Moment, in *input) {
	in.response.RetryAfter, in.response.Body = link.Millis(in.retryAfterMs), []byte(in.body)
	c.link.Opened(t, in.response)
}

// loaded reads the cursor that the app's load answered. One that is none is the
// load's failure.
func (c *channel) loaded(t link.Moment, in *input) {
	var at cursor.Cursor
	if f := at.Read(in.cursor, c.base); f != nil {
		c.link.LoadFailed(t, in.lane, f.Found+" as cursor")
		return
	}
	c.link.Loaded(t, in.lane, at)
}

// reset reads the cursor that the app gave. One that is none ends the session.
func (c *channel) reset(t link.Moment, in *input) {
	var at cursor.Cursor
	if f := at.Read(in.cursor, c.base); f != nil {
		c.link.ResetFailed(t, in.lane, f)
		return
	}
	c.link.Reset(t, in.lane, at)
}

// applied asks for the cursor of what was taken in. A number that no event can
// have is beyond all that came, which the link finds.
func (c *channel) applied(_ link.Moment, in *input) {
	seq := events.Seq(0)
	if in.seq >= 0 {
		seq, _ = cursor.FromWire(events.Seq(in.seq), c.base)
	}
	c.link.Applied(in.lane, seq)
}
