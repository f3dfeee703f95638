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
	names []string    // of lanes, as announced
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
func (c *channel) drain(rows []byte) int {
	c.kept = c.kept[:0]
	n := 0
	for n < rowCount {
		a := c.next()
		if a == nil {
			break
		}
		r := c.row(a)
		if c.texts.full {
			r = c.overflow()
		}
		r.put(rows[n*rowSize:])
		n++
	}
	return n
}

// next answers the link's next action, preceded by the lane's name when the host
// does not know it yet.
func (c *channel) next() *link.Action {
	if c.has {
		c.has = false
		return &c.held
	}
	a := c.link.Next()
	if a == nil || a.Lane < 0 || c.announced(a.Lane) {
		return a
	}
	c.held, c.has = *a, true
	return &link.Action{Kind: link.Position, Lane: a.Lane, Type: -1, Cursor: c.link.Cursors()[a.Lane]}
}

// announced reports whether the host knows the lane by its present name, and
// takes it as told.
func (c *channel) announced(lane int) bool {
	for len(c.names) <= lane {
		c.names = append(c.names, "")
	}
	name := c.link.Session(lane)
	if name == c.names[lane] {
		return true
	}
	c.names[lane] = name
	return false
}

// overflow ends a link that names more things than a host should remember.
func (c *channel) overflow() row {
	c.link.Stop()
	f := fault.New(fault.TooManyNames, "at most 65536 different types, generations and sessions", "more")
	return c.ours(row{kind: link.Fail, typeNumber: noType, seq: -1}, f.AppendJSON(nil))
}

// ours attaches JSON of our own to a row and keeps it alive until the next drain.
func (c *channel) ours(r row, data []byte) row {
	c.kept = append(c.kept, data)
	r.data, r.flags = data, flagOurs
	return r
}

// row writes an action down.
func (c *channel) row(a *link.Action) row {
	r := row{kind: a.Kind, lane: uint16(max(a.Lane, 0)), typeNumber: noType, seq: -1}
	if a.Kind == link.Deliver || a.Kind == link.Draft {
		return c.event(r, a)
	}
	switch a.Kind {
	case link.Restart:
		r.seq = position(a.Seq, c.base)
	case link.Wake:
		r.seq = float64(a.At)
	case link.Live:
		r.seq = position(a.Seq, c.base)
	}
	if data := c.write(a); data != nil {
		r = c.ours(r, data)
	}
	return r
}

func (c *channel) event(r row, a *link.Action) row {
	r.seq = wireSeq(a.Seq, c.base)
	r.data = a.Data
	if a.ASCII {
		r.flags = flagASCII
	}
	switch {
	case a.Type >= 0:
		r.typeNumber = uint32(a.Type)
	case len(a.TypeName) > 0:
		r.typeNumber = textBase + c.texts.id(a.TypeName)
	}
	r.generation = c.texts.id(a.Generation)
	r.session = c.texts.id(a.Session)
	return r
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
