package relay

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

// turnToPages leaves the connection behind its head when whole pages lie between the
// cursor and that: what is old comes from them.
func (r *Relay) turnToPages(lane int) {
	stood := r.link.Stands(lane)
	r.pages.begin(&r.options, r.link.Place(lane), &stood.Head)
	if !r.pages.worth() || !r.pages.safe() || r.denied() {
		r.pages = nil
		return
	}
	r.settle(r.link.Span().To)
	r.paging, r.moved = true, r.moved[:0]
	r.keepPaging()
	r.fetch()
}

// denied reports whether the head that was read last says that a refusal follows: of what
// only the server knows.
func (r *Relay) denied() bool {
	for name, value := range rawjson.Members(r.link.Data()) {
		if string(name) == "verdict" {
			return string(value) == `"unavailable"`
		}
	}
	return false
}

// Page takes the page that was asked for last, cached or from the server. nil: it could
// not be had. The page is the caller's again when it returns.
func (r *Relay) Page(body []byte, cached bool) []Order {
	r.begin()
	if r.over || !r.paging {
		return r.orders
	}
	if body == nil {
		r.leavePages()
		return r.orders
	}
	out, v := r.pages.read(nil, body)
	switch {
	case v == fits:
		r.took(out, cached)
	case v != unproven && cached && !r.pages.fresh:
		r.add(Evict).Data = []byte(r.pages.key())
		r.pages.fresh = true
		r.fetch()
	case v == changed:
		r.distrust()
	default:
		r.leavePages()
	}
	return r.orders
}

// took hands on what a page brought, and goes on to the next one.
func (r *Relay) took(frames []byte, cached bool) {
	p := r.pages
	for i := range p.told {
		r.add(Verdict).Report = &p.told[i]
	}
	p.told = nil // the orders have them; what follows the pages can take long
	r.add(Insert).Data = frames
	if !cached {
		r.add(Store).Data = []byte(p.key())
	}
	r.keepPaging()
	p.used = append(p.used, p.key())
	p.index, p.fresh = p.index+1, false
	if p.worth() {
		r.fetch()
	} else {
		r.leavePages()
	}
}

// distrust refuses: what went out is of another log than what comes now. No page of it
// is to be used again.
func (r *Relay) distrust() {
	why := r.pages.refusal()
	if r.options.Verdicts {
		r.add(Verdict).Report = &link.Report{Session: why.Session, Outcome: replay.Unavailable, Refusal: why, Cursor: *r.pages.tracker.Place()}
	}
	r.refuse(why)
	r.evict()
	r.paging = false
	r.finish(nil)
}

// evict gives up every page that went out, and the one that came last.
func (r *Relay) evict() {
	if r.pages == nil {
		return
	}
	for _, key := range append(r.pages.used, r.pages.key()) {
		r.add(Evict).Data = []byte(key)
	}
}

// leavePages goes on with the live stream.
func (r *Relay) leavePages() {
	r.join(r.pages.tracker.Place(), r.pages.last, r.pages.tracker.Seen())
}

// fetch asks for the page.
func (r *Relay) fetch() { r.add(Fetch).Data = r.pages.order() }

// keepPaging keeps the place that the pages have led to. A relay that goes on from there
// goes on with the live stream.
func (r *Relay) keepPaging() {
	at := *r.pages.tracker.Place()
	r.orderKept(0, &Place{
		Stood:  link.Stood{Session: at.Session, Head: r.pages.head, Headed: true, Proof: r.pages.last, Seen: r.pages.tracker.Seen()},
		Cursor: at, Placed: at.Seq > 0 || at.Generation.IsSet(), Paging: true,
	})
}

// join asks for the connection that goes on behind at, which has passed the generations
// seen, from the event there when its proof is known.
func (r *Relay) join(at *cursor.Cursor, proof cursor.Proof, seen []events.Generation) {
	o := &r.options
	o.Places, o.Proofs, o.Joins, o.Midway = nil, nil, true, false
	o.seen = link.Stood{Session: at.Session, Seen: seen}
	o.Cursors, o.Sessions = []cursor.Cursor{*at}, nil
	if at.Seq == 0 && !at.Generation.IsSet() {
		o.Cursors, o.Sessions = nil, []string{at.Session}
	}
	if proof.IsSet() {
		o.Proofs = []link.SavedProof{{Session: at.Session, Digest: proof}}
	}
	r.paging = false
	ask, f := r.connect()
	if f != nil {
		r.finish(f)
		return
	}
	w := rawjson.Begin(nil)
	w.Text("session", at.Session)
	if ask.Start == link.FromCursor {
		ask.Cursor.WriteToken(&w, "cursor", r.base)
	}
	r.add(Join).Data = w.End()
}
