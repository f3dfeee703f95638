package park

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// told is how a park stood in an answer of [Inbox.AppendChanges].
type told struct {
	answer, place int // both 0: it was in none
	state, was    RowState
	resolved      bool
}

// run is rows of the last answer that follow one another in the next one as well.
type run struct {
	from, n    int
	anew       bool // they stand otherwise now:
	state, was RowState
}

// AppendChanges writes what [Inbox.AppendJSON] does, with the number of the answer, for
// a host that has the answer numbered after: rows of that one are not written again.
//
//	{"number","rows":[a row | [from,count] | [from,count,state,was?] …],"sessions","wake"?}
//
// A list stands for count rows from place from of the answer that the host has, as they
// were there, or with another state; was then comes with an unknown one and goes with
// any other. After 0, or any number but that of the last answer, all rows are written.
func (b *Inbox) AppendChanges(dst []byte, now int64, after int) []byte {
	if after != b.answer {
		after = 0
	}
	b.answer++
	rows := b.Rows(now)
	w := rawjson.Begin(dst)
	w.Int("number", int64(b.answer))
	w.OpenList("rows")
	var kept run
	for i, r := range rows {
		next := r.kept(after)
		if !kept.takes(&next) {
			kept.write(&w)
			kept = next
		}
		if next.n == 0 {
			r.write(&w)
		}
		r.told = told{b.answer, i, r.State, r.Was, r.Resolved}
	}
	kept.write(&w)
	w.CloseList()
	b.writeRest(&w, rows, now)
	return w.End()
}

// kept is the run of this row alone, of no rows when the host does not have it.
func (r *Row) kept(after int) run {
	t := &r.told
	if after == 0 || t.answer != after || t.resolved != r.Resolved {
		return run{}
	}
	if t.state == r.State && t.was == r.Was {
		return run{from: t.place, n: 1}
	}
	return run{from: t.place, n: 1, anew: true, state: r.State, was: r.Was}
}

// takes makes a run longer, where the next one goes on with it.
func (k *run) takes(next *run) bool {
	if k.n == 0 || next.n == 0 || next.from != k.from+k.n || next.anew != k.anew || next.state != k.state || next.was != k.was {
		return false
	}
	k.n++
	return true
}

func (k *run) write(w *rawjson.Writer) {
	if k.n == 0 {
		return
	}
	w.OpenList("")
	w.Int("", int64(k.from))
	w.Int("", int64(k.n))
	if k.anew {
		w.Text("", k.state.String())
		if k.state == RowUnknown {
			w.Text("", k.was.String())
		}
	}
	w.CloseList()
}
