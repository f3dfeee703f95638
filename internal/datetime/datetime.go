// Package datetime reads and writes the date-time text of records (RFC 3339) as
// milliseconds since 1970, without the package time and all that it brings along.
//
// [Parse] and [Append] are all there is. Neither allocates, nor knows a clock or a
// zone: what has an offset is turned into UTC. Text that is none answers false, and
// never a time that was put right, such as a 30 February.
package datetime

// Range of times that date-time text can hold: the years 0000 to 9999.
const (
	Min = -62167219200000
	Max = 253402300799999
)

const (
	second = 1000
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
)

// Parse reads one date-time: date, T, time of day with an optional fraction, and Z
// or an offset. T and Z may be small. Digits of the fraction behind the third are
// cut off. A leap second, which is 60, is the second after it.
func Parse(text []byte) (ms int64, ok bool) {
	r := reader{text: text}
	year, month, date := r.number(4, 0, 9999), r.after('-', 1, 12), r.after('-', 1, 31)
	r.letter('T')
	of := r.number(2, 0, 23)*hour + r.after(':', 0, 59)*minute + r.after(':', 0, 60)*second
	of += r.fraction()
	of -= r.offset()
	if r.bad || len(r.text) > 0 || date > daysIn(year, month) {
		return 0, false
	}
	return days(year, month, date)*day + of, true
}

// reader takes a text apart from its front. Once something is wrong, it stays so.
type reader struct {
	text []byte
	bad  bool
}

// next takes one byte, 0 at the end.
func (r *reader) next() byte {
	if len(r.text) == 0 {
		r.bad = true
		return 0
	}
	c := r.text[0]
	r.text = r.text[1:]
	return c
}

// letter takes a letter, large or small.
func (r *reader) letter(c byte) { r.bad = r.next()&^0x20 != c || r.bad }

// number takes that many digits, which have to make a number from low to high.
func (r *reader) number(digits int, low, high int64) (n int64) {
	for range digits {
		n = n*10 + r.digit()
	}
	r.bad = r.bad || n < low || n > high
	return n
}

func (r *reader) digit() int64 {
	d := r.next() - '0'
	r.bad = r.bad || d > 9
	return int64(d)
}

// after takes a separator and two digits.
func (r *reader) after(separator byte, low, high int64) int64 {
	r.bad = r.next() != separator || r.bad
	return r.number(2, low, high)
}

// fraction takes a point and digits, if there is a point, as milliseconds.
func (r *reader) fraction() (ms int64) {
	if len(r.text) == 0 || r.text[0] != '.' {
		return 0
	}
	r.next()
	scale := int64(100)
	for more := true; more; more = len(r.text) > 0 && r.text[0]-'0' <= 9 {
		ms += r.digit() * scale
		scale /= 10
	}
	return ms
}

// offset takes what stands for the zone, as milliseconds ahead of UTC.
func (r *reader) offset() int64 {
	sign := int64(1)
	switch c := r.next(); c {
	case 'Z', 'z':
		return 0
	case '-':
		sign = -1
	default:
		r.bad = r.bad || c != '+'
	}
	return sign * (r.number(2, 0, 23)*hour + r.after(':', 0, 59)*minute)
}

// daysIn is the length of a month, of which the number is from 1 to 12.
func daysIn(year, month int64) int64 {
	if month == 2 {
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 30 + (month+month>>3)&1
}

// days counts from 1970-01-01, after the algorithm in which a year begins in March,
// so that the day that not all years have is its last.
func days(year, month, date int64) int64 {
	if month <= 2 {
		year, month = year-1, month+12
	}
	era := floor(year, 400)
	y := year - era*400
	return era*daysOfEra + y*365 + y/4 - y/100 + (153*(month-3)+2)/5 + date - 1 - epoch
}

const (
	daysOfEra = 146097 // 400 years
	epoch     = 719468 // days from 0000-03-01 to 1970-01-01
)

func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Append writes a time in UTC with three digits of fraction, as in
// 2026-01-01T00:00:01.000Z. A time outside of [Min] to [Max] becomes the nearest in it.
func Append(dst []byte, ms int64) []byte {
	ms = min(max(ms, Min), Max)
	n := floor(ms, day)
	year, month, date := civil(n)
	of := ms - n*day
	dst = append(pad(dst, year, 1000), '-')
	dst = append(pad(dst, month, 10), '-')
	dst = append(pad(dst, date, 10), 'T')
	dst = append(pad(dst, of/hour, 10), ':')
	dst = append(pad(dst, of/minute%60, 10), ':')
	dst = append(pad(dst, of/second%60, 10), '.')
	return append(pad(dst, of%second, 100), 'Z')
}

// civil is days backwards.
func civil(n int64) (year, month, date int64) {
	n += epoch
	era := floor(n, daysOfEra)
	d := n - era*daysOfEra
	y := (d - d/1460 + d/36524 - d/146096) / 365
	d -= y*365 + y/4 - y/100
	m := (5*d + 2) / 153
	year, month, date = era*400+y, m+3, d-(153*m+2)/5+1
	if month > 12 {
		year, month = year+1, month-12
	}
	return year, month, date
}

// pad writes the digits of n from that power of ten down.
func pad(dst []byte, n, power int64) []byte {
	for ; power > 0; power /= 10 {
		dst = append(dst, byte('0'+n/power%10))
	}
	return dst
}
