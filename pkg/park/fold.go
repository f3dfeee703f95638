package park

import "github.com/tidemark-stream/tidemark/pkg/events"

// Effect is what a record meant to a fold.
type Effect uint8

// Effects.
const (
	None     Effect = iota // a record of another type, or nothing that has a type
	Damaged                // of these types, but passed over
	Ignored                // a settlement without an open park, or a request of another turn
	Opened                 // there is a new newest park
	Answered               // a park was settled by an answer
	TimedOut               // a park was settled by an expiry
)

// Fold reads the records of one log, in order, into the parks of that log. The zero
// Fold is ready and takes all turns. It needs memory for the parks and nothing else,
// however long the log is; a record of another type costs reading up to its type,
// and no allocation.
type Fold struct {
	turn    string
	keep    int // settled parks to keep, 0 for all
	settled int // how many there are
	list    []*Park
	gone    int // places of the list that are nil
	known   map[string]*Park
}

// Reset empties the fold. With a turn that is not "", requests of other turns are
// left out; what settles a park is taken whatever turn it names.
//
//go:noinline
func (f *Fold) Reset(turn string) { *f = Fold{turn: turn, keep: f.keep} }

// Keep bounds how many settled parks outlive others: the oldest are forgotten, which
// changes no later outcome, since a second settlement counts no more than that of an
// unknown question. 0, as without this call, keeps all.
func (f *Fold) Keep(settled int) { f.keep = max(settled, 0) }

// Add takes the next record: a line of a log or the text of a live event. The place
// of a request is what the record says of itself.
func (f *Fold) Add(text []byte) Effect {
	k := kindOf(text)
	if k == noKind {
		return None
	}
	var r record
	if !r.read(text) || !r.place() {
		return Damaged
	}
	return f.apply(k, &r)
}

// AddAt is [Fold.Add] for a record whose place somebody else has verified; what it
// says of its own place is not looked at. It reads all of the record whatever its
// type is, so leave out those of other types where that counts.
func (f *Fold) AddAt(text []byte, seq events.Seq, generation events.Generation) Effect {
	r := record{seq: seq, generation: generation}
	fine := r.read(text)
	k := kindNamed(r.kind)
	switch {
	case k == noKind:
		return None
	case !fine:
		return Damaged
	}
	return f.apply(k, &r)
}

func (f *Fold) apply(k kind, r *record) Effect {
	switch k {
	case requested:
		return f.request(r)
	case resolved:
		return f.settle(r, Answered, clone(r.verdict))
	}
	return f.settle(r, TimedOut, []byte(Pause))
}

// Pause is the decision that an expiry stands for: nobody refused.
const Pause = `{"action":"pause","reason":"No answer arrived before the deadline of the request."}`

func (f *Fold) request(r *record) Effect {
	if !has(r.request) {
		return Damaged
	}
	if f.turn != "" && f.turn != r.turn {
		return Ignored
	}
	p := &Park{
		DecisionID: r.decision, TurnID: r.turn, CheckpointID: r.checkpoint,
		Seq: r.seq, Generation: r.generation, ParkedAt: r.at, Request: clone(r.request),
	}
	p.DeadlineAt, p.HasDeadline = timeOf(r.deadlineAt)
	f.put(p)
	return Opened
}

// put makes a park the newest. One of the same id goes.
//
//go:noinline
func (f *Fold) put(p *Park) {
	if f.known == nil {
		f.known = make(map[string]*Park)
	}
	if old := f.known[p.DecisionID]; old != nil {
		f.drop(old)
	}
	f.known[p.DecisionID] = p
	p.place = len(f.list)
	f.list = append(f.list, p)
	if p.Resolved {
		f.settled++
	}
}

// forget takes out the park of an id, if there is one.
//
//go:noinline
func (f *Fold) forget(decisionID string) {
	if p := f.known[decisionID]; p != nil {
		delete(f.known, decisionID)
		f.drop(p)
	}
}

// drop takes a park out of the list, and closes the gaps once they are half of it.
func (f *Fold) drop(p *Park) {
	f.list[p.place] = nil
	if p.Resolved {
		f.settled--
	}
	if f.gone++; f.gone > len(f.list)/2 {
		f.close()
	}
}

//go:noinline
func (f *Fold) close() {
	n := 0
	for _, p := range f.list {
		if p != nil {
			f.list[n], p.place = p, n
			n++
		}
	}
	clear(f.list[n:])
	f.list, f.gone = f.list[:n], 0
}

func (f *Fold) settle(r *record, how Effect, decision []byte) Effect {
	p := f.known[r.decision]
	if p == nil || p.Resolved {
		return Ignored
	}
	p.Resolved, p.Expired, p.ResolvedAt, p.ResolvedSeq = true, how == TimedOut, r.at, r.seq
	p.Decision, p.ResolvedBy = decision, clone(r.by)
	if f.settled++; f.keep > 0 && f.settled >= 2*f.keep {
		f.trim()
	}
	return how
}

// clone copies a value, unless there is none.
//
//go:noinline
func clone(raw []byte) []byte {
	if !has(raw) {
		return nil
	}
	copied := make([]byte, len(raw))
	copy(copied, raw)
	return copied
}

// trim forgets the oldest settled parks beyond those to keep.
//
//go:noinline
func (f *Fold) trim() {
	excess := f.settled - f.keep
	if f.keep == 0 || excess <= 0 {
		return
	}
	all := f.list
	f.Reset(f.turn)
	for _, p := range all {
		if p != nil && p.Resolved && excess > 0 {
			excess--
		} else if p != nil {
			f.put(p)
		}
	}
}
