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
	told  []uint32     // the text ids of lanes that the host knows by name, 0 for others
	kept  [][]byte     // data of rows that is ours, until the next drain
	held  *link.Action // an action whose lane or frame had to be told first
	around
}

func newChannel(o *link.Options) (*channel, *fault.Fault) {
	l, f := link.Build(o)
	if f != nil {
		return nil, f
	}
	return &channel{link: l, base: l.Profile().Base, told: make([]uint32, l.Lanes()), around: around{wanted: o.Frames}}, nil
}

// drain fills the row table and answers how many rows it holds. Fewer than all
// means that the link waits for an input. An action is held back while the host has
// to be told the name of its lane, or what its frame says.
func (c *channel) drain(rows *table) int {
	c.kept = c.kept[:0]
	for n := 0; n < rowCount; n++ {
		a := c.held
		if c.held = nil; a == nil {
			a = c.link.Next()
		}
		switch {
		case a == nil:
			return n
		case a.Lane >= 0 && c.told[a.Lane] == 0 && c.announce(a.Lane):
			c.held = a
			c.place(&rows[n], a.Lane)
		case a.Kind <= link.Draft && c.around.differs(c.link):
			c.held = a
			c.frame(&rows[n], a)
		case a.Kind <= link.Draft:
			c.event(&rows[n], a)
		case a.Kind == link.Position:
			c.place(&rows[n], a.Lane)
		default:
			c.other(&rows[n], a)
		}
		if c.texts.full {
			c.overflow()
			n-- // the row names what has no number
		}
	}
	return rowCount
}

// announce reports whether the lane has a name that the host can be told. A name
// that came once stays.
func (c *channel) announce(lane int) bool {
	name := c.link.Session(lane)
	c.told[lane] = c.texts.named(name)
	return name != ""
}

// overflow ends a link that names more things than a host should remember.
func (c *channel) overflow() {
	c.texts.full, c.held = false, nil
	c.link.Fail(fault.New(fault.TooManyNames, "at most 65536 different types, generations and sessions", "more"))
}

// place writes the row that names a lane, and says where it stands once it stands
// anywhere.
func (c *channel) place(r *row, lane int) {
	at := c.link.Place(lane)
	r.clear(link.Position, lane)
	r.session = c.told[lane]
	if c.link.Drafts(lane) {
		r.head |= flagDrafts << headFlags
	}
	if c.link.Placed(lane) {
		r.head |= flagPlaced << headFlags
		r.seq, r.generation = position(at.Seq, c.base), c.texts.named(string(c.link.Generation(lane)))
		if p := c.link.Proof(lane); p.IsSet() {
			c.keep(r, append([]byte(nil), p[:]...))
		}
	}
}

// ours attaches JSON of our own to a row.
func (c *channel) ours(r *row, data []byte) {
	r.head |= flagOurs << headFlags
	c.keep(r, data)
}

// keep attaches data to a row and keeps it alive until the next drain.
func (c *channel) keep(r *row, data []byte) {
	c.kept = append(c.kept, data)
	r.data, r.length = address(data), uint32(len(data))
}

// other writes the row of an action that is no event.
func (c *channel) other(r *row, a *link.Action) {
	r.clear(a.Kind, laneOf(a))
	switch a.Kind {
	case link.Restart, link.Live:
		r.seq = position(a.Seq, c.base)
	case link.Wake:
		r.seq = float64(a.At)
	}
	w := rawjson.Begin(nil)
	if c.write(&w, a) {
		c.ours(r, w.End())
	}
}

// laneOf is the lane of a row. What asks about the connection or tells of it says
// that it has none; orders of the connection say 0.
func laneOf(a *link.Action) int {
	if a.Kind >= link.Credentials && a.Lane < 0 {
		return noLane
	}
	return max(a.Lane, 0)
}

