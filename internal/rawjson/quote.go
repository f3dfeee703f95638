package rawjson

import "unicode/utf8"

const hexDigits = "0123456789abcdef"

// shortEscape has the letter of the two-byte escape of a byte, 0 when it has none.
var shortEscape = [utf8.RuneSelf]byte{
	'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't',
}

// AppendQuoted appends s as a JSON string. It escapes what JSON demands, and
// U+2028 and U+2029, which end a line in JavaScript source. Bytes that are no
// UTF-8 become U+FFFD, as in [ReplaceInvalid].
func AppendQuoted[T ~string | ~[]byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	done := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		size, kept := 1, false
		if c >= utf8.RuneSelf {
			size, kept = sequence(s[i:])
		}
		if !kept || lineEnd(s[i:i+size]) {
			dst = append(dst, s[done:i]...)
			dst = appendEscaped(dst, s[i:i+size])
			done = i + size
		}
		i += size
	}
	dst = append(dst, s[done:]...)
	return append(dst, '"')
}

// appendEscaped appends what stands for one character that can not stand for
// itself: a quote, a backslash, a control, a line end, or bytes that are no UTF-8.
func appendEscaped[T ~string | ~[]byte](dst []byte, s T) []byte {
	c := s[0]
	switch {
	case c >= utf8.RuneSelf && lineEnd(s):
		return append(dst, '\\', 'u', '2', '0', '2', hexDigits[s[2]&0xf])
	case c >= utf8.RuneSelf:
		return utf8.AppendRune(dst, utf8.RuneError)
	case shortEscape[c] != 0:
		return append(dst, '\\', shortEscape[c])
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
}

// lineEnd reports whether s is U+2028 or U+2029.
func lineEnd[T ~string | ~[]byte](s T) bool {
	return len(s) == 3 && s[0] == 0xe2 && s[1] == 0x80 && s[2]&^1 == 0xa8
}
