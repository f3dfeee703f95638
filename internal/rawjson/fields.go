package rawjson

// Field is where the value of a wanted member stands, in offsets into the text.
// The zero Field is none, as no member's value stands at 0.
type Field struct {
	From, To int
	Plain    bool // text known to hold no escape: what is between the quotes is it
}

// Fields is what [Walker.Fields] finds.
type Fields struct {
	Field [MaxNames]Field // by the number of the name; of a repeated one the last
	Again int             // where a wanted name stands for a second time, 0 for nowhere
}

// Fields passes an object and adds the wanted members to found, which has to be
// zero before. It allocates nothing unless arrays and objects nest more than 512
// levels deep.
func (w *Walker) Fields(names *Names, found *Fields) bool {
	if !w.Byte('{') {
		return false
	}
	for more := w.Peek() != '}'; more; more = w.Byte(',') {
		w.compactFields(names, found)
		if !w.field(names, found) {
			return false
		}
	}
	if at(w.text, w.At) != '}' {
		return false
	}
	w.At++
	return true
}

// field passes one member of any form, and white space behind it.
func (w *Walker) field(names *Names, found *Fields) bool {
	start := w.At
	if at(w.text, start) != '"' {
		return false
	}
	end, plain := w.textEnd(start + 1)
	if end < 0 {
		return w.moved(end)
	}
	name := names.find(w.text[start:end], plain)
	if end = space(w.text, end); at(w.text, end) != ':' {
		return w.moved(^end)
	}
	f := Field{From: space(w.text, end+1)}
	if f.To, f.Plain = w.valueEnd(f.From); f.To < 0 {
		return w.moved(f.To)
	}
	if name >= 0 {
		found.add(name, start, f)
	}
	w.At = space(w.text, f.To)
	return true
}

func (f *Fields) add(name, start int, value Field) {
	if f.Field[name].To != 0 && f.Again == 0 {
		f.Again = start
	}
	f.Field[name] = value
}