// event writes the row of an event, straight into the table.
func (c *channel) event(r *row, a *link.Action) {
	e := a.Event
	head := uint32(a.Kind) | uint32(a.Lane)<<headLane
	if e.ASCII {
		head |= flagASCII << headFlags
	}
	r.head, r.typeNumber, r.seq = head, c.typeOf(e), wireSeq(e.Seq, c.base)
	r.data, r.length = address(a.Data), uint32(len(a.Data))
	r.generation, r.session = 0, 0
	if len(e.Generation) > 0 {
		r.generation = c.texts.id(e.Generation)
	}
	if len(a.Session) > 0 {
		r.session = c.texts.id(a.Session)
	}
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

// write writes the data of a row that carries JSON of ours. False: it carries none.
func (c *channel) write(w *rawjson.Writer, a *link.Action) bool {
	switch a.Kind {
	case link.Live:
		w.Text("strength", a.Strength.String())
	case link.End:
		w.Text("cause", a.Cause.String())
		if a.Fault != nil {
			w.Open("fault")
			a.Fault.Write(w)
			w.Close()
		}
	case link.State:
		w.Text("why", a.Why.String())
		a.Cursor.WriteToken(w, "cursor", c.base)
	case link.Load:
		w.Text("why", a.Why.String())
		if a.Refusal != nil {
			w.Open("refusal")
			a.Refusal.Write(w, c.base, a.Strength)
			w.Close()
		}
	case link.Refused:
		a.Refusal.Write(w, c.base, a.Strength)
	case link.Connect:
		c.connect(w, a)
	case link.Fail:
		a.Fault.Write(w)
	case link.Decided:
		a.Report.Write(w, c.base)
	case link.Aside:
		c.writeAside(w, a)
	case link.Credentials:
		w.Int("status", int64(a.Status))
	case link.Connection:
		c.standing(w, a)
	case link.Phase:
		w.Text("phase", a.Name)
	case link.Mark:
		if a.Cursor.Session != "" {
			a.Cursor.WriteToken(w, "cursor", c.base)
			w.Known("proof", a.Proof.String())
		}
	case kindCounts:
		c.counts(w)
	default:
		return false
	}
	return true
}

// counts writes what the link has counted, and how far each lane with a name is
// behind.
func (c *channel) counts(w *rawjson.Writer) {
	n := c.link.Counts()
	w.Int("duplicates", int64(n.Duplicates))
	w.Int("resyncs", int64(n.Resyncs))
	w.Open("lag")
	for i := range c.told {
		if behind, ok := c.link.Behind(i); ok && c.told[i] != 0 {
			w.Int(c.link.Session(i), int64(behind))
		}
	}
	w.Close()
}

// standing says where the connection stands, and until when it waits.
func (c *channel) standing(w *rawjson.Writer, a *link.Action) {
	w.Text("state", a.Name)
	if a.Attempt > 0 {
		w.Int("attempt", int64(a.Attempt))
	}
	if a.Name == link.Waiting {
		w.Int("at", int64(a.At))
	}
}

func (c *channel) connect(w *rawjson.Writer, a *link.Action) {
	w.OpenList("cursors")
	for i := range a.Asks {
		w.Open("")
		writeAsk(w, &a.Asks[i], c.base)
		w.Close()
	}
	w.CloseList()
}

func writeAsk(w *rawjson.Writer, ask *link.Ask, base events.Seq) {
	w.Text("session", ask.Session)
	w.Text("start", ask.Start.String())
	if ask.Start == link.FromCursor {
		ask.Cursor.WriteToken(w, "token", base)
	}
}

// appendCursor is [writeCursor] for an object of its own.
func appendCursor(dst []byte, c *cursor.Cursor, base events.Seq) []byte {
	w := rawjson.Begin(dst)
	writeCursor(&w, c, base)
	return w.End()
}

// writeCursor writes a cursor; with base 0 one before the first event has
// neither seq nor token.
func writeCursor(w *rawjson.Writer, c *cursor.Cursor, base events.Seq) {
	w.Text("session", c.Session)
	if seq := position(c.Seq, base); seq >= 0 {
		w.Int("seq", int64(seq))
	}
	w.Known("generation", string(c.Generation))
	if c.Session != "" {
		c.WriteToken(w, "token", base)
	}
}
