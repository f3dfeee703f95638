package listing

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// Page is a part of a listing.
type Page struct {
	Entries []Entry
	Next    string // token of the page behind; "" when it is known that no row follows
}

// Rows shows runs to yield, in the order of [Key], from the first one behind a key
// on, until there are no more or yield answers false. It may show runs that are
// out of scope or have no checkpoints; they are passed over.
type Rows func(after Key, yield func(*Run) bool) error

// Select is a page of rows: filter first, then position, then limit. A
// scope with a hole is refused before anything else, then a page token that is
// damaged or of another scope; an error of rows comes back as it is.
//
// It looks one row further than the page, to know whether there is another one.
func Select(scope Scope, o Options, rows Rows) (Page, error) {
	return choose(scope, o, func(after Key, take func(*row) bool) error {
		return rows(after, func(r *Run) bool {
			if len(r.Checkpoints) == 0 || !scope.Holds(r.RunScope) {
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
	var page Page
	if err := rows(after, func(r *row) bool { return page.take(scope, &o, r) }); err != nil {
		return Page{}, err
	}
	return page, nil
}

// take puts a row on the page. False: the page is full and another row follows.
func (p *Page) take(scope Scope, o *Options, r *row) bool {
	if o.filters() && !o.keeps(r.standing) {
		return true
	}
	if len(p.Entries) == o.limit() {
		p.Next = appendToken(scope, p.Entries[len(p.Entries)-1].Key())
		return false
	}
	entry, _ := EntryOf(r.RunScope, r.Checkpoints, r.Parks, o.Now)
	p.Entries = append(p.Entries, entry)
	return true
}

// AppendJSON appends {"entries":[…],"page"?}.
func (p *Page) AppendJSON(dst []byte) []byte {
	w := rawjson.Begin(dst)
	w.OpenList("entries")
	for i := range p.Entries {
		w.Name("")
		w.Append(p.Entries[i].AppendJSON)
	}
	w.CloseList()
	w.Known("page", p.Next)
	return w.End()
}
