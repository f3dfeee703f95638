// Package codeunit compares text as JavaScript does: by the code units of UTF-16.
//
// The one call is [Compare]. It orders what page tokens and canonical JSON have
// to order the same way on every platform. For plain ids this is the order of
// the bytes; it is another one where a character above U+FFFF, which UTF-16
// writes as two surrogates, meets one of U+E000 to U+FFFF, which stand above the
// surrogates.
//
// It decodes nothing, allocates nothing and takes any bytes: what is no UTF-8 has
// a fixed place too.
package codeunit

// Compare answers -1, 0 or 1 as a stands before b, is equal to it or stands
// behind it. It is a total order: 0 means the same bytes.
func Compare[T ~string | ~[]byte](a, b T) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return order(rank(a[i]), rank(b[i]))
		}
	}
	return order(len(a), len(b))
}

// rank is the place of a byte that is the first in which two texts differ. Only
// one kind of first byte moves: those of U+E000 to U+FFFF go behind those of
// longer sequences. All else keeps its order, sequences of one length included.
func rank(c byte) int {
	if c == 0xee || c == 0xef {
		return int(c) + 0x100
	}
	return int(c)
}

func order(a, b int) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
