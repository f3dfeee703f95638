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
		if !w.enter(object, '{') {
			return
		}
		for {
			name, ok := w.member()
			if !ok {
				return
			}
			if value, ok := w.value(); !ok || !yield(name, value) || !w.Byte(',') {
				return
			}
		}
	}
}

// Elements walks the values of an array, each as it stands, without white space
// around it. What [Members] says about text and slices holds here too.
func Elements(array []byte) func(yield func(value []byte) bool) {
	return func(yield func(value []byte) bool) {
		var w Walker
		if !w.enter(array, '[') {
			return
		}
		for {
			if value, ok := w.value(); !ok || !yield(value) || !w.Byte(',') {
				return
			}
		}
	}
}

func (w *Walker) enter(text []byte, bracket byte) bool {
	w.Reset(text, len(text))
	w.Space()
	return w.Byte(bracket)
}

// member passes a name and its colon.
func (w *Walker) member() (name []byte, ok bool) {
	start := w.At
	if !w.String() {
		return nil, false
	}
	token := w.whole[start:w.At:w.At]
	if w.Space(); !w.Byte(':') {
		return nil, false
	}
	if plainEnd(token, 1, 0) == len(token)-1 {
		return token[1 : len(token)-1], true
	}
	return AppendText(nil, token)
}

// value passes a value and the white space behind it.
func (w *Walker) value() (raw []byte, ok bool) {
	start := w.At
	if !w.Skip() {
		return nil, false
	}
	raw = w.whole[start:w.At:w.At]
	w.Space()
	return raw, true
}
