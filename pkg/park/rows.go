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
	Session string
	*Park
	State RowState
	Was   RowState // with RowUnknown: as it was when it was last known or read
	order int64    // ascending within a session whatever the records' times are
}

// Standing is what an inbox knows of a session as a whole.
type Standing struct {
	Session string
	Why     Why // Known: its rows are as they are shown
	Pending int // rows that are pending; 0 says nothing unless Why is Known
}

// Rows are the rows of all sessions at a time, in milliseconds since 1970. Those of a
// session are in the order of its requests, the newest last; between sessions the
// time of the request decides, then the name of the session.
func (b *Inbox) Rows(now int64) []Row {
	rows := make([][]Row, 0, 2*len(b.sessions))
	for _, s := range b.sessions {
		s.fold.trim()
		rows = append(rows, s.rows(s.before.Parks(), now, &s.fold), s.rows(s.fold.Parks(), now, nil))
	}
	return merged(rows)
}

// rows shows parks, without those that other has.
func (s *inboxed) rows(parks []*Park, now int64, other *Fold) []Row {
	rows := make([]Row, 0, len(parks))
	latest := int64(-1 << 63)
	for _, p := range parks {
		if other != nil && other.Find(p.DecisionID) != nil {
			continue
		}
		latest = max(latest, p.ParkedAt)
		rows = append(rows, Row{Session: s.name, Park: p, State: s.shown(p.row(now)), Was: p.row(now), order: latest})
	}
	return rows
}

func (s *inboxed) shown(state RowState) RowState {
	if s.why != Known {
		return RowUnknown
	}
	return state
}

func (p *Park) row(now int64) RowState {
	switch {
	case p.Resolved && !p.Expired:
		return RowAnswered
	case p.State(now) == Outstanding:
		return RowPending
	}
	return RowExpired
}

// merged makes one list of those of sessions, each of which is in order.
func merged(lists [][]Row) []Row {
	switch n := len(lists); n {
	case 0:
		return nil
	case 1:
		return lists[0]
	default:
		return merge(merged(lists[:n/2]), merged(lists[n/2:]))
	}
}

func merge(a, b []Row) []Row {
	all := make([]Row, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if b[0].before(&a[0]) {
			all, b = append(all, b[0]), b[1:]
		} else {
			all, a = append(all, a[0]), a[1:]
		}
	}
	return append(append(all, a...), b...)
}

func (r *Row) before(other *Row) bool {
	if r.order != other.order {
		return r.order < other.order
	}
	return r.Session < other.Session
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
func (b *Inbox) Wake(now int64) (at int64, ok bool) {
	for _, s := range b.sessions {
		for _, f := range [...]*Fold{&s.fold, &s.before} {
			for _, p := range f.Parks() {
				if p.HasDeadline && p.row(now) == RowPending && (!ok || p.DeadlineAt < at) {
					at, ok = p.DeadlineAt, true
				}
			}
		}
	}
	return at, ok
}

// AppendJSON writes everything that there is to show at a time:
// `{"rows":[…],"sessions":[…],"wake"?}`.
func (b *Inbox) AppendJSON(dst []byte, now int64) []byte {
	w := rawjson.Begin(dst)
	w.OpenList("rows")
	for _, r := range b.Rows(now) {
		w.Open("")
		r.write(&w)
		w.Close()
	}
	w.CloseList()
	w.OpenList("sessions")
	for _, s := range b.Standings(now) {
		w.Open("")
		s.write(&w)
		w.Close()
	}
	w.CloseList()
	if at, ok := b.Wake(now); ok {
		w.Int("wake", at)
	}
	return w.End()
}

func (r *Row) write(w *rawjson.Writer) {
	w.Text("session", r.Session)
	w.Text("decisionId", r.DecisionID)
	w.Text("turnId", r.TurnID)
	w.Text("checkpointId", r.CheckpointID)
	w.Int("seq", int64(r.Seq))
	w.Known("generation", string(r.Generation))
	w.Text("state", r.State.String())
	if r.State == RowUnknown {
		w.Text("was", r.Was.String())
	}
	w.Raw("request", r.Request)
	w.Text("requestType", r.RequestType())
	r.writeTimes(w)
	r.writeAnswer(w)
}

func (s *Standing) write(w *rawjson.Writer) {
	w.Text("session", s.Session)
	w.Bool("known", s.Why == Known)
	if s.Why != Known {
		w.Text("why", s.Why.String())
	}
	w.Int("pending", int64(s.Pending))
}
