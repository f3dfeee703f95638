package rawjson

import "unicode/utf8"

// ReplaceInvalid appends src to dst with U+FFFD in place of what is no UTF-8, in
// the way of browsers (WHATWG Encoding): one for each longest run of bytes that
// could have begun a character, and one for each other byte.
func ReplaceInvalid(dst, src []byte) []byte {
	if utf8.Valid(src) {
		return append(dst, src...)
	}
	for len(src) > 0 {
		size, valid := sequence(asString(src))
		if valid {
			dst = append(dst, src[:size]...)
		} else {
			dst = utf8.AppendRune(dst, utf8.RuneError)
		}
		src = src[size:]
	}
	return dst
}

// sequence is the length of the character at the start of s, which is not empty,
// and whether it is one; if not, the length of what one U+FFFD stands for.
func sequence(s string) (size int, valid bool) {
	want, low, high := shape(s[0])
	if want == 1 {
		return 1, s[0] < utf8.RuneSelf
	}
	for size = 1; size < want; size++ {
		if size == len(s) || s[size] < low || s[size] > high {
			return size, false
		}
		low, high = 0x80, 0xbf
	}
	return size, true
}

// shape is how many bytes a character takes that starts with lead, and between
// which bytes its second one lies (Unicode, table 3-7). It is 1 for ASCII and
// for bytes that start nothing.
func shape(lead byte) (size int, low, high byte) {
	switch {
	case lead < 0xc2 || lead > 0xf4:
		return 1, 0, 0
	case lead < 0xe0:
		return 2, 0x80, 0xbf
	case lead == 0xe0:
		return 3, 0xa0, 0xbf
	case lead == 0xed:
		return 3, 0x80, 0x9f
	case lead < 0xf0:
		return 3, 0x80, 0xbf
	case lead == 0xf0:
		return 4, 0x90, 0xbf
	case lead == 0xf4:
		return 4, 0x80, 0x8f
	}
	return 4, 0x80, 0xbf
}
