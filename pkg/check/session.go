package check

import (
	"slices"

	"github.com/tidemark-stream/tidemark/pkg/events"
)

// session is what is known of one session, or of one connection where numbers
// live no longer than that.
type session struct {
	id         string
	connection int // on which it was last seen
	scope      int // the connection it belongs to, 0 when it outlives them
	walk
	turns    map[string]*turn
	ended    bool  // by tidemark.end
	terminal bool  // by a terminal event of the profile
	at       Place // of the last recorded event

	first, highest events.Seq
	recorded       int64
	unrecorded     int64
	oldest, newest events.Generation // the first and the last of its generations
	wrong          int64             // errors
	breaks         int64             // holes between connections
}

// walk is where the reading of a session stands. A connection that begins again
// further back begins a new walk.
type walk struct {
	anchored bool       // last is a position: the next seq is known
	last     events.Seq // the highest one of the walk
	begun    events.Seq // the first one
	fresh    bool       // nothing recorded came on this connection yet
	asked    bool       // last is what the connection was asked for

	holes     []span     // ranges passed over, in ascending order
	forgotten events.Seq // up to here holes may have been forgotten

	lineage
	run  Finding // repeats that follow each other; no kind when there are none
	ms   int64   // record time of the last one; 0 when unknown
	head head
}

// span is a range of seqs, both ends in it.
type span struct{ from, to events.Seq }

// book is all sessions, found by name, bounded in number.
type book struct {
	byName map[string]*session
	order  []*session // as they were first seen
	last   *session
	most   int
	total  int // how many there ever were
}

func (b *book) init(most int) { b.byName, b.most = map[string]*session{}, most }

// several reports whether an event without a name could be of more than one.
func (b *book) several() bool { return len(b.order) > 1 }

// find answers the session of a name, nil when there are too many. Without a
// name it is the only session, or one without a name until it gets one.
func (b *book) find(name []byte, scope int) *session {
	if s := b.last; s != nil && (name == nil || s.id == string(name)) {
		return s
	}
	s := b.byName[string(name)]
	switch {
	case s != nil:
	case name == nil && len(b.order) == 1:
		s = b.order[0]
	case len(b.order) == 1 && b.order[0].id == "":
		s = b.order[0]
		delete(b.byName, "")
		s.id = string(name)
		b.byName[s.id] = s
	case len(b.order) >= b.most:
		return nil
	default:
		s = b.open(string(name), scope)
	}
	b.last = s
	return s
}

func (b *book) open(name string, scope int) *session {
	s := &session{id: name, scope: scope}
	s.fresh = true
	b.byName[name] = s
	b.order = append(b.order, s)
	b.total++
	return s
}

// clear forgets all sessions.
func (b *book) clear() {
	clear(b.byName)
	b.order, b.last = nil, nil
}

// miss remembers a range that was passed over.
func (w *walk) miss(from, to events.Seq) {
	w.holes = append(w.holes, span{from, to})
	w.trim()
}

// trim forgets the lowest ranges beyond what may be kept.
func (w *walk) trim() {
	if n := len(w.holes) - mostHoles; n > 0 {
		w.forgotten = w.holes[n-1].to
		w.holes = append(w.holes[:0], w.holes[n:]...)
	}
}

// missed reports whether a seq below the last one may be one that was passed
// over, and takes it out of the range it stood in.
func (w *walk) missed(seq events.Seq) bool {
	if seq < w.begun || seq <= w.forgotten {
		return true
	}
	for i := range w.holes {
		h := w.holes[i]
		if seq < h.from || seq > h.to {
			continue
		}
		w.holes = slices.Replace(w.holes, i, i+1, parts(h, seq)...)
		w.trim()
		return true
	}
	return false
}

// parts is what is left of a range without one seq.
func parts(h span, seq events.Seq) (rest []span) {
	if h.from < seq {
		rest = append(rest, span{h.from, seq - 1})
	}
	if seq < h.to {
		rest = append(rest, span{seq + 1, h.to})
	}
	return rest
}
