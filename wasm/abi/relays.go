package abi

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/relay"
	"github.com/tidemark-stream/tidemark/pkg/wire"
)

// orderCount is how many orders the table holds.
const orderCount = 256

// orderRow is one order, laid out as the host reads it; see [OrderTable].
type orderRow struct {
	kind, lane   uint32
	from, to     float64
	data, length uint32
}

// orderTable is what a host reads after each call.
type orderTable struct {
	rows [orderCount]orderRow
	mark float64 // every byte of the connection before it was passed on or cut out: nobody needs it any more
}

// arrivalRoom is how many bytes of a connection are taken at once.
const arrivalRoom = 64 << 10

// Relays is the module of an edge worker: relays by handle, and the table their orders
// go to. The zero Relays is ready.
type Relays struct {
	Room
	passages handles // of passage
	// the collector looks no further than the last pointer
	table   orderTable
	arrival [arrivalRoom]byte
}

// passage is one relay with the orders that its host has not read yet.
type passage struct {
	relay  *relay.Relay
	base   events.Seq
	orders []relay.Order
	data   [][]byte // of rows, until the next drain
	text   []byte   // those of them that are written here
}

func (m *Relays) passage(h int32) *passage { return (*passage)(m.passages.get(h)) }

// Rows is the order table. It never moves.
func (m *Relays) Rows() *orderTable { return &m.table }

// Arrival is where bytes of a connection are written before Feed: one room for all
// relays. It never moves.
func (m *Relays) Arrival() []byte { return m.arrival[:] }

// Open makes a relay from n bytes of options in the input room. 0: there is none, the
// answer that the consumer gets in place of a stream is at Output, as of Judge.
func (m *Relays) Open(n int) int32 {
	m.reuse()
	o, f := m.relayOptions(n)
	if f != nil {
		m.answerReply(&relay.Reply{Status: 400, Fault: f})
		return 0
	}
	r, f := relay.New(o)
	if f != nil {
		m.answerReply(&relay.Reply{Status: 400, Fault: f})
		return 0
	}
	p := &passage{relay: r}
	if o.Profile != nil {
		p.base = o.Profile.Base
	}
	return m.passages.open(unsafe.Pointer(p))
}

// Close forgets a relay.
func (m *Relays) Close(h int32) { m.passages.shut(h) }

// Begin answers what is to be done before anything has come.
func (m *Relays) Begin(h int32) int {
	p := m.passage(h)
	if p == nil {
		return dead
	}
	return m.drain(p, p.relay.Begin())
}

// Feed takes the first n bytes of Arrival, which follow those before.
func (m *Relays) Feed(h int32, n int) int {
	p := m.passage(h)
	if p == nil || n < 0 || n > len(m.arrival) {
		return dead
	}
	copy(p.relay.Reserve(n), m.arrival[:n])
	return m.drain(p, p.relay.Received(n))
}

// Kinds of a page that is given.
const (
	pageNone   = 0 // it could not be had
	pageCached = 1
	pageFresh  = 2
)

// PageNames are the names of kinds of a page, by number.
var PageNames = []string{pageNone: "none", pageCached: "cached", pageFresh: "fresh"}

// Page takes the page that was asked for last, n bytes in the input room.
func (m *Relays) Page(h int32, n int, kind int32) int {
	p := m.passage(h)
	if p == nil {
		return dead
	}
	body, f := m.argument(n)
	if f != nil || kind == pageNone {
		body = nil
	}
	return m.drain(p, p.relay.Page(body, kind == pageCached))
}

// Closed says that the connection has ended.
func (m *Relays) Closed(h int32, failed bool) int {
	p := m.passage(h)
	if p == nil {
		return dead
	}
	return m.drain(p, p.relay.Closed(failed))
}

// Next goes on with the orders that the table had no room for.
func (m *Relays) Next(h int32) int {
	p := m.passage(h)
	if p == nil {
		return dead
	}
	return m.drain(p, p.orders)
}

