package rawjson

import "unicode/utf8"

// Walker is a place in a text and the way onwards, token by token. It checks
// what it passes as strictly as [Check] does. Use [Walker.Reset] first.
type Walker struct {
	// At is the place of the next byte to read. When a method answers false it
	// is the place of the problem.
	At int

	text  []byte // up to the first byte that is no UTF-8, once that is known
	whole []byte // all of it
	high  uint64 // stops strings at bytes above 0x7f until those are checked
	limit int    // levels of nesting
	deep  bool   // the limit was hit
}

// Reset puts the walker at the start of text, which it reads but never changes.
func (w *Walker) Reset(text []byte, maxDepth int) {
	w.At, w.text, w.whole, w.high, w.limit, w.deep = 0, text, text, highBits, maxDepth, false
}

// Problem says why the last method answered false.
func (w *Walker) Problem() Problem {
	if w.deep {
		return Depth
	}
	return blame(w.whole, w.At)
}

// ASCII reports whether the strings passed so far hold no byte above 0x7f, and,
// once one of them does, that the whole text is not ASCII.
func (w *Walker) ASCII() bool { return w.high != 0 }

// Peek is the next byte, 0 at the end.
func (w *Walker) Peek() byte { return at(w.text, w.At) }

// Space passes white space, if there is any.
func (w *Walker) Space() { w.At = space(w.text, w.At) }

// Byte passes c and white space behind it. False: something else stands there.
//
//go:noinline
func (w *Walker) Byte(c byte) bool {
	if at(w.text, w.At) != c {
		return false
	}
	w.At = space(w.text, w.At+1)
	return true
}

// String passes a string token.
func (w *Walker) String() bool {
	if at(w.text, w.At) != '"' {
		return false
	}
	end, _ := w.textEnd(w.At + 1)
	return w.moved(end)
}

// Skip passes one whole value: a scalar, or an array or object with all that is
// in it. Nesting counts from this value on.
func (w *Walker) Skip() bool {
	end, _ := w.valueEnd(w.At)
	return w.moved(end)
}

// valueEnd is the end of the value at i, and whether it is text without escapes;
// the complement of the problem's place when it is no value.
func (w *Walker) valueEnd(i int) (end int, plain bool) {
	switch at(w.text, i) {
	case '"':
		return w.textEnd(i + 1)
	case '{', '[':
		return w.nested(i), false
	}
	return scalarEnd(w.text, i), false
}

// moved takes the end of a token, or the complement of where it went wrong.
func (w *Walker) moved(end int) bool {
	if end < 0 {
		w.At = ^end
		return false
	}
	w.At = end
	return true
}

// textEnd is the end of the string whose content starts at i, with its quote, and
// whether it holds no escape; the complement of the problem's place when it is no
// string.
func (w *Walker) textEnd(i int) (end int, plain bool) {
	end = plainEnd(w.text, i, w.high)
	if at(w.text, end) == '"' {
		return end + 1, true
	}
	return w.escapedEnd(end), false
}

// escapedEnd is textEnd from i on, where something other than plain ASCII stands.
func (w *Walker) escapedEnd(i int) int {
	for {
		switch c := at(w.text, i); {
		case c == '"':
			return i + 1
		case c == '\\' && simple[at(w.text, i+1)]:
			i += 2
		case c == '\\':
			if i = escapeEnd(w.text, i); i < 0 {
				return i
			}
		case c >= utf8.RuneSelf:
			w.checkHigh(i)
		default:
			return ^i
		}
		i = plainEnd(w.text, i, w.high)
	}
}

// checkHigh checks the UTF-8 of everything from i on, once. The walk then ends
// before the first wrong byte as if the text did, which keeps the first problem
// in reading order first.
func (w *Walker) checkHigh(i int) {
	w.high = 0
	if utf8.Valid(w.text[i:]) {
		return
	}
	for {
		size, valid := sequence(asString(w.text[i:]))
		if !valid {
			break
		}
		i += size
	}
	w.text = w.text[:i]
}

// at is the byte at i, 0 behind the end; JSON has no use for a 0 anywhere.
func at(text []byte, i int) byte {
	if uint(i) < uint(len(text)) {
		return text[i]
	}
	return 0
}

// space is the place of the first byte from i on that is no white space. One copy
// of the code is enough: what is fast does not come here.
//
//go:noinline
func space(text []byte, i int) int {
	for uint(i) < uint(len(text)) && text[i] <= ' ' && spaces>>text[i]&1 != 0 {
		i++
	}
	return i
}

// spaces has a bit for each of the four bytes of white space.
const spaces uint64 = 1<<' ' | 1<<'\t' | 1<<'\n' | 1<<'\r'
