package cursor

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

const upperHex = "0123456789ABCDEF"

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
		dst = append(dst, '%', upperHex[b>>4], upperHex[b&15])
	}
	return dst
}

// unescapeGeneration reads the part behind the @. Empty, a raw byte that should
// have been escaped, a broken %XX, control characters and bytes that are no
// UTF-8 are refused.
func unescapeGeneration(text []byte) (events.Generation, bool) {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		b, width := unescapeByte(text[i:])
		if width == 0 {
			return "", false
		}
		out = append(out, b)
		i += width
	}
	g := events.Generation(out)
	return g, events.IsName(string(g))
}

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
