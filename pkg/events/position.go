package events

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
)

// Seq is the place of a recorded event in the log of its own session: 1, 2, 3 …
// up to [MaxSeq]. On an event the zero Seq means "not recorded"; in a cursor or
// head it means "before the first event".
type Seq uint64

// MaxSeq is the largest seq, 2^53-1: the largest integer that a double holds
// together with all smaller ones, so that every platform agrees on it.
const MaxSeq Seq = 1<<53 - 1

// Generation is the fence a log was written under: an opaque token that
// compares for equality. The zero Generation is absent; "0" is a value.
// On the wire it is a JSON integer >= 0 (kept as its digits, any length) or a
// non-empty JSON string; 7 and "7" are the same token.
type Generation string

// IsSet reports whether there is a generation at all.
func (g Generation) IsSet() bool { return g != "" }

// AppendJSON writes the generation as a stream does: as digits when it is a number,
// else as text.
func (g Generation) AppendJSON(dst []byte) []byte {
	if _, ok := g.Order(g); ok {
		return append(dst, g...)
	}
	return rawjson.AppendQuoted(dst, string(g))
}

// Order compares two tokens that are both all digits without leading zeros.
// ok is false when either is not: such tokens are only equal or different.
func (g Generation) Order(h Generation) (cmp int, ok bool) {
	if !ordered(string(g)) || !ordered(string(h)) {
		return 0, false
	}
	if len(g) != len(h) {
		return sign(len(g) - len(h)), true
	}
	for i := range len(g) {
		if g[i] != h[i] {
			return sign(int(g[i]) - int(h[i])), true
		}
	}
	return 0, true
}

// TokenIn reads a token in place: the Generation is valid as long as the bytes
// are not changed. It spares a copy where a token is only compared.
func TokenIn(token []byte) Generation {
	return Generation(unsafe.String(unsafe.SliceData(token), len(token)))
}

func ordered(t string) bool {
	if len(t) == 0 || (t[0] == '0' && len(t) > 1) {
		return false
	}
	for i := range len(t) {
		if t[i] < '0' || t[i] > '9' {
			return false
		}
	}
	return true
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// Class says where events of a type can be found.
type Class uint8

// Delivery classes.
const (
	ClassUnknown   Class = iota // a type that is not in the table
	ClassLog                    // appended to the session log and stamped
	ClassEphemeral              // live only, never stored; may come again
	ClassListener               // handed to a listener, in no log, never stamped
)
