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
	var p pair
	for more := w.Peek() != '}'; more; more = w.Byte(',') {
		w.compactFields(names, found)
		if !w.pair(&p) {
			return false
		}
		if name := names.find(w.text[p.name.From:p.name.To], p.name.Plain); name >= 0 {
			found.add(name, p.name.From, p.value)
		}
	}
	if at(w.text, w.At) != '}' {
		return false
	}
	w.At++
	return true
}

func (f *Fields) add(name, start int, value Field) {
	if f.Field[name].To != 0 && f.Again == 0 {
		f.Again = start
	}
	f.Field[name] = value
}
