package fault

import (
	"strconv"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
)

// Number is a JSON number as its text, so that zero and absent differ and no
// digit is lost on the way through. "" is absent; text that is no JSON number
// counts as absent too. [Int] makes one.
type Number string

// Int is the number n.
func Int(n int64) Number { return Number(strconv.FormatInt(n, 10)) }

// IsSet reports whether there is a number.
func (n Number) IsSet() bool {
	raw := []byte(n)
	return rawjson.KindOf(raw) == rawjson.Number && whole(raw)
}

// whole reports whether raw is exactly one JSON value, without space around it.
func whole(raw []byte) bool {
	var w rawjson.Walker
	w.Reset(raw, maxDepth)
	return w.Skip() && w.At == len(raw)
}

// Compare orders a number against n: -1, 0 or +1 for less, equal and greater.
// It is false when there is no number to compare.
func (n Number) Compare(other int) (order int, ok bool) {
	if !n.IsSet() {
		return 0, false
	}
	switch f, g := n.value(), float64(other); {
	case f < g:
		return -1, true
	case f > g:
		return 1, true
	}
	return 0, true
}

// value is the number as a double, to 16 digits. Rules compare it with statuses,
// for which that is exact; it spares the module the decimal reader of strconv.
func (n Number) value() float64 {
	digits, exponent := n.split()
	mantissa, places, sign := 0.0, 0, 1.0
	for _, c := range []byte(digits) {
		switch {
		case c == '-':
			sign = -1
		case c == '.':
			places = -1
		case mantissa < 1e15:
			mantissa = mantissa*10 + float64(c-'0')
			exponent += places
		default: // a digit too many to count: only its place does
			exponent += places + 1
		}
	}
	return sign * scale(mantissa, exponent)
}

// split cuts a number at its exponent, which is held to a range that no digits
// can make up for.
func (n Number) split() (digits string, exponent int) {
	for i := range len(n) {
		if n[i]|0x20 == 'e' {
			return string(n[:i]), exponentOf(n[i+1:])
		}
	}
	return string(n), 0
}

func exponentOf(text Number) (exponent int) {
	negative := false
	for _, c := range []byte(text) {
		switch {
		case c == '-':
			negative = true
		case c != '+' && exponent < 1<<26:
			exponent = exponent*10 + int(c-'0')
		}
	}
	if negative {
		return -exponent
	}
	return exponent
}

// scale is m times ten to the power of e, rounded once while the power is exact.
func scale(m float64, e int) float64 {
	power := 1.0
	for range min(max(e, -e), 400) {
		power *= 10
	}
	switch {
	case m == 0:
		return 0
	case e < 0:
		return m / power
	}
	return m * power
}
