package checkpoint

import (
	"slices"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Member is a member that this version does not know, kept as it stood.
type Member struct {
	Name  string
	Value []byte // JSON
}

// table says how an object is read and written: its rows in the order in which
// they are written, and where unknown members are kept.
type table[T any] struct {
	of    string // name of the object and a dot; "" for the document itself
	rows  []row[T]
	extra func(*T) *[]Member
}

// row is one member.
type row[T any] struct {
	name  string
	words string // what the value should be
	needs bool
	read  func(into *T, raw []byte) bool
	inner func(into *T, raw []byte) *fault.Fault // reads an object with a table of its own; nil for others
	write func(w *rawjson.Writer, from *T)       // writes nothing for what is absent
}

// read reads an object whose text is known to be JSON. A member that may be absent
// may be null as well.
func (t *table[T]) read(text []byte, into *T) *fault.Fault {
	seen := make(map[string]bool, len(t.rows))
	extra := t.extra(into)
	for name, raw := range rawjson.Members(text) {
		if seen[string(name)] {
			return bad(t.of+fault.Clip(name)+" once", "it stands twice")
		}
		seen[string(name)] = true
		r := t.find(name)
		if r == nil {
			*extra = append(*extra, Member{string(name), raw})
			continue
		}
		if f := t.value(r, into, raw); f != nil {
			return f
		}
	}
	return t.missing(seen)
}

func (t *table[T]) find(name []byte) *row[T] {
	i := slices.IndexFunc(t.rows, func(r row[T]) bool { return r.name == string(name) })
	if i < 0 {
		return nil
	}
	return &t.rows[i]
}

func (t *table[T]) value(r *row[T], into *T, raw []byte) *fault.Fault {
	if !r.needs && rawjson.KindOf(raw) == rawjson.Null {
		return nil
	}
	if !r.read(into, raw) {
		return bad(t.of+r.name+" as "+r.words, fault.Clip(raw))
	}
	if r.inner != nil {
		return r.inner(into, raw)
	}
	return nil
}

func (t *table[T]) missing(seen map[string]bool) *fault.Fault {
	for _, r := range t.rows {
		if r.needs && !seen[r.name] {
			return bad(t.of+r.name+" as "+r.words, "no such member")
		}
	}
	return nil
}

func (t *table[T]) append(dst []byte, from *T) []byte {
	w := rawjson.Begin(dst)
	for _, r := range t.rows {
		r.write(&w, from)
	}
	for _, m := range *t.extra(from) {
		w.Raw(m.Name, m.Value)
	}
	return w.End()
}

func bad(expected, found string) *fault.Fault {
	return fault.New(fault.BadDocument, expected, found)
}
