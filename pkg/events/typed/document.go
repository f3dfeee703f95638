package typed

import (
	"math"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
)

// document is an object as its text and the places of its members in it. The
// zero document is an object that has not been written yet.
type document struct {
	text    []byte
	members []member
}

// member is one member of a document, as offsets: the name with its quotes
// starts at start, the value lies in [value, end).
type member struct {
	name              string // decoded
	start, value, end int
}

func (d document) raw(m member) []byte { return d.text[m.value:m.end:m.end] }

// scan finds the members of a text that is known to be one JSON object. It
// answers nil for any other text.
func scan(text []byte) *document {
	d := &document{text: text}
	var w rawjson.Walker
	w.Reset(text, math.MaxInt)
	if w.Space(); !w.Byte('{') {
		return nil
	}
	for w.Peek() == '"' {
		m, ok := next(&w, text)
		if !ok {
			return nil
		}
		d.members = append(d.members, m)
		if !w.Byte(',') {
			break
		}
	}
	return d
}

func next(w *rawjson.Walker, text []byte) (m member, ok bool) {
	m.start = w.At
	if !w.String() {
		return m, false
	}
	if m.name, ok = rawjson.Text(text[m.start:w.At]); !ok {
		return m, false
	}
	w.Space()
	if !w.Byte(':') {
		return m, false
	}
	m.value = w.At
	ok = w.Skip()
	m.end = w.At
	w.Space()
	return m, ok
}

// last is the place of the last member with a name, -1 when there is none: of
// repeated members the last one counts.
func (d document) last(name string) int {
	for i := len(d.members) - 1; i >= 0; i-- {
		if d.members[i].name == name {
			return i
		}
	}
	return -1
}

// load reads all slots from the text. Every occurrence of a member has to be
// right, and the last one stays.
func (d document) load(slots []slot) *mismatch {
	for _, s := range slots {
		found := false
		for _, m := range d.members {
			if m.name != s.name {
				continue
			}
			found = true
			if bad := s.load(d.raw(m)); bad != nil {
				return bad.within(s.name, m.value)
			}
		}
		if !found && s.required {
			return (&mismatch{want: s.want, found: nothing}).within(s.name, 0)
		}
	}
	return nil
}

// write is the text with what the slots hold now. What did not change keeps
// its bytes.
func (d document) write(slots []slot) ([]byte, *mismatch) {
	w := writer{from: d, text: make([]byte, 0, len(d.text)+64)}
	byName := make(map[string]*slot, len(slots))
	for i := range slots {
		byName[slots[i].name] = &slots[i]
	}
	for i := range d.members {
		if bad := w.keep(i, byName[d.members[i].name]); bad != nil {
			return nil, bad
		}
	}
	for i := range slots {
		if bad := w.add(&slots[i]); bad != nil {
			return nil, bad
		}
	}
	return w.finish(), nil
}

// writer puts a document together again.
type writer struct {
	from document
	text []byte
	any  bool // a member was written
}

// keep writes member i: as it stands, with a new value, or not at all. Of a
// repeated member the last one decides, and is the one that changes.
func (w *writer) keep(i int, s *slot) *mismatch {
	m := w.from.members[i]
	raw := w.from.raw(m)
	if s != nil {
		last := w.from.last(m.name)
		value, ok, bad := s.value(w.from.raw(w.from.members[last]))
		if !ok {
			return bad
		}
		if i == last {
			raw = value
		}
	}
	w.between(i)
	w.text = append(w.text, w.from.text[m.start:m.value]...)
	w.text = append(w.text, raw...)
	return nil
}

// between writes what stands in front of member i.
func (w *writer) between(i int) {
	if w.any {
		w.text = append(w.text, w.from.separator(i)...)
	}
	w.begin()
}

// add writes a member that the text does not have.
func (w *writer) add(s *slot) *mismatch {
	if w.from.last(s.name) >= 0 {
		return nil
	}
	value, ok, bad := s.value(nil)
	if !ok {
		return bad
	}
	w.append(s.name, value)
	return nil
}

// append writes a new member at the end.
func (w *writer) append(name string, value []byte) {
	if w.any {
		w.text = append(w.text, ',')
	}
	w.begin()
	w.text = append(rawjson.AppendQuoted(w.text, name), ':')
	w.text = append(w.text, value...)
}

// begin writes what stands before the first member, once.
func (w *writer) begin() {
	if !w.any {
		w.text = append(w.text, w.from.opening()...)
	}
	w.any = true
}

func (w *writer) finish() []byte {
	w.begin()
	return append(w.text, w.from.closing()...)
}

// opening is everything before the first member.
func (d document) opening() []byte {
	switch {
	case d.text == nil:
		return []byte{'{'}
	case len(d.members) == 0:
		return d.text[:d.closeAt()]
	}
	return d.text[:d.members[0].start]
}

// separator is what stands before member i, from the end of the one before it.
// A member is never the first of the text and behind another one.
func (d document) separator(i int) []byte {
	return d.text[d.members[i-1].end:d.members[i].start]
}

// closing is everything behind the last member.
func (d document) closing() []byte {
	switch {
	case d.text == nil:
		return []byte{'}'}
	case len(d.members) == 0:
		return d.text[d.closeAt():]
	}
	return d.text[d.members[len(d.members)-1].end:]
}

// closeAt is the place of the bracket that ends an empty object.
func (d document) closeAt() int {
	i := len(d.text) - 1
	for d.text[i] != '}' {
		i--
	}
	return i
}
