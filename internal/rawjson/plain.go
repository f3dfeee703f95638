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
	if uint(i) >= uint(len(text)) {
		return len(text)
	}
	rest := text[i:]
	n := 0
	for n <= len(rest)-8 {
		if m := marks(load(rest[n:n+8]), high); m != 0 {
			return i + n + bits.TrailingZeros64(m)>>3
		}
		n += 8
	}
	for n < len(rest) && marks(uint64(rest[n])|0x20202020_20202000, high) == 0 {
		n++
	}
	return i + n
}

// Control characters and the quote are the bytes below 0x21 once their bit 1 is
// flipped.
func marks(word, high uint64) uint64 {
	return (((word^0x02*ones)-0x21*ones)|((word^'\\'*ones)-ones))&^word&highBits | word&high
}

// Holds reports whether c stands in text. (The package bytes would bring tables of
// Unicode into the module.)
func Holds(text []byte, c byte) bool {
	for ; len(text) >= 8; text = text[8:] {
		w := load(text) ^ uint64(c)*ones
		if (w-ones)&^w&highBits != 0 {
			return true
		}
	}
	for _, b := range text {
		if b == c {
			return true
		}
	}
	return false
}

// load reads eight bytes, the first into the lowest byte of the word.
func load(b []byte) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// load4 reads four bytes, the first into the lowest byte of the word.
func load4(b []byte) uint32 {
	_ = b[3]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}
