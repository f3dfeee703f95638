package park

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// RowState is how an inbox shows a park.
type RowState uint8

// States of a row.
const (
	RowPending  RowState = iota // it waits for an answer
	RowAnswered                 // it has one
	RowExpired                  // its deadline is past, or an expiry is recorded
	RowUnknown                  // it cannot be told
)

var rowNames = [...]string{"pending", "answered", "expired", "unknown"}

// String is the word of the wire.
func (s RowState) String() string {
	if int(s) < len(rowNames) {
		return rowNames[s]
	}
	return rowNames[RowUnknown]
}

// Row is a park as an inbox shows it at a time. The park is the inbox's: read it, and
// not after the next call that changes the inbox.
type Row struct {
	_       [0]func() // not comparable, which saves a module the code of it
	Session string
	*Park
	State RowState
	Was   RowState // with RowUnknown: as it was when it was last known or read
	order int64    // ascending within a session whatever the records' times are
	index int
}

// Standing is what an inbox knows of a session as a whole.
type Standing struct {
	_       [0]func() // not comparable, which saves a module the code of it
	Session string
	Why     Why // Known: its rows are as they are shown
	Pending int // rows that are pending; 0 says nothing unless Why is Known
}

// Rows are the rows of all sessions at a time, in milliseconds since 1970. Those of a
// session are in the order of its requests, the newest last; between sessions the
// time of the request decides, then the name of the session.
func (b *Inbox) Rows(now int64) []*Row {
	rows := new([]*Row)
	for _, s := range b.sessions {
		s.fold.trim()
		s.rows(rows, &s.before, now)
		s.rows(rows, &s.fold, now)
	}
	sortRows(*rows)
	return *rows
}

// rows adds those of a fold of the session.
//
//go:noinline
func (s *inboxed) rows(rows *[]*Row, from *Fold, now int64) {
	latest := int64(-1 << 63)
	for _, p := range from.Parks() {
		latest = max(latest, p.ParkedAt)
		was := p.row(now)
		*rows = append(*rows, &Row{Session: s.name, Park: p, State: s.shown(was), Was: was, order: latest, index: len(*rows)})
	}
}

// sortRows is Shell's sort: short, in place, and the order is a total one.
func sortRows(rows []*Row) {
	for gap := len(rows) / 2; gap > 0; gap = gap * 5 / 11 {
		for i := gap; i < len(rows); i++ {
			r, at := rows[i], i
			for ; at >= gap && r.before(rows[at-gap]); at -= gap {
				rows[at] = rows[at-gap]
			}
			rows[at] = r
		}
		if gap == 2 {
			gap = 3 // to be followed by 1
		}
	}
}

//go:noinline
func (r *Row) before(other *Row) bool {
	if r.order != other.order {
		return r.order < other.order
	}
	if r.Session != other.Session {
		return r.Session < other.Session
	}
	return r.index < other.index
}

func (s *inboxed) shown(state RowState) RowState {
	if s.why != Known {
		return RowUnknown
	}
	return state
}

//go:noinline
func (p *Park) row(now int64) RowState {
	switch {
	case p.Resolved && !p.Expired:
		return RowAnswered
	case p.State(now) == Outstanding:
		return RowPending
	}
	return RowExpired
}

// Standings are the sessions in the order in which the inbox heard of them.
func (b *Inbox) Standings(now int64) []Standing {
	all := make([]Standing, len(b.sessions))
	for i, s := range b.sessions {
		all[i] = Standing{Session: s.name, Why: s.why, Pending: s.pending(now)}
	}
	return all
}

func (s *inboxed) pending(now int64) (n int) {
	for _, p := range s.fold.Parks() {
		if s.shown(p.row(now)) == RowPending {
			n++
		}
	}
	return n
}

// Wake is when the rows next change by time alone: the earliest deadline ahead.
func (b *Inbox) Wake(now int64) (at int64, ok bool) { return wake(b.Rows(now)) }

func wake(rows []*Row) (at int64, ok bool) {
	for _, r := range rows {
		if r.Was == RowPending && r.HasDeadline && (!ok || r.DeadlineAt < at) {
			at, ok = r.DeadlineAt, true
		}
	}
	return at, ok
}

// AppendJSON writes everything that there is to show at a time:
// `{"rows":[…],"sessions":[…],"wake"?}`. A row is session, state, was? with an unknown
// state, requestType, and the facts of the park, as [Park.AppendJSON] names them.
func (b *Inbox) AppendJSON(dst []byte, now int64) []byte {
	rows := b.Rows(now)
	w := rawjson.Begin(dst)
	w.OpenList("rows")
	for _, r := range rows {
		r.write(&w)
	}
	w.CloseList()
	b.writeRest(&w, rows, now)
	return w.End()
}

// writeRest writes what stands behind the rows.
func (b *Inbox) writeRest(w *rawjson.Writer, rows []*Row, now int64) {
	w.OpenList("sessions")
	for _, s := range b.sessions {
		w.Open("")
		s.write(w, now)
		w.Close()
	}
	w.CloseList()
	if at, ok := wake(rows); ok {
		w.Int("wake", at)
	}
}

// write writes the row as an object of a list.
func (r *Row) write(w *rawjson.Writer) {
	w.Open("")
	w.Text("session", r.Session)
	w.Text("state", r.State.String())
	if r.State == RowUnknown {
		w.Text("was", r.Was.String())
	}
	w.Text("requestType", r.RequestType())
	r.Park.write(w)
	w.Close()
}

func (s *inboxed) write(w *rawjson.Writer, now int64) {
	w.Text("session", s.name)
	w.Bool("known", s.why == Known)
	if s.why != Known {
		w.Text("why", s.why.String())
	}
	w.Int("pending", int64(s.pending(now)))
}
