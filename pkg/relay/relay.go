package relay

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/replay"
	"github.com/tidemark-stream/tidemark/pkg/sse"
	"github.com/tidemark-stream/tidemark/pkg/wire"
)

// Relay reads one connection, or two with pages between them. The zero Relay is not
// usable; see [New].
type Relay struct {
	options Options
	link    *link.Link
	base    events.Seq
	local   bool    // numbers live with the connection
	pages   *pages  // nil: none are to be read
	paging  bool    // one is awaited
	ends    bool    // the link has closed the connection
	opens   bool    // the answer begins with the connection
	over    bool    // nothing more is judged
	fed     int64   // bytes of the connection that came
	mark    int64   // every byte before it was passed on or cut out
	cut     int     // the first cut of the link that is not taken yet
	moved   []int   // lanes whose place is to be kept
	places  []Place // by lane, as they were ordered to be kept last
	orders  []Order
	holds   bool // one of them has data that is to be let go of
}

// keptOrders is the room for orders that outlives an input.
const keptOrders = 64

// New makes a relay of a connection whose answer was found to be a stream (see
// [Judge]). Nothing was read of it yet. What is to be done before anything comes is
// answered by [Relay.Begin].
func New(o *Options) (*Relay, *fault.Fault) {
	r := &Relay{options: *o}
	r.options.Joins = o.joins()
	if _, f := r.connect(); f != nil {
		return nil, f
	}
	if o.pageable() {
		r.pages = &pages{size: o.PageSize}
	}
	return r, nil
}

// connect begins with the bytes of a connection, and answers how it is to be asked for.
func (r *Relay) connect() (link.Ask, *fault.Fault) {
	lo := r.options.link()
	l, f := link.Build(&lo)
	if f != nil {
		return link.Ask{}, f
	}
	var ask link.Ask
	l.Start(link.Moment{})
	for a := l.Next(); a != nil; a = l.Next() {
		if a.Kind == link.Connect {
			ask = a.Asks[0]
		}
	}
	l.Opened(link.Moment{}, link.Response{Status: 200, ContentType: sse.ContentType})
	o := &r.options
	midway := o.Midway || len(o.Places) > 0
	if r.opens = !midway && !o.Joins; midway {
		l.Midway()
	}
	r.link, r.base, r.local = l, lo.Profile.Base, lo.Profile.Scope == profile.ScopeConnection
	r.ends, r.fed, r.mark, r.cut = false, 0, 0, 0
	return ask, nil
}

// Begin says what to do before anything has come.
func (r *Relay) Begin() []Order {
	r.begin()
	if len(r.options.Places) == 1 && r.options.Places[0].Paging {
		at := r.options.Places[0]
		r.join(&at.Cursor, at.Proof, at.Seen)
	}
	return r.orders
}

// Reserve answers room for n bytes of the connection. Write there, then call Received.
func (r *Relay) Reserve(n int) []byte { return r.link.Reserve(n) }

// Received takes n bytes that were written to what Reserve answered, and says what to
// do. The orders are valid until the next input.
func (r *Relay) Received(n int) []Order {
	r.begin()
	if r.over || r.paging {
		return r.orders
	}
	r.fed += int64(n)
	r.link.Received(link.Moment{}, n)
	if !r.ran() {
		r.drain()
	}
	if !r.over && !r.paging {
		r.settle(r.link.Settled())
		r.bound()
	}
	return r.orders
}

// ran takes the shortest way through what has come, which is that of nearly every chunk:
// whole events, each just what comes next. False: the long way goes on from there.
func (r *Relay) ran() bool {
	if r.local || !r.link.Run() || r.link.Settled() != r.fed {
		return false
	}
	for lane := range r.places {
		if !r.places[lane].Placed {
			continue
		}
		if seq, ok := r.link.Stepped(lane); ok {
			r.step(lane, seq)
		}
	}
	return !r.link.Moved()
}

// bound ends a connection that would have its host hold bytes without end: comments
// inside of a frame are no part of it, and cannot pass before it.
func (r *Relay) bound() {
	if most := r.options.maxFrame(); r.fed-r.mark > 2*int64(most) {
		limit := string(rawjson.AppendInt(nil, int64(most)))
		r.finish(fault.New(fault.FrameTooLarge, "a frame of at most "+limit+" bytes, and as many of comments inside of it", "a longer one"))
	}
}

// Closed says that the connection has ended, cleanly or broken. A frame that it cut
// off goes no further.
func (r *Relay) Closed(failed bool) []Order {
	r.begin()
	if r.paging {
		return r.orders
	}
	if !r.over {
		r.link.Closed(link.Moment{}, failed)
		r.drain()
	}
	if !r.over {
		r.finish(nil)
	}
	return r.orders
}

// Mark is where the bytes begin that were neither passed on nor cut out: those that
// another relay is fed first.
func (r *Relay) Mark() int64 { return r.mark }

