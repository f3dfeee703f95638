package abi

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// channel is one link with what its host knows of it: the texts it has learned
// by number, and which lanes it knows by name.
type channel struct {
	link  *link.Link
	base  events.Seq
	texts texts
	told  []bool      // lanes that the host knows by name
	kept  [][]byte    // data of rows that is ours, until the next drain
	held  link.Action // an action whose lane had to be announced first
	has   bool
}

func newChannel(o *link.Options) (*channel, *fault.Fault) {
	l, f := link.Build(o)
	if f != nil {
		return nil, f
	}
	return &channel{link: l, base: l.Profile().Base}, nil
}

// drain fills the row table and answers how many rows it holds. Fewer than all
// means that the link waits for an input.
func (c *channel) drain(rows *table) int {
	c.kept = c.kept[:0]
	for n := range rows {
		a := c.next()
		if a == nil {
			return n
		}
		if a.Kind <= link.Draft {
			c.event(&rows[n], a)
		} else {
			c.other(&rows[n], a)
		}
		if c.texts.full {
			c.overflow(&rows[n])
		}
	}
	return rowCount
}

// next answers the link's next action, preceded by the lane's name when the host
// does not know it yet.
func (c *channel) next() *link.Action {
	if c.has {
		c.has = false
		return &c.held
	}
	a := c.link.Next()
	if a == nil || a.Lane < 0 || (a.Lane < len(c.told) && c.told[a.Lane]) || !c.announce(a.Lane) {
		return a
	}
	c.held, c.has = *a, true
	return &link.Action{Kind: link.Position, Lane: a.Lane, Cursor: c.link.Cursors()[a.Lane]}
}

// announce reports whether the lane has a name that the host has to be told. A
// name that came once stays.
func (c *channel) announce(lane int) bool {
	for len(c.told) <= lane {
		c.told = append(c.told, false)
	}
	c.told[lane] = c.link.Session(lane) != ""
	return c.told[lane]
}

// overflow ends a link that names more things than a host should remember.
func (c *channel) overflow(r *row) {
	c.texts.full = false
	c.link.Stop()
	c.fail(r, fault.New(fault.TooManyNames, "at most 65536 different types, generations and sessions", "more"))
}

func (c *channel) fail(r *row, f *fault.Fault) {
	*r = row{head: uint32(link.Fail), typeNumber: noType, seq: -1}
	c.ours(r, f.AppendJSON(nil))
}

// ours attaches JSON of our own to a row and keeps it alive until the next drain.
func (c *channel) ours(r *row, data []byte) {
	c.kept = append(c.kept, data)
	r.head |= flagOurs << 8
	r.data, r.length = address(data), uint32(len(data))
}

// other writes the row of an action that is no event.
func (c *channel) other(r *row, a *link.Action) {
	*r = row{head: uint32(a.Kind) | uint32(max(a.Lane, 0))<<16, typeNumber: noType, seq: -1}
	switch a.Kind {
	case link.Restart, link.Live:
		r.seq = position(a.Seq, c.base)
	case link.Wake:
		r.seq = float64(a.At)
	}
	if data := c.write(a); data != nil {
		c.ours(r, data)
	}
}

// event writes the row of an event, straight into the table.
func (c *channel) event(r *row, a *link.Action) {
	e := a.Event
	head := uint32(a.Kind) | uint32(a.Lane)<<16
	if e.ASCII {
		head |= flagASCII << 8
	}
	r.head, r.typeNumber, r.seq = head, c.typeOf(e), wireSeq(e.Seq, c.base)
	r.data, r.length = address(a.Data), uint32(len(a.Data))
	r.generation, r.session = c.texts.id(e.Generation), c.texts.id(a.Session)
}

func (c *channel) typeOf(e *events.Envelope) uint32 {
	switch {
	case e.Known >= 0:
		return uint32(e.Known)
	case len(e.Type) > 0:
		return textBase + c.texts.id(e.Type)
	}
	return noType
}

// write is the data of a row that carries JSON of ours; nil: it carries none.
func (c *channel) write(a *link.Action) []byte {
	w := rawjson.Begin(nil)
	switch a.Kind {
	case link.Live:
		w.Text("strength", a.Strength.String())
	case link.End:
		w.Text("cause", a.Cause.String())
	case link.State:
		w.Text("why", a.Why.String())
		w.Known("cursor", a.Cursor.Token(c.base))
	case link.Load:
		w.Text("why", a.Why.String())
		if a.Refusal != nil {
			w.Raw("refusal", a.Refusal.AppendJSON(nil, c.base, a.Strength))
		}
	case link.Refused:
		return a.Refusal.AppendJSON(nil, c.base, a.Strength)
	case link.Connect:
		return c.connect(a)
	case link.Fail:
		return a.Fault.AppendJSON(nil)
	case link.Decided:
		return a.Report.AppendJSON(nil, c.base)
	case link.Position:
		return appendCursor(nil, a.Cursor, c.base)
	default:
		return nil
	}
	return w.End()
}

func (c *channel) connect(a *link.Action) []byte {
	list := []byte{'['}
	for i, ask := range a.Asks {
		if i > 0 {
			list = append(list, ',')
		}
		list = appendAsk(list, ask, c.base)
	}
	w := rawjson.Begin(nil)
	w.Int("attempt", int64(a.Attempt))
	w.Raw("cursors", append(list, ']'))
	return w.End()
}

func appendAsk(dst []byte, ask link.Ask, base events.Seq) []byte {
	w := rawjson.Begin(dst)
	w.Text("session", ask.Session)
	token := ""
	if ask.Start == link.FromCursor {
		token = ask.Cursor.Token(base)
	}
	start := ask.Start
	if start == link.FromCursor && token == "" {
		start = link.FromBeginning // nothing received yet has no token with base 0
	}
	w.Text("start", start.String())
	w.Known("token", token)
	return w.End()
}

// appendCursor writes a cursor; with base 0 one before the first event has
// neither seq nor token.
func appendCursor(dst []byte, c cursor.Cursor, base events.Seq) []byte {
	w := rawjson.Begin(dst)
	w.Text("session", c.Session)
	if seq := position(c.Seq, base); seq >= 0 {
		w.Int("seq", int64(seq))
	}
	w.Known("generation", string(c.Generation))
	if c.Session != "" {
		w.Known("token", c.Token(base))
	}
	return w.End()
}