// drain fills the table and answers how many rows it holds. As many as it can hold
// means that there may be more.
func (m *Relays) drain(p *passage, orders []relay.Order) int {
	p.reuse()
	n := min(len(orders), orderCount)
	for i := range n {
		o := &orders[i]
		r := &m.table.rows[i]
		*r = orderRow{kind: uint32(o.Kind), lane: uint32(o.Lane), from: float64(o.From), to: float64(o.To)}
		if o.Kind == relay.Pass {
			continue
		}
		if o.Kind == relay.Keep && o.Moved {
			r.kind, r.from = moveOrder, float64(o.Place.Cursor.Seq)
		} else if data := p.write(o); len(data) > 0 {
			p.data = append(p.data, data)
			r.data, r.length = address(data), uint32(len(data))
		}
	}
	p.orders = orders[n:]
	m.table.mark = float64(p.relay.Mark())
	return n
}

// moveOrder is the order to keep a place of which the host has all but the number of
// its cursor.
const moveOrder = 11

// keepText is how many bytes of text a relay keeps room for from one drain to the next.
const keepText = 4 << 10

// reuse makes room for the data of a drain.
func (p *passage) reuse() {
	clear(p.data) // else a page stays for as long as the stream behind it
	p.data = p.data[:0]
	if p.text = p.text[:0]; cap(p.text) > keepText {
		p.text = nil
	}
}

// write answers what an order carries: frames, a key, or JSON. Text that was written before
// stays where it is when the room for it grows.
func (p *passage) write(o *relay.Order) []byte {
	start := len(p.text)
	switch {
	case o.Kind == relay.Verdict:
		p.text = o.Report.AppendJSON(p.text, p.base)
	case o.Kind == relay.Keep:
		p.text = o.Place.AppendJSON(p.text)
	case o.Fault != nil:
		p.text = o.Fault.AppendJSON(p.text)
	default:
		return o.Data
	}
	return p.text[start:]
}

// upstream is the head of an answer, as the host saw it.
type upstream struct {
	status                int
	contentType, encoding string
}

var upstreamMembers = []rawjson.Member{
	{Name: "status", Offset: unsafe.Offsetof(upstream{}.status), Read: rawjson.ReadInt, Words: "an integer of at least 0"},
	{Name: "contentType", Offset: unsafe.Offsetof(upstream{}.contentType), Read: rawjson.ReadText, Words: "text"},
	{Name: "encoding", Offset: unsafe.Offsetof(upstream{}.encoding), Read: rawjson.ReadText, Words: "text"},
}

// Judge says what to answer to an upstream answer, given as n bytes of JSON:
// {status, contentType?, encoding?}, status 0 for none. {status, stream?, body?,
// problem?} is at Output; its length is returned.
func (m *Relays) Judge(n int) int {
	m.reuse()
	u := new(upstream)
	arg, f := m.argument(n)
	if f == nil {
		if unreadable := rawjson.Read(arg, events.MaxDepth, unsafe.Pointer(u), upstreamMembers); unreadable != nil {
			f = unread(fault.BadInput, unreadable)
		}
	}
	r := relay.Reply{Status: 500, Fault: f}
	if f == nil {
		r = relay.Judge(&relay.Response{Status: u.status, ContentType: u.contentType, Encoding: u.encoding})
	}
	m.answerReply(&r)
	return len(m.out)
}

func (m *Relays) answerReply(r *relay.Reply) {
	w := rawjson.Begin(m.out)
	w.Int("status", int64(r.Status))
	if r.Stream {
		w.Bool("stream", true)
	}
	if r.Body {
		w.Bool("body", true)
	}
	if r.Fault != nil {
		w.Raw("problem", wire.AppendProblem(nil, r.Status, r.Fault))
		w.Raw("fault", r.Fault.AppendJSON(nil))
	}
	m.out = w.End()
}