// begin forgets the orders of the input before, and what they held.
func (r *Relay) begin() {
	if r.holds {
		clear(r.orders)
		r.holds = false
	}
	if r.orders, r.cut = r.orders[:0], 0; cap(r.orders) > keptOrders {
		r.orders = nil
	}
}

// drain turns what the link says into orders.
func (r *Relay) drain() {
	for a := r.link.Next(); a != nil && !r.paging; a = r.link.Next() {
		r.act(a)
	}
	for _, lane := range r.moved {
		r.keep(lane)
	}
	r.moved = r.moved[:0]
	if r.ends && !r.over {
		r.finish(nil)
	}
}

func (r *Relay) act(a *link.Action) {
	switch a.Kind {
	case link.Decided:
		r.add(Verdict).Report = a.Report
	case link.Refused:
		r.refused(a)
	case link.Headed:
		r.headed(a.Lane)
	case link.Deliver:
		if r.local {
			r.note(a.Lane)
		}
	case link.Position:
		r.moves(a)
	case link.Live, link.End:
		r.note(a.Lane)
	case link.Close:
		r.settle(r.link.Span().To)
		r.ends = true
	case link.Fail:
		r.finish(a.Fault)
	}
}

// refused writes the refusal behind what was passed on, unless it is the server's own,
// which passes as it came.
func (r *Relay) refused(a *link.Action) {
	r.note(a.Lane)
	name, _ := r.link.Frame()
	if r.options.Joins && string(name) == "tidemark.head" {
		r.skip()
	}
	r.settle(r.link.Span().To)
	if string(name) != "tidemark.refused" && !r.refuse(a.Refusal) {
		return
	}
	if d := a.Refusal.Detail; d == fault.DetailHistoryChanged || d == fault.DetailUnproven {
		r.evict()
	}
}

// refuse writes a refusal. One of a session that nobody has named can be told of
// nobody: then it is the connection that makes no sense. False: it is over.
func (r *Relay) refuse(why *replay.Refusal) bool {
	if why.Session == "" {
		r.finish(fault.New(fault.Unattributed, "a session that has a name before it is refused", why.ID().String()))
		return false
	}
	r.add(Insert).Data = wire.AppendRefused(nil, why, r.base)
	return true
}

// headed keeps the head. It is cut out when the consumer has one; else what is old may
// come from pages from here on.
func (r *Relay) headed(lane int) {
	r.note(lane)
	if r.options.Joins {
		r.skip()
	} else if r.pages != nil {
		r.turnToPages(lane)
	}
}

// skip cuts the present frame out.
func (r *Relay) skip() {
	span := r.link.Span()
	r.settle(span.From)
	r.leaveOut(span)
}

// finish ends the answer: nothing more will come of it, or, with a fault, it holds
// what is no event at all. Where only watching is asked for, that is told, and
// everything passes from there on.
func (r *Relay) finish(f *fault.Fault) {
	r.over = true
	if r.options.Mode == link.Observe {
		o := r.add(Through)
		o.From, o.Fault = r.mark, f
		return
	}
	if f != nil {
		r.add(Insert).Data = wire.AppendFault(nil, f)
	}
	r.add(Close).Fault = f
}

// settle passes on what was judged up to a place, without what is cut out.
func (r *Relay) settle(to int64) {
	if r.options.Joins {
		r.mark = max(r.mark, r.link.First()) // a byte order mark in the middle would spoil a line
	}
	for cuts := r.cuts(); r.cut < len(cuts) && cuts[r.cut].To <= to; r.cut++ {
		r.leaveOut(cuts[r.cut])
	}
	r.pass(to)
}

// leaveOut passes on what stands before a frame, and not the frame. Where that is the
// first of the answer a comment takes its place: a byte order mark behind it begins no
// answer, and is to spoil its line for the consumer as it did here.
func (r *Relay) leaveOut(frame link.Span) {
	r.pass(frame.From)
	if r.opens && frame.From == 0 && r.mark == 0 {
		r.add(Insert).Data = []byte(":\n\n")
	}
	r.mark = max(r.mark, frame.To)
}

// cuts are what does not go on. Watching cuts nothing.
func (r *Relay) cuts() []link.Span {
	if r.options.Mode == link.Observe {
		return nil
	}
	return r.link.Cuts()
}

func (r *Relay) pass(to int64) {
	if to <= r.mark {
		return
	}
	o := r.add(Pass)
	o.From, o.To = r.mark, to
	r.mark = to
}

// add is one piece of code, because the module of a relay has a budget.
//
//go:noinline
func (r *Relay) add(k Kind) *Order {
	r.holds = r.holds || k != Pass && k != Keep
	r.orders = append(r.orders, Order{Kind: k})
	return &r.orders[len(r.orders)-1]
}
