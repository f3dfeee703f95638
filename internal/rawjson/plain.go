package rawjson

import "math/bits"

const (
	ones     uint64 = 0x0101010101010101
	highBits        = 0x80 * ones
)

// plainEnd is the place of the first byte from i on that a string can not simply
// go on with: a quote, a backslash, a control character or, while high is
// highBits rather than 0, a byte above 0x7f. It is len(text) when there is none.
//
// Eight bytes are looked at in one go. A borrow can mark bytes wrongly, but only
// behind one that is marked rightly, so the lowest mark is always true.
func plainEnd(text []byte, i int, high uint64) int {
	for ; i+8 <= len(text); i += 8 {
		word := load(text[i : i+8])
		if m := marks(word, high); m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for ; i < len(text); i++ {
		if marks(uint64(text[i])|0x20202020_20202000, high) != 0 {
			break
		}
	}
	return i
}

func marks(word, high uint64) uint64 {
	quote := word ^ '"'*ones
	slash := word ^ '\\'*ones
	return ((quote-ones)&^quote|(slash-ones)&^slash|(word-' '*ones)&^word)&highBits | word&high
}

// load reads eight bytes, the first into the lowest byte of the word.
func load(b []byte) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}
