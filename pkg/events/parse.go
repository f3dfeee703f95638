package events

import (
	"unicode/utf8"
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
)

// ParseSeq reads the seq of an event from its JSON token: digits alone, from 1
// to [MaxSeq]. A seq as text, 0, a sign, a fraction, an exponent, a leading zero
// and null are all refused.
func ParseSeq(raw []byte) (Seq, bool) {
	n, ok := rawjson.Uint(raw)
	return Seq(n), ok && n > 0
}

// ParseCursorSeq reads the seq of a cursor or head from its JSON token. It is
// [ParseSeq] with 0 allowed: before the first event.
func ParseCursorSeq(raw []byte) (Seq, bool) {
	n, ok := rawjson.Uint(raw)
	return Seq(n), ok
}

// ParseGeneration reads a generation from its JSON token: an integer in digits
// of any length, which are kept as they are, or text that is not empty, holds no
// control characters and has no half of a surrogate pair alone. It is false for
// everything else, null included: whoever allows absence asks for that first
//
func ParseGeneration(raw []byte) (Generation, bool) {
	token, ok := readGeneration(new([]byte), raw)
	return Generation(token), ok
}

// readGeneration finds the token of a generation in raw itself, or decoded
// behind scratch, which grows by it; nil when there is none.
func readGeneration(scratch *[]byte, raw []byte) (token []byte, ok bool) {
	if ordered(string(raw)) {
		return raw, true
	}
	return readID(scratch, raw)
}

// readID reads text that names something: as [readText], but neither empty nor
// with control characters or a lone surrogate in it.
func readID(scratch *[]byte, raw []byte) (id []byte, ok bool) {
	id, ok = readText(scratch, raw, rawjson.AppendExactText)
	if !ok || len(id) == 0 || hasControl(id) {
		return nil, false
	}
	return id, true
}

// readText reads a string token: in place when it is plain ASCII, otherwise
// decoded behind scratch, which grows by it.
func readText(scratch *[]byte, raw []byte, decode func(dst, raw []byte) ([]byte, bool)) (text []byte, ok bool) {
	if text, ok = rawjson.PlainText(raw); ok {
		return text, true
	}
	start := len(*scratch)
	*scratch, ok = decode(*scratch, raw)
	return (*scratch)[start:len(*scratch):len(*scratch)], ok
}

// IsName reports whether text can name a session or a generation: it is UTF-8, not
// empty, and holds no control characters.
func IsName(text string) bool {
	b := unsafe.Slice(unsafe.StringData(text), len(text))
	return len(b) > 0 && utf8.Valid(b) && !hasControl(b)
}

// hasControl reports whether text, which is UTF-8, holds one of the 65 control
// characters: U+0000 … U+001F, U+007F … U+009F.
func hasControl(text []byte) bool {
	for i, c := range text {
		if c < ' ' || c == 0x7f || c == 0xc2 && text[i+1] < 0xa0 {
			return true
		}
	}
	return false
}
