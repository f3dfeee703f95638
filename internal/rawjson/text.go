package rawjson

// hexDigit has 0x10 plus the value for each hexadecimal digit, 0 for other bytes.
var hexDigit = [256]uint8{
	'0': 0x10, '1': 0x11, '2': 0x12, '3': 0x13, '4': 0x14, '5': 0x15, '6': 0x16, '7': 0x17, '8': 0x18, '9': 0x19,
	'a': 0x1a, 'b': 0x1b, 'c': 0x1c, 'd': 0x1d, 'e': 0x1e, 'f': 0x1f,
	'A': 0x1a, 'B': 0x1b, 'C': 0x1c, 'D': 0x1d, 'E': 0x1e, 'F': 0x1f,
}

// IsHex reports whether c is a hexadecimal digit, of either case.
func IsHex(c byte) bool { return hexDigit[c] != 0 }

// Hex is the value of a hexadecimal digit.
func Hex(c byte) byte { return hexDigit[c] & 0xf }

// escaped has what the byte behind a backslash stands for; 0: it may not stand
// there. The letter u, which needs four more digits, stands for itself.
var escaped = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'u': 'u',
}

// simple marks the bytes that complete an escape behind its backslash.
var simple = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// escapeEnd is the end of the escape whose backslash is at i.
func escapeEnd(text []byte, i int) int {
	c := at(text, i+1)
	if escaped[c] == 0 {
		return ^(i + 1)
	}
	if c != 'u' {
		return i + 2
	}
	for k := i + 2; k < i+6; k++ {
		if hexDigit[at(text, k)] == 0 {
			return ^k
		}
	}
	return i + 6
}

// Text decodes a string token, with its quotes: escapes are undone, surrogate
// pairs joined, and a surrogate without its other half becomes U+FFFD. False:
// raw is not exactly one string.
func Text(raw []byte) (text string, ok bool) {
	if plain, ok := PlainText(raw); ok {
		return string(plain), true
	}
	b, ok := AppendText(nil, raw)
	return string(b), ok
}

// AppendText is [Text] for a buffer: it appends the decoded text to dst. When it
// answers false, dst comes back as it was.
func AppendText(dst, raw []byte) (text []byte, ok bool) {
	text, ok, _ = appendText(dst, raw)
	return text, ok
}

// AppendExactText is [AppendText] for text that has to compare: it also answers
// false when a surrogate lacks its other half, because U+FFFD in its place would
// make different texts equal.
func AppendExactText(dst, raw []byte) (text []byte, ok bool) {
	text, ok, exact := appendText(dst, raw)
	if !exact {
		return dst, false
	}
	return text, ok
}

func appendText(dst, raw []byte) (text []byte, ok, exact bool) {
	if plain, ok := PlainText(raw); ok {
		return append(dst, plain...), true, true
	}
	var w Walker
	if w.Reset(raw, 0); !w.String() || w.At != len(raw) {
		return dst, false, false
	}
	text, exact = appendDecoded(dst, raw[1:len(raw)-1])
	return text, true, exact
}

// PlainText is the content of a string token that stands for itself, as a slice
// of it: ASCII without escapes. False: raw has to be decoded, or is no string.
func PlainText(raw []byte) (content []byte, ok bool) {
	last := len(raw) - 1
	if last < 1 || raw[0] != '"' || plainEnd(raw, 1, highBits) != last || raw[last] != '"' {
		return nil, false
	}
	return raw[1:last], true
}

// appendDecoded appends the content of a string that is known to be right. Exact
// means that no surrogate had to be replaced. The text is decoded in its new place,
// since that never makes it longer.
func appendDecoded(dst, content []byte) (text []byte, exact bool) {
	from := len(dst)
	dst = append(dst, content...)
	n, exact := unescape(dst[from:])
	return dst[:from+n], exact
}

// unescape undoes the escapes of text in place and answers the new length.
func unescape(text []byte) (n int, exact bool) {
	exact = true
	for i := 0; i < len(text); {
		if text[i] != '\\' {
			end := plainEnd(text, i, 0)
			n += copy(text[n:], text[i:end])
			i = end
			continue
		}
		r, size := escapedRune(text[i:])
		exact = exact && r>>11 != 0xd800>>11
		n += putRune(text[n:], r)
		i += size
	}
	return n, exact
}

// escapedRune is the character that the escape at the start of b stands for, and
// how many bytes it takes.
func escapedRune(b []byte) (r rune, size int) {
	if c := escaped[b[1]]; c != 'u' {
		return rune(c), 2
	}
	return unicodeEscape(b)
}

// putRune writes a character in UTF-8, U+FFFD for half of a surrogate pair, and
// answers how many bytes that took.
func putRune(b []byte, r rune) int {
	if r < 0x80 {
		b[0] = byte(r)
		return 1
	}
	size, lead := 3, byte(0xe0)
	switch {
	case r < 0x800:
		size, lead = 2, 0xc0
	case r >= 0x10000:
		size, lead = 4, 0xf0
	case r>>11 == 0xd800>>11:
		r = 0xfffd
	}
	for k := size - 1; k > 0; k-- {
		b[k] = 0x80 | byte(r)&0x3f
		r >>= 6
	}
	b[0] = lead | byte(r)
	return size
}

// unicodeEscape decodes one escape of the form \uXXXX, or two of them that are
// the halves of one character. A lone half stays one.
func unicodeEscape(b []byte) (r rune, size int) {
	r = hexRune(b)
	if r>>10 == 0xd800>>10 && len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
		if low := hexRune(b[6:]); low>>10 == 0xdc00>>10 {
			return 0x10000 + (r&0x3ff)<<10 + low&0x3ff, 12
		}
	}
	return r, 6
}

func hexRune(b []byte) (r rune) {
	for _, c := range b[2:6] {
		r = r<<4 | rune(hexDigit[c]&0xf)
	}
	return r
}
