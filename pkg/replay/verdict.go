// Package replay says what a cursor is owed: one of three answers, as a value.
//
// [Judge] compares a cursor with a head. [Resolve] goes on to check the whole
// page that the store answered, and never answers partly: either every event is
// owed, or nothing is handed over and a [Refusal] says why, with evidence.
// [Page] is the same check fed one event at a time.
//
// All three go by the profile of the stream. A contiguous page has every number up
// to the head. A monotonic one rises: numbers may be missing, at its front and its
// end as well. Opaque numbers, and those of a receiver that counts, are not compared
// at all. An empty page ends the replay of any but a contiguous stream. Generations,
// sessions and events that are none are judged alike everywhere. Where the position
// stands in SSE ids, which a page has not, whoever shows an event fills in its Seq.
//
// The package is pure, keeps no bytes it is shown, and is not safe for
// concurrent use.
package replay

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// Outcome is one of the three answers. The list is closed.
type Outcome uint8

// Answers.
const (
	NoOutcome   Outcome = iota
	Complete            // the consumer is at the head
	Replayed            // every event above the cursor is owed, in order
	Unavailable         // the log does not continue this cursor
)

var outcomeNames = [...]string{"", "complete", "replayed", "unavailable"}

// String is the name on the wire.
func (o Outcome) String() string {
	if int(o) < len(outcomeNames) {
		return outcomeNames[o]
	}
	return ""
}

// Head is what the server says of a log before it answers.
type Head struct {
	_          [0]func()         // not comparable, which saves a module the code of it
	LastSeq    events.Seq        // 0: the log is empty
	Generation events.Generation // "": it is written without a lease
	OldestSeq  events.Seq        // lowest seq still held; LastSeq+1 when none is; 0: not said
}

// Evidence is what a refusal rests on. Zero members are not known or do not
// apply; Index is -1 when no event is to blame. It never holds payload.
type Evidence struct {
	_                  [0]func() // not comparable, which saves a module the code of it
	ExpectedSeq        events.Seq
	ReceivedSeq        events.Seq
	SavedSeq           events.Seq // of the cursor
	SavedGeneration    events.Generation
	ObservedGeneration events.Generation
	HasHead            bool // LastSeq says something, even when it is 0
	LastSeq            events.Seq
	OldestSeq          events.Seq
	Index              int
	Status             int // HTTP status, when that is the evidence
	Problem            events.Problem
	Offset             int // the byte that a Problem of the event's text was found at
}

// Refusal is an unavailable answer: why, and on what evidence.
type Refusal struct {
	Session  string
	Reason   fault.Reason
	Detail   fault.Detail
	Evidence Evidence
}

// ID is the catalog rule that explains the refusal.
func (r *Refusal) ID() fault.ID { return fault.RefusalID(r.Reason, r.Detail) }

// Verdict is an answer.
type Verdict struct {
	Outcome Outcome
	Refusal Refusal       // when Unavailable
	From    events.Seq    // first seq owed, when Replayed: that of the page, or the lowest there may be from Judge
	Count   int           // events of the page; 0 from Judge
	Next    cursor.Cursor // where the consumer is after this answer, when not Unavailable
	More    bool          // the page said that more follows from Next
}

// Judge compares a cursor with a head, in the order of the contract: generation
// first, because numbers of different generations cannot be compared, then the
// cursor against the head, then what the log still holds.
//
// Replayed says that what is between cursor and head is owed; whether the answer
// connects is for [Page] or the live tracker to see. How far numbers are compared
// is up to the profile: only where the next one is the last one plus 1 is anything
// missing at the front, and only where they rise is a cursor beyond a head.
func Judge(p *profile.Profile, c *cursor.Cursor, h *Head) (v Verdict) {
	fenced := c.Generation.IsSet()
	switch {
	case fenced && h.Generation.IsSet() && c.Generation != h.Generation:
		v.refuse(c, h, fault.ReasonGenerationChanged, fault.NoDetail)
		return v
	case c.Seq > h.LastSeq && p.Continuity.Rises():
		v.refuse(c, h, fault.ReasonCursorAhead, fault.NoDetail)
		return v
	case c.Seq < h.LastSeq && h.OldestSeq > c.Seq+1 && p.Continuity == profile.Contiguous:
		v.refuse(c, h, fault.ReasonGap, fault.DetailPruned)
		v.Refusal.Evidence.ExpectedSeq = c.Seq + 1
		return v
	}
	v.Next = *c
	if c.Seq != h.LastSeq {
		v.Outcome, v.From = Replayed, c.Seq+1
		return v
	}
	v.Outcome = Complete
	if !fenced { // at the head, it adopts the head's generation together with its seq
		v.Next.Generation = h.Generation
	}
	return v
}

func (v *Verdict) refuse(c *cursor.Cursor, h *Head, reason fault.Reason, detail fault.Detail) {
	v.Outcome = Unavailable
	r := &v.Refusal
	r.Reason, r.Detail = reason, detail
	r.Stand(c)
	r.Evidence.Head(h)
	if c.Generation.IsSet() && c.Generation != h.Generation {
		r.Evidence.ObservedGeneration = h.Generation
	}
}

// Stand notes the cursor that is refused. No event is to blame until one is named.
func (r *Refusal) Stand(c *cursor.Cursor) {
	r.Session = c.Session
	e := &r.Evidence
	e.SavedSeq, e.SavedGeneration, e.Index = c.Seq, c.Generation, -1
}

// Head notes the head that the cursor was compared with.
func (e *Evidence) Head(h *Head) {
	e.HasHead, e.LastSeq, e.OldestSeq = true, h.LastSeq, h.OldestSeq
}
