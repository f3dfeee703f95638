package rawjson

// Check reports whether text is exactly one JSON value with nothing but white
// space around it, in UTF-8, with at most maxDepth levels of arrays and objects
// (0: none, so only a scalar passes).
//
// With a problem, offset is the byte where it shows, and of several problems it
// is the first in reading order; it is len(text) for [Truncated]. With [OK],
// offset is len(text).
func Check(text []byte, maxDepth int) (problem Problem, offset int) {
	var w Walker
	w.Reset(text, maxDepth)
	if w.Space(); !w.Skip() {
		return w.Problem(), w.At
	}
	if w.Space(); w.At < len(text) {
		return w.trailing(), w.At
	}
	return OK, w.At
}

func (w *Walker) trailing() Problem {
	if badUTF8(w.whole[w.At:]) {
		return UTF8
	}
	return Trailing
}
