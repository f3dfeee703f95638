package listing

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// Page is a part of a listing.
type Page struct {
	Entries []Entry

	// Unreadable are the checkpoints that cannot be read, of all runs that were
	// looked at up to the end of the page, also of those that have no row on it: no
	// filter can judge them. A walk shows each once, in the order of the runs.
	Unreadable []Unreadable

	Next string // token of the page behind; "" when it is known that no row follows
}

// Rows shows runs to yield, in the order of [Key], from the first one behind a key
// on, until there are no more or yield answers false. It may show runs that are
// out of scope or have no checkpoints; they get no row.
type Rows func(after Key, yield func(*Run) bool) error

// Select is a page of rows: filter first, then position, then limit. A
// scope with a hole is refused before anything else, then a page token that is
// damaged or of another scope; an error of rows comes back as it is.
//
// It looks one row further than the page, to know whether there is another one.
func Select(scope Scope, o Options, rows Rows) (Page, error) {
	return choose(scope, o, func(after Key, take func(*row) bool) error {
		return rows(after, func(r *Run) bool {
			if !scope.Holds(r.RunScope) {
				return true
			}
			return take(&row{*r, standingOf(r.Parks)})
		})
	})
}

// choose is [Select] for rows that are within the scope.
func choose(scope Scope, o Options, rows func(after Key, take func(*row) bool) error) (Page, error) {
	if err := Check(scope); err != nil {
		return Page{}, err
	}
	after, err := readToken(o.Page, scope)
	if err != nil {
		return Page{}, err
	}
	b := builder{scope: scope, o: &o}
	if err := rows(after, b.take); err != nil {
		return Page{}, err
	}
	b.keepBroken()
	return b.Page, nil
}

// builder is a page in the making.
type builder struct {
	Page
	scope  Scope
	o      *Options
	broken []Unreadable // of the runs behind the last row of the page
}

// take puts a row on the page. False: the page is full and another row follows.
func (b *builder) take(r *row) bool {
	ok := len(r.Checkpoints) > 0 && (!b.o.filters() || b.o.keeps(r.standing))
	if ok && len(b.Entries) == b.o.limit() {
		b.Next = appendToken(b.scope, b.Entries[len(b.Entries)-1].Key())
		b.broken = nil // the next page begins before them
		return false
	}
	b.broken = append(b.broken, r.Unreadable...)
	if ok {
		entry, _ := EntryOf(r.RunScope, r.Checkpoints, r.Parks, b.o.Now)
		b.Entries = append(b.Entries, entry)
		b.keepBroken()
	}
	return true
}

func (b *builder) keepBroken() {
	b.Unreadable = append(b.Unreadable, b.broken...)
	b.broken = nil
}

// AppendJSON appends {"entries":[…],"unreadable"?:[…],"page"?}.
func (p *Page) AppendJSON(dst []byte) []byte {
	w := rawjson.Begin(dst)
	w.OpenList("entries")
	for i := range p.Entries {
		w.Name("")
		w.Append(p.Entries[i].AppendJSON)
	}
	w.CloseList()
	if len(p.Unreadable) > 0 {
		w.OpenList("unreadable")
		for i := range p.Unreadable {
			w.Name("")
			w.Append(p.Unreadable[i].AppendJSON)
		}
		w.CloseList()
	}
	w.Known("page", p.Next)
	return w.End()
}
