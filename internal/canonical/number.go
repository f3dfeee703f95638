package canonical

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// number appends the number token from start to the walker.
func (w *writer) number(start int) {
	token := w.text[start:w.At]
	f, err := strconv.ParseFloat(string(token), 64)
	if err != nil || f == 0 && bytes.ContainsAny(mantissa(token), "123456789") || !keeps(token, f) {
		w.refuse("a number that a double holds", fault.Clip(token), start)
		return
	}
	w.dst = appendNumber(w.dst, f)
}

func mantissa(token []byte) []byte {
	if i := bytes.IndexAny(token, "eE"); i >= 0 {
		return token[:i]
	}
	return token
}

// keeps reports whether f has the value of a token in plain digits, up to what its
// own shortest text leaves open. Other tokens may be rounded.
func keeps(token []byte, f float64) bool {
	if bytes.ContainsAny(token, ".eE") || f == 0 {
		return true
	}
	whole := strings.TrimLeft(string(token), "-")
	shortest := strconv.FormatFloat(math.Abs(f), 'e', -1, 64)
	significand, exponent, _ := strings.Cut(shortest, "e")
	significand = strings.TrimRight(strings.Replace(significand, ".", "", 1), "0")
	n, err := strconv.Atoi(exponent)
	return err == nil && n == len(whole)-1 && significand == strings.TrimRight(whole, "0")
}

// appendNumber appends a finite number as Number.prototype.toString does.
func appendNumber(dst []byte, f float64) []byte {
	if f == 0 {
		return append(dst, '0') // also for -0
	}
	if abs := math.Abs(f); abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	if n := len(dst); dst[n-2] == '0' && dst[n-3] == '-' { // e-07 is e-7
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}
