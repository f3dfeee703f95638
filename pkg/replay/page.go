package replay

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// Resolve answers what c is owed, given the head that was read first and the
// page the store answered to "everything above c". The page is the events in
// the order given, each with the scanner's problem with it.
//
// more says that the page was cut at a limit: then it may end below the head.
func Resolve(p *profile.Profile, c cursor.Cursor, h Head, page func(yield func(*events.Envelope, events.Problem) bool), more bool) Verdict {
	check := NewPage(p, c, h)
	for e, problem := range page {
		check.Add(e, problem)
	}
	return check.Verdict(more)
}

// Page checks one answer of a store, event by event, in one pass. Every check
// walks the whole page on its own and keeps its first offence; [Page.Verdict]
// then names the first check that failed, in the order of the contract.
type Page struct {
	profile *profile.Profile
	cursor  cursor.Cursor
	head    Head
	fence   cursor.Fence
	count   int
	first   events.Seq // of the page
	next    events.Seq // the seq walk's expectation
	last    []byte     // scratch: the newest generation, for the next cursor

	foreign, bad, generation, seq offence
}

// offence is the first event that failed one check.
type offence struct {
	found      bool
	index      int
	detail     fault.Detail
	problem    events.Problem
	offset     int
	expected   events.Seq
	received   events.Seq
	generation events.Generation
}

// NewPage starts a check. Steps that need no page ([Judge]) are part of the
// final verdict.
func NewPage(p *profile.Profile, c cursor.Cursor, h Head) *Page {
	ends := h.LastSeq
	if !p.Continuity.Rises() {
		ends = events.MaxSeq // no number is above another, or it is not the log's
	}
	return &Page{
		profile: p, cursor: c, head: h, next: c.Seq + 1,
		fence: cursor.NewFence(c.Generation, h.Generation, ends),
	}
}

// Add shows the next event of the page. Its bytes are not kept. Where the receiver
// counts, it is the next one whatever seq it has.
func (p *Page) Add(e *events.Envelope, problem events.Problem) {
	i, seq := p.count, e.Seq
	p.count++
	if p.cursor.Session == "" && problem == events.NoProblem {
		p.cursor.Session = string(e.Session)
	}
	if p.profile.Position == profile.Counted {
		seq = p.next
	}
	switch {
	case problem != events.NoProblem || seq == 0:
		p.addBad(i, e, problem)
	case e.Session != nil && p.cursor.Session != "" && string(e.Session) != p.cursor.Session:
		p.foreign.set(offence{index: i, detail: fault.DetailForeignSession, received: seq})
	default:
		p.walkGeneration(i, e.Generation, seq)
		p.walkSeq(i, seq)
	}
}

// addBad records a malformed event. One whose session could still be read and
// is foreign counts as foreign first.
func (p *Page) addBad(i int, e *events.Envelope, problem events.Problem) {
	if problem == events.NoProblem && e.Session != nil && p.cursor.Session != "" && string(e.Session) != p.cursor.Session {
		p.foreign.set(offence{index: i, detail: fault.DetailForeignSession})
		return
	}
	p.bad.set(offence{index: i, detail: fault.DetailBadEvent, problem: problem, offset: e.At, expected: p.next})
}

func (p *Page) walkGeneration(i int, token []byte, seq events.Seq) {
	if p.generation.found {
		return
	}
	if p.fence.Check(token, seq) != cursor.Fits {
		p.generation.set(offence{
			index: i, detail: fault.DetailEventGeneration, received: seq, expected: p.next,
			generation: events.Generation(token),
		})
		return
	}
	p.fence.Take(token)
	if token != nil {
		p.last = append(p.last[:0], token...)
	}
}

func (p *Page) walkSeq(i int, seq events.Seq) {
	if p.seq.found {
		return
	}
	if !p.connects(seq) {
		p.seq.set(offence{index: i, detail: p.misplaced(i, seq), expected: p.next, received: seq})
		return
	}
	if i == 0 {
		p.first = seq
	}
	p.next = seq + 1
}

// connects reports whether a seq may come next, by what the profile promises.
func (p *Page) connects(seq events.Seq) bool {
	switch p.profile.Continuity {
	case profile.Contiguous:
		return seq == p.next
	case profile.Opaque:
		return true
	}
	return seq >= p.next
}

// misplaced names a seq that is not the expected one.
func (p *Page) misplaced(i int, seq events.Seq) fault.Detail {
	switch {
	case i == 0 && seq > p.next:
		return fault.DetailPruned
	case i == 0:
		return fault.DetailNotAboveCursor
	case seq > p.next:
		return fault.DetailHole
	case seq == p.next-1:
		return fault.DetailDuplicate
	}
	return fault.DetailDisorder
}

func (o *offence) set(first offence) {
	if !o.found {
		*o = first
		o.found = true
	}
}

// Verdict answers for the whole page.
func (p *Page) Verdict(more bool) Verdict {
	if v := Judge(p.profile, &p.cursor, &p.head); v.Outcome != Replayed && (p.count == 0 || !p.knowsBetter(&v)) {
		return v
	}
	contiguous := p.profile.Continuity == profile.Contiguous
	switch {
	case p.count == 0 && (contiguous || more):
		return p.refuse(fault.ReasonGap, offence{detail: fault.DetailEmpty, index: -1, expected: p.next})
	case p.count == 0:
		v := p.replayed(false)
		v.Outcome, v.From = Complete, 0
		return v
	case p.foreign.found:
		return p.refuse(fault.ReasonGap, p.foreign)
	case p.bad.found:
		return p.refuse(fault.ReasonGap, p.bad)
	case p.generation.found:
		return p.refuse(fault.ReasonGenerationChanged, p.generation)
	case p.seq.found:
		return p.refuse(fault.ReasonGap, p.seq)
	case !more && contiguous && p.next <= p.head.LastSeq:
		return p.refuse(fault.ReasonGap, offence{detail: fault.DetailShort, index: p.count, expected: p.next})
	}
	return p.replayed(more)
}

// knowsBetter: a page with events in it says more precisely what is missing, and
// is owed where a number that equals the head's does not say that nothing is.
func (p *Page) knowsBetter(v *Verdict) bool {
	return v.Refusal.Detail == fault.DetailPruned || v.Outcome == Complete && !p.profile.Continuity.Rises()
}

func (p *Page) refuse(reason fault.Reason, o offence) Verdict {
	var v Verdict
	v.refuse(&p.cursor, &p.head, reason, o.detail)
	e := &v.Refusal.Evidence
	e.Index, e.ExpectedSeq, e.ReceivedSeq = o.index, o.expected, o.received
	e.Problem, e.Offset = o.problem, o.offset
	if o.generation.IsSet() {
		e.ObservedGeneration = o.generation
	}
	return v
}

// replayed: the next cursor stands on the page's last event. An unfenced one
// adopts the head's generation when the page reached the head, or when an event
// carried it; until then it stays unfenced, so that the next page may go on
// across old takeovers.
func (p *Page) replayed(more bool) Verdict {
	next := p.cursor
	next.Seq = p.next - 1
	if !next.Generation.IsSet() && (!more || string(p.last) == string(p.head.Generation)) {
		next.Generation = p.head.Generation
		if !next.Generation.IsSet() {
			next.Generation = events.Generation(p.last)
		}
	}
	return Verdict{Outcome: Replayed, From: p.first, Count: p.count, Next: next, More: more}
}
