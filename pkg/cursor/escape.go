package cursor

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// plain reports the bytes of a generation that stand in a token as they are.
func plain(b byte) bool {
	switch {
	case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9':
		return true
	}
	return b == '-' || b == '.' || b == '_' || b == '~'
}

func appendEscaped(dst []byte, generation string) []byte {
	for i := 0; i < len(generation); i++ {
		b := generation[i]
		if plain(b) {
			dst = append(dst, b)
			continue
		}
		dst = rawjson.AppendPercent(dst, b)
	}
	return dst
}

// unescaped reads the part behind the @, nil without one: in place when nothing
// is escaped in it. Empty, a raw byte that should have been escaped, a broken
// %XX, control characters and bytes that are no UTF-8 are refused.
func (t *parts) unescaped() (generation []byte, ok bool) {
	text := t.generation
	if text == nil {
		return nil, true
	}
	i := 0
	for i < len(text) && plain(text[i]) {
		i++
	}
	out := text[:i:i]
	for i < len(text) {
		b, width := unescapeByte(text[i:])
		if width == 0 {
			return nil, false
		}
		out = append(out, b)
		i += width
	}
	return out, isName(out)
}

// isName is [events.IsName] in place.
func isName(b []byte) bool { return events.IsName(string(events.TokenIn(b))) }

// unescapeByte answers the first byte of text and how many bytes it took; 0
// when it is not written as a token demands.
func unescapeByte(text []byte) (b byte, width int) {
	if plain(text[0]) {
		return text[0], 1
	}
	if text[0] != '%' || len(text) < 3 {
		return 0, 0
	}
	if !rawjson.IsHex(text[1]) || !rawjson.IsHex(text[2]) {
		return 0, 0
	}
	return rawjson.Hex(text[1])<<4 | rawjson.Hex(text[2]), 3
}
