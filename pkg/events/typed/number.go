package typed

import (
	"strconv"
	"strings"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
)

// Int is an integer as the text of a JSON number, of any size. What counts is
// the value, so 1e3 and 10.0 are integers too. The zero Int is 0.
type Int string

// IntOf is n as an Int.
func IntOf(n int64) Int { return Int(strconv.FormatInt(n, 10)) }

// Int64 is the value; false when it is outside of int64 or no integer.
func (i Int) Int64() (int64, bool) {
	if i == "" {
		return 0, true
	}
	if n, err := strconv.ParseInt(string(i), 10, 64); err == nil {
		return n, true
	}
	digits, ok := integerDigits(string(i))
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil
}

// Number is a JSON number as its text, with every digit it has. The zero Number
// is 0.
type Number string

// NumberOf is f as the shortest text that reads back as f. Infinities and NaN
// are no JSON numbers: an event that holds them can not be encoded.
func NumberOf(f float64) Number { return Number(strconv.FormatFloat(f, 'g', -1, 64)) }

// Float64 is the nearest float; false when the number is beyond all floats.
func (n Number) Float64() (float64, bool) {
	if n == "" {
		return 0, true
	}
	f, err := strconv.ParseFloat(string(n), 64)
	return f, err == nil
}

// isInteger reports whether the value of a JSON number has no fraction, without
// writing it out: the exponent may be as large as it likes.
func isInteger(number string) bool {
	d := splitNumber(number)
	return d.digits == "" || d.exponent >= 0
}

// maxInt64Digits is the length of the largest int64.
const maxInt64Digits = 19

// integerDigits writes an integer that is given with a fraction or an exponent
// as plain digits. False: it has a fraction, or is longer than any int64.
func integerDigits(number string) (string, bool) {
	d := splitNumber(number)
	switch {
	case !rawjson.IsNumber([]byte(number)) || d.exponent < 0:
		return "", false
	case d.digits == "":
		return "0", true
	case d.exponent > maxInt64Digits-len(d.digits):
		return "", false
	}
	return d.sign + d.digits + strings.Repeat("0", d.exponent), true
}

// decimal is digits times ten to the exponent, with no zero at either end of
// the digits; no digits is 0.
type decimal struct {
	sign, digits string
	exponent     int
}

func splitNumber(number string) decimal {
	var d decimal
	if rest, ok := strings.CutPrefix(number, "-"); ok {
		d.sign, number = "-", rest
	}
	mantissa, power := number, ""
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		mantissa, power = number[:i], number[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := strings.TrimLeft(whole+fraction, "0")
	d.digits = strings.TrimRight(all, "0")
	if d.digits != "" {
		d.exponent = clampedExponent(power) - len(fraction) + len(all) - len(d.digits)
	}
	return d
}

// farExponent stands for every exponent beyond it; no text of an event is long
// enough to bring one back.
const farExponent = 1 << 40

func clampedExponent(power string) int {
	if power == "" {
		return 0
	}
	if n, err := strconv.ParseInt(power, 10, 64); err == nil && n < farExponent && n > -farExponent {
		return int(n)
	}
	if strings.HasPrefix(power, "-") {
		return -farExponent
	}
	return farExponent
}
