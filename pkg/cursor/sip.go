package cursor

import "math/bits"

// sip is SipHash-2-4 with a result of 128 bits and a key that is no secret. It
// tells accidents apart and stops nobody who wants two events to look the same:
// whoever writes the log could lie in simpler ways. A hash of package crypto would
// cost a page many times as much.
type sip struct {
	v0, v1, v2, v3 uint64
	words          uint64 // taken in so far
}

// sum is a result.
type sum struct{ low, high uint64 }

// The key: the first digits of pi behind the point. What is hashed for another
// purpose has another key.
const (
	sipKey0 = 0x243f6a8885a308d3
	sipKey1 = 0x13198a2e03707344
)

func (h *sip) key(k0, k1 uint64) {
	h.v0, h.v1 = k0^0x736f6d6570736575, k1^0x646f72616e646f6d^0xee
	h.v2, h.v3 = k0^0x6c7967656e657261, k1^0x7465646279746573
	h.words = 0
}

// word takes eight bytes in.
//
//go:noinline
func (h *sip) word(m uint64) {
	h.v3 ^= m
	h.round(2)
	h.v0 ^= m
	h.words++
}

// text takes bytes in and ends: a hash is of words, then of one text.
func (h *sip) text(b []byte) sum {
	for ; len(b) >= 8; b = b[8:] {
		h.word(uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56)
	}
	last := (h.words<<3 + uint64(len(b))) << 56
	for i, c := range b {
		last |= uint64(c) << (8 * i)
	}
	h.word(last)
	h.v2 ^= 0xee
	low := h.half()
	h.v1 ^= 0xdd
	return sum{low, h.half()}
}

func (h *sip) half() uint64 {
	h.round(4)
	return h.v0 ^ h.v1 ^ h.v2 ^ h.v3
}

//go:noinline
func (h *sip) round(times int) {
	v0, v1, v2, v3 := h.v0, h.v1, h.v2, h.v3
	for range times {
		v0 += v1
		v2 += v3
		v1 = bits.RotateLeft64(v1, 13) ^ v0
		v3 = bits.RotateLeft64(v3, 16) ^ v2
		v0 = bits.RotateLeft64(v0, 32)
		v2 += v1
		v0 += v3
		v1 = bits.RotateLeft64(v1, 17) ^ v2
		v3 = bits.RotateLeft64(v3, 21) ^ v0
		v2 = bits.RotateLeft64(v2, 32)
	}
	h.v0, h.v1, h.v2, h.v3 = v0, v1, v2, v3
}
