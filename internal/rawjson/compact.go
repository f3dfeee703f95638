//go:build !wasm

package rawjson

import "math/bits"

// What stands between the tokens of compact JSON, as little-endian words.
const (
	colonJoint = '"' | ':'<<8           // behind a name
	textJoint  = '"' | ','<<8 | '"'<<16 // behind text, with a name to follow
	intJoint   = ',' | '"'<<8           // behind an integer, with a name to follow
	twoBytes   = 1<<16 - 1
	threeBytes = 1<<24 - 1
)

// compactFields passes members as machines write them: no white space, a name of
// up to 16 bytes, text without escapes or a short integer for a value, and one
// more member behind. It stops before the first member that is any different,
// which may well be right too, and leaves that one to the caller.
//
// This is the inner loop of scanning, and one function on purpose. It looks at
// words and compares them whole, with as few jumps as there can be, and it calls
// nothing: in WebAssembly a jump that does not fall through, or a call, costs as
// much as the work on eight bytes.
func (w *Walker) compactFields(names *Names, found *Fields) {
	text, i, high := w.text, w.At, w.high
	for i+21 <= len(text) && text[i] == '"' {
		b := text[i+1 : i+21]
		first, second := load(b[0:8]), load(b[8:16])
		n := lowest16(marks(first, high), marks(second, high))
		size := n
		joint := load4(b[n : n+4])
		if joint&twoBytes != colonJoint {
			break
		}
		known := names.slots[slot(n, b[0])]
		name := bits.TrailingZeros8(known | 1<<(MaxNames-1))
		c, from := byte(joint>>16), i+n+3
		end, next := from, 0
		if c == '"' {
			end++
			for end+20 <= len(text) {
				b = text[end : end+20]
				n = lowest16(marks(load(b[0:8]), high), marks(load(b[8:16]), high))
				end += n
				if n == 16 {
					continue
				}
				if load4(b[n:n+4])&threeBytes == textJoint {
					next = end + 2
				}
				break
			}
			end++
		} else if c-'0' <= 9 && end+20 <= len(text) {
			b = text[end : end+20]
			n = lowest16(noDigits(load(b[0:8])), noDigits(load(b[8:16])))
			end += n
			if load4(b[n:n+4])&twoBytes == intJoint && (c != '0' || n == 1) {
				next = end + 1
			}
		}
		if next == 0 || known&(known-1) != 0 {
			break
		}
		if known != 0 && names.words[name].equal(size, first, second) {
			f := &found.Field[name]
			if f.To != 0 {
				break
			}
			f.From, f.To, f.Plain = from, end, c == '"'
		}
		i = next
	}
	w.At = i
}

// lowest16 is the number of bytes before the lowest mark of two words, 16 when
// there is none. It has no branch.
func lowest16(first, second uint64) int {
	n := bits.TrailingZeros64(first) >> 3
	return n + bits.TrailingZeros64(second)>>3&-(n>>3)
}
