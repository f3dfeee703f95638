//go:build !wasm

package sse

import "math/bits"

const (
	ones     uint64 = 0x0101010101010101
	highBits        = 0x80 * ones
	highHalf        = 0xf0 * ones
)

// lineEnd is the place of the first CR or LF from i on, len(buf) when there is
// none.
//
// Both are below 0x10, as few other bytes of a text are, so one test finds them
// together: the high half of a byte is zero. A borrow can mark bytes wrongly,
// but only behind one that is marked rightly.
func lineEnd(buf []byte, i int) int {
	for ; i+32 <= len(buf); i += 32 {
		b := buf[i : i+32 : i+32]
		w0 := load(b) & highHalf
		w1 := load(b[8:]) & highHalf
		w2 := load(b[16:]) & highHalf
		w3 := load(b[24:]) & highHalf
		if ((w0-ones)&^w0|(w1-ones)&^w1|(w2-ones)&^w2|(w3-ones)&^w3)&highBits != 0 {
			if end := lineEndNear(buf[:i+32], i); end < i+32 {
				return end
			}
		}
	}
	return lineEndNear(buf, i)
}

// lineEndNear is lineEnd for a few bytes.
func lineEndNear(buf []byte, i int) int {
	for ; i+8 <= len(buf); i += 8 {
		w := load(buf[i:]) & highHalf
		for m := (w - ones) &^ w & highBits; m != 0; m &= m - 1 {
			at := i + bits.TrailingZeros64(m)>>3
			if endsLine(buf[at]) {
				return at
			}
		}
	}
	for ; i < len(buf); i++ {
		if endsLine(buf[i]) {
			break
		}
	}
	return i
}

// load reads eight bytes, the first into the lowest byte of the word. (The
// package encoding/binary would bring reflect into the module.)
func load(b []byte) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// linesEnd is the place behind the last CR or LF from i on, i when there is none.
func linesEnd(buf []byte, i int) int {
	end := len(buf)
	for end-8 >= i {
		if w := load(buf[end-8:end]) & highHalf; (w-ones)&^w&highBits != 0 {
			break
		}
		end -= 8
	}
	for ; end > i; end-- {
		if endsLine(buf[end-1]) {
			return end
		}
	}
	return i
}
