package check

import (
	"bytes"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/sse"
)

// stream reads the bytes of event streams, one connection after the other.
type stream struct {
	c       *Checker
	decoder *sse.Decoder
	index   lineIndex
	frame   sse.Frame
	dead    bool // a frame was beyond the limit: nothing behind it can be read
}

func newStream(c *Checker) *stream {
	c.connect()
	c.tally.connections = 1
	if IsAddress(c.options.Name) {
		c.conn.request(c.options.Name, c.profile.Base)
		c.conn.url = "" // the same for all, and named once
	}
	return &stream{c: c, decoder: sse.NewDecoder(c.options.MaxFrame)}
}

// restart begins the body of another connection.
func (r *stream) restart() {
	r.decoder.Reset()
	r.decoder.Forget()
	r.index, r.dead = lineIndex{starts: r.index.starts[:0]}, false
}

func (r *stream) feed(chunk []byte) {
	if r.dead {
		return
	}
	r.index.feed(chunk)
	r.decoder.Feed(chunk)
	for !r.dead {
		switch r.decoder.Next(&r.frame) {
		case sse.NeedData:
			return
		case sse.HaveFrame:
			r.c.frame(&r.frame, r.place(r.frame.Start))
		case sse.Failed:
			r.dead = true
			r.c.report(Finding{Kind: TooLarge, What: tooLargeFrame(r.c.options.MaxFrame), Place: r.place(r.decoder.Fault().Offset)})
		}
	}
}

func (r *stream) place(start int64) Place {
	return Place{Entry: r.c.conn.entry, URL: r.c.conn.url, Line: r.index.lineOf(start), Offset: start, At: -1}
}

func (r *stream) end(stopped bool) {
	if r.decoder.End() && !stopped && !r.dead {
		line, offset := r.index.last()
		p := r.place(offset)
		p.Line = line
		r.c.report(Finding{Kind: Cut, Place: p})
	}
}

var (
	controlPrefix = []byte("tidemark.")
	doneMark      = []byte("[DONE]")
)

// frame sends one frame to where it is judged, in the way of the link.
func (c *Checker) frame(f *sse.Frame, p Place) {
	switch {
	case c.profile.Control && bytes.HasPrefix(f.Event, controlPrefix):
		c.tally.control++
		c.control(string(f.Event), f.Data, p)
	case len(f.Data) == 0:
		c.tally.other++
	case bytes.Equal(f.Data, doneMark):
		c.tally.other++
	default:
		c.data(f, p)
	}
}

// data is a frame that holds an event, or, with an event name of its own, may be
// meant for somebody else.
func (c *Checker) data(f *sse.Frame, p Place) {
	problem := c.scan(f.Data)
	named := len(f.Event) > 0 && string(f.Event) != "message"
	if problem != events.NoProblem && named && c.profile.Control {
		c.tally.other++
		return
	}
	id := cursor.ID{}
	if f.HasID && len(f.ID) > 0 {
		id = cursor.ReadID(f.ID, c.profile.Base)
	}
	c.take(f.Data, problem, id, p)
}
