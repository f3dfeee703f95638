package rawjson

// Members walks the members of an object in the order of the text: the name,
// decoded, and the value as it stands, without white space around it. Both are
// slices of object; only a name that holds an escape is decoded into a new one.
// Repeated names come as often as they stand there.
//
// The text is meant to have passed [Check]. On any other text the walk ends
// before the first member that is not right.
func Members(object []byte) func(yield func(name, value []byte) bool) {
	return func(yield func(name, value []byte) bool) {
		var w Walker
		var p pair
		for more := w.enter(object, '{'); more && w.pair(&p); more = w.Byte(',') {
			if !yield(w.nameOf(&p), w.valueOf(&p)) {
				return
			}
		}
	}
}

// Value is the value of the first member of an object with a name, nil when there is
// none. What [Members] says about text and slices holds here too.
func Value(object []byte, name string) []byte {
	for n, value := range Members(object) {
		if string(n) == name {
			return value
		}
	}
	return nil
}

// Elements walks the values of an array, each as it stands, without white space
// around it. What [Members] says about text and slices holds here too.
func Elements(array []byte) func(yield func(value []byte) bool) {
	return func(yield func(value []byte) bool) { each(array, yield) }
}

// each shows the elements until f answers false, which it answers then.
func each(array []byte, f func(element []byte) bool) bool {
	var w Walker
	for more := w.enter(array, '['); more; more = w.Byte(',') {
		start := w.At
		if !w.Skip() {
			break
		}
		element := w.whole[start:w.At:w.At]
		if w.Space(); !f(element) {
			return false
		}
	}
	return true
}

func (w *Walker) enter(text []byte, bracket byte) bool {
	w.Reset(text, len(text))
	w.Space()
	return w.Byte(bracket)
}

// pair is one member: where its name stands, quotes included, and its value.
type pair struct{ name, value Field }

// pair passes one member, and white space behind it.
func (w *Walker) pair(p *pair) bool {
	p.name.From = w.At
	if at(w.text, w.At) != '"' {
		return false
	}
	end, plain := w.textEnd(w.At + 1)
	if end < 0 {
		return w.moved(end)
	}
	p.name.To, p.name.Plain = end, plain
	if end = space(w.text, end); at(w.text, end) != ':' {
		return w.moved(^end)
	}
	p.value.From = space(w.text, end+1)
	if end, plain = w.valueEnd(p.value.From); end < 0 {
		return w.moved(end)
	}
	p.value.To, p.value.Plain = end, plain
	w.At = space(w.text, end)
	return true
}

// nameOf is the name of a member, decoded.
func (w *Walker) nameOf(p *pair) []byte {
	token := w.whole[p.name.From:p.name.To:p.name.To]
	if p.name.Plain {
		return token[1 : len(token)-1]
	}
	name, _ := AppendText(nil, token)
	return name
}

func (w *Walker) valueOf(p *pair) []byte { return w.whole[p.value.From:p.value.To:p.value.To] }
