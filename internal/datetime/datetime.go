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
	var n parts
	if !n.read(text, "0000-00-00T00:00:00") || n[month]-1 > 11 || n[date]-1 >= daysIn(n[year], n[month]) || n[clock] > 23 || n[clock+1] > 59 || n[clock+2] > 60 {
		return 0, false
	}
	of, rest := fraction(text[19:])
	ahead, ok := offset(rest)
	if !ok {
		return 0, false
	}
	of += int64(n[clock])*hour + int64(n[clock+1])*minute + int64(n[clock+2])*second - ahead
	return days(int64(n[year]), int64(n[month]), int64(n[date]))*day + of, true
}

// parts are the numbers of a text, in their order.
type parts [6]uint

// Which is which in a date-time.
const (
	year = iota
	month
	date
	clock // hours, followed by minutes and seconds
)

// read takes numbers from the front of a text of that form, in which 0 stands for
// any digit, and any letter for itself, large or small.
func (n *parts) read(text []byte, form string) bool {
	if len(text) < len(form) {
		return false
	}
	part := 0
	for i := range len(form) {
		c, want := text[i], form[i]
		switch {
		case want == '0' && c-'0' <= 9:
			n[part] = n[part]*10 + uint(c-'0')
		case want != '0' && (c == want || c == want|0x20):
			part++
		default:
			return false
		}
	}
	return true
}

// fraction takes a point and digits, if both are there, as milliseconds.
func fraction(text []byte) (ms int64, rest []byte) {
	if len(text) < 2 || text[0] != '.' || text[1]-'0' > 9 {
		return 0, text
	}
	scale := int64(100)
	for text = text[1:]; len(text) > 0 && text[0]-'0' <= 9; text = text[1:] {
		ms += int64(text[0]-'0') * scale
		scale /= 10
	}
	return ms, text
}

// offset takes what stands for the zone, as milliseconds ahead of UTC, if nothing
// stands behind it.
func offset(text []byte) (ms int64, ok bool) {
	if len(text) == 1 {
		return 0, text[0] == 'Z' || text[0] == 'z'
	}
	if len(text) != 6 || text[0] != '+' && text[0] != '-' {
		return 0, false
	}
	var n parts
	ok = n.read(text[1:], "00:00") && n[0] <= 23 && n[1] <= 59
	ms = int64(n[0])*hour + int64(n[1])*minute
	if text[0] == '-' {
		ms = -ms
	}
	return ms, ok
}

// daysIn is the length of a month, of which the number is from 1 to 12.
func daysIn(year, month uint) uint {
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
