package sim

import "strconv"

// record is one recorded event. All records of a log, lost ones included, form
// a tree: what stands before a record is the one incarnation that it belongs to.
type record struct {
	prev     *record // nil: it is the first
	seq      int
	gen      string // as it stands in the text; "" when none does
	text     []byte
	terminal bool
	poison   poison
}

// poison is what happens to a record whenever it is sent, while faults last.
type poison uint8

const (
	sound  poison = iota
	lost          // it is left out
	broken        // its text is no event
)

func seqOf(r *record) int {
	if r == nil {
		return 0
	}
	return r.seq
}

// back is the record at seq in the log that ends with r; nil at 0.
func (r *record) back(seq int) *record {
	for r != nil && r.seq > seq {
		r = r.prev
	}
	return r
}

// named is the newest generation that the log up to r names.
func (r *record) named() string {
	for r != nil && r.gen == "" {
		r = r.prev
	}
	if r == nil {
		return ""
	}
	return r.gen
}

// holds reports whether r stands in the log that ends with tail.
func holds(tail, r *record) bool { return r == nil || tail.back(r.seq) == r }

// above answers the records above seq of the log that ends with tail, in order.
func above(tail *record, seq int) []*record {
	n := seqOf(tail) - seq
	if n <= 0 {
		return nil
	}
	all := make([]*record, n)
	for r := tail; n > 0; r = r.prev {
		n--
		all[n] = r
	}
	return all
}

// view is a log as one reader finds it.
type view struct {
	tail   *record
	gen    string // "" when nobody holds a lease
	oldest int    // lowest seq that is still held; last+1 when none is
}

func (v view) last() int { return seqOf(v.tail) }

// sessionLog is the log of one session, with what it was before.
type sessionLog struct {
	view
	id     string
	fences bool // its writer takes leases
	stale  bool // the writer has to take a new lease before it appends
	ended  bool
	past   []view
}

// keepViews is how many earlier views a log remembers.
const keepViews = 12

// remember keeps the view of this moment for stale servers and snapshots.
func (l *sessionLog) remember(d *dice) {
	if len(l.past) < keepViews {
		l.past = append(l.past, l.view)
		return
	}
	l.past[d.below(keepViews)] = l.view
}

// lose takes n records from the end. A fenced log is written on under a new
// lease only: its old one promised what is gone.
func (l *sessionLog) lose(n int) {
	l.tail = l.tail.back(max(l.last()-n, l.oldest-1))
	l.stale = l.stale || l.fences
}

// prune drops n records from the front.
func (l *sessionLog) prune(n int) { l.oldest = min(l.oldest+n, l.last()+1) }

// acquire takes a lease above every earlier one, or, where generations are
// names, under another name.
func (w *world) acquire(l *sessionLog) {
	w.leases++
	l.gen, l.stale = strconv.Itoa(w.leases), false
	if w.climate.names {
		l.gen = "w" + l.gen
	}
}

// append records one more event.
func (w *world) append(l *sessionLog) *record {
	if l.stale {
		w.acquire(l)
	}
	l.tail = w.record(l, l.tail, l.gen)
	return l.tail
}

// record makes the event that follows prev.
func (w *world) record(l *sessionLog, prev *record, gen string) *record {
	r := &record{prev: prev, seq: seqOf(prev) + 1, gen: gen}
	if gen != "" && w.climate.shy && w.dice.one(3) {
		r.gen = ""
	}
	typeName := "message_completed"
	if w.climate.terminal && w.dice.one(12) {
		typeName, r.terminal = terminalType, true
	}
	r.text = w.eventText(l.id, typeName, r.seq, r.gen)
	w.spoil(r)
	return r
}

// spoil poisons a record now and then.
func (w *world) spoil(r *record) {
	if w.faulty(poisons) && w.dice.one(8) {
		r.poison = lost + poison(w.dice.below(2))
	}
}
