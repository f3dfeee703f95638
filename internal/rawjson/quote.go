package rawjson

import (
	"unicode/utf8"
	"unsafe"
)

const hexDigits = "0123456789abcdef"

// AppendQuoted appends s as a JSON string. It escapes what JSON demands, and
// U+2028 and U+2029, which end a line in JavaScript source. Bytes that are no
// UTF-8 become U+FFFD, as in [ReplaceInvalid].
func AppendQuoted[T ~string | ~[]byte](dst []byte, s T) []byte {
	w := Writer{dst}
	w.quote(*(*string)(unsafe.Pointer(&s))) // a slice begins with what a string is
	return w.dst
}

// asString is b as text, in place: valid while its bytes do not change.
func asString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// quote is [AppendQuoted].
//
//go:noinline
func (w *Writer) quote(s string) {
	w.add(`"`)
	for s != "" {
		n := unescaped(s)
		w.add(s[:n])
		if s = s[n:]; s == "" {
			break
		}
		size, _ := sequence(s)
		w.escape(s[:size])
		s = s[size:]
	}
	w.add(`"`)
}

// unescaped is how many bytes at the start of s can stand for themselves.
func unescaped(s string) int {
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			size, valid := sequence(s[i:])
			if !valid || lineEnd(s[i:i+size]) {
				return i
			}
			i += size
			continue
		}
		if c < ' ' || c == '"' || c == '\\' {
			return i
		}
		i++
	}
	return len(s)
}

// escape appends what stands for one character that can not stand for itself: a
// quote, a backslash, a control, a line end, or bytes that are no UTF-8.
func (w *Writer) escape(s string) {
	c := s[0]
	switch text := shortEscape(c); {
	case text != "":
		w.add(text)
	case lineEnd(s):
		w.add(`\u202`)
		w.hex(s[2] & 0xf)
	case c >= utf8.RuneSelf:
		w.add("\uFFFD")
	default:
		w.add(`\u00`)
		w.hex(c >> 4)
		w.hex(c & 0xf)
	}
}

func (w *Writer) hex(digit byte) { w.add(hexDigits[digit : digit+1]) }

// shortEscape is the two-byte escape of a byte, "" when it has none.
func shortEscape(c byte) string {
	switch c {
	case '"':
		return `\"`
	case '\\':
		return `\\`
	case '\b':
		return `\b`
	case '\f':
		return `\f`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	return ""
}

// lineEnd reports whether s is U+2028 or U+2029.
func lineEnd(s string) bool { return s == "\u2028" || s == "\u2029" }
