package rawjson

import "math/bits"

// scalarEnd is the end of the number, true, false or null at i; the complement
// of the problem's place when there is none.
func scalarEnd(text []byte, i int) int {
	switch at(text, i) {
	case 't':
		return wordEnd(text, i, "true")
	case 'f':
		return wordEnd(text, i, "false")
	case 'n':
		return wordEnd(text, i, "null")
	}
	return numberEnd(text, i)
}

func wordEnd(text []byte, i int, word string) int {
	for k := 0; k < len(word); k++ {
		if at(text, i+k) != word[k] {
			return ^(i + k)
		}
	}
	return i + len(word)
}

// numberEnd follows the grammar: an optional minus, an integer without leading
// zeros, then a fraction and an exponent if they are there.
func numberEnd(text []byte, i int) int {
	if at(text, i) == '-' {
		i++
	}
	end := digitsEnd(text, i)
	if end > i+1 && text[i] == '0' {
		return ^(i + 1)
	}
	if end > 0 && at(text, end) == '.' {
		end = digitsEnd(text, end+1)
	}
	if end > 0 && at(text, end)|0x20 == 'e' {
		end++
		if c := at(text, end); c == '+' || c == '-' {
			end++
		}
		end = digitsEnd(text, end)
	}
	return end
}

// digitsEnd is the end of the digits at i, of which there has to be one. It looks
// at eight bytes in one go, as plainEnd does.
func digitsEnd(text []byte, i int) int {
	end := i
	for ; end+8 <= len(text); end += 8 {
		if m := noDigits(load(text[end : end+8])); m != 0 {
			end += bits.TrailingZeros64(m) >> 3
			break
		}
	}
	for uint(end) < uint(len(text)) && text[end]-'0' <= 9 {
		end++
	}
	if end == i {
		return ^i
	}
	return end
}

// noDigits marks each byte that is no digit, and no other.
func noDigits(word uint64) uint64 {
	word ^= '0' * ones
	return ((word&^highBits + (0x80-10)*ones) | word) & highBits
}

// IsNumber reports whether raw is exactly one number.
func IsNumber(raw []byte) bool { return numberEnd(raw, 0) == len(raw) }

// MaxUint is the largest number that [Uint] reads, 2^53-1: up to there a double
// holds every integer, so that all platforms agree on it.
const MaxUint = 1<<53 - 1

// Uint reads a number that is written in digits alone, without sign, fraction,
// exponent or leading zero, and is at most [MaxUint].
//
//go:noinline
func Uint(raw []byte) (n uint64, ok bool) {
	if len(raw) == 0 || len(raw) > 16 || raw[0] == '0' && len(raw) > 1 {
		return 0, false
	}
	for _, c := range raw {
		if c-'0' > 9 {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return n, n <= MaxUint
}
