package sim

import (
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

// sheet is one event of a page.
type sheet struct {
	kind sheetKind
	rec  *record // nil for what is no record
	text []byte
}

type sheetKind uint8

const (
	proper      sheetKind = iota
	unreadable            // no event
	unstamped             // an event that is not recorded
	strange               // of another session
	strangeBare           // of another session, and not recorded
)

// answer is what a server answers to a page reader.
type answer struct {
	head view // what it says of the log first
	page []sheet
	more bool
}

// due is what a cursor is owed.
type due struct {
	outcome replay.Outcome
	reason  fault.Reason
	detail  fault.Detail
	index   int // of the event to blame; -1: of none
	seq     int // of the next cursor
	gen     string
}

func unavailable(reason fault.Reason, detail fault.Detail, index int) due {
	return due{outcome: replay.Unavailable, reason: reason, detail: detail, index: index}
}

// owed is the resolver once more, written down check by check as
// have them, each over the whole page.
func owed(seq int, gen string, a *answer) due {
	reason, detail := judge(seq, gen, a.head)
	switch {
	case reason == fault.ReasonGenerationChanged, reason == fault.ReasonCursorAhead:
		return unavailable(reason, detail, -1)
	case seq == a.head.last():
		return due{outcome: replay.Complete, index: -1, seq: seq, gen: orElse(gen, a.head.gen)}
	case len(a.page) == 0 && reason != fault.NoReason:
		return unavailable(reason, detail, -1)
	case len(a.page) == 0:
		return unavailable(fault.ReasonGap, fault.DetailEmpty, -1)
	}
	if i := a.find(strange, strangeBare); i >= 0 {
		return unavailable(fault.ReasonGap, fault.DetailForeignSession, i)
	}
	if i := a.find(unreadable, unstamped); i >= 0 {
		return unavailable(fault.ReasonGap, fault.DetailBadEvent, i)
	}
	last, i := a.walk(gen)
	if i >= 0 {
		return unavailable(fault.ReasonGenerationChanged, fault.DetailEventGeneration, i)
	}
	if detail, i := a.misplaced(seq); i >= 0 {
		return unavailable(fault.ReasonGap, detail, i)
	}
	return a.replayed(seq, gen, last)
}

func orElse(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// find is the first event of two kinds, -1 for none.
func (a *answer) find(one, other sheetKind) int {
	for i := range a.page {
		if k := a.page[i].kind; k == one || k == other {
			return i
		}
	}
	return -1
}

// walk answers the newest generation, and the first event whose generation does
// not fit, -1 for none.
func (a *answer) walk(gen string) (newest string, at int) {
	ln := lane{place: place{gen: gen}, headGen: a.head.gen, headLast: a.head.last()}
	for i := range a.page {
		g := a.page[i].rec.gen
		if ln.contradicts(g, a.page[i].rec.seq) {
			return "", i
		}
		if g != "" {
			ln.risen = append(ln.risen, g)
		}
	}
	return ln.newest(), -1
}

// misplaced is the first event that does not stand where it should.
func (a *answer) misplaced(seq int) (fault.Detail, int) {
	for i := range a.page {
		is, want := a.page[i].rec.seq, seq+1+i
		switch {
		case is == want:
		case i == 0 && is > want:
			return fault.DetailPruned, i
		case i == 0:
			return fault.DetailNotAboveCursor, i
		case is > want:
			return fault.DetailHole, i
		case is == want-1:
			return fault.DetailDuplicate, i
		default:
			return fault.DetailDisorder, i
		}
	}
	return fault.NoDetail, -1
}

// replayed.
func (a *answer) replayed(seq int, gen, newest string) due {
	end := seq + len(a.page)
	if end < a.head.last() && !a.more {
		return unavailable(fault.ReasonGap, fault.DetailShort, len(a.page))
	}
	d := due{outcome: replay.Replayed, index: -1, seq: end, gen: gen}
	if gen == "" && (!a.more || newest == a.head.gen) {
		d.gen = orElse(a.head.gen, newest)
	}
	return d
}
