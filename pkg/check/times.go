package check

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
)

// timeOf is the time that an event names, as it is written: date-time text, or
// epoch milliseconds in digits; "" for neither.
func (c *Checker) timeOf(text []byte) string {
	raw := timeMember(text)
	if content, ok := rawjson.PlainText(raw); ok {
		return clip(content, mostTime)
	}
	if _, ok := rawjson.Uint(raw); ok {
		return string(raw)
	}
	return ""
}

// timeMember is the value of ts, the record time, or of timestamp, that of live
// events, whichever stands first; nil without either.
func timeMember(text []byte) []byte {
	for name, value := range rawjson.Members(text) {
		switch string(name) {
		case "ts", "timestamp":
			return value
		}
	}
	return nil
}

// clock holds the record time of an event against that of the one before.
func (c *Checker) clock(s *session, text []byte, p Place) {
	if !c.ours {
		return
	}
	raw := timeMember(text)
	ms, ok := int64(0), false
	if content, plain := rawjson.PlainText(raw); plain {
		ms, ok = parseTime(content)
	} else if n, digits := rawjson.Uint(raw); digits {
		ms, ok = int64(n), true
	}
	if !ok {
		return
	}
	if s.ms > ms {
		c.reportOf(s, c.about(Finding{Kind: ClockBack, Found: c.event.Seq, Count: s.ms - ms}, text, p))
	}
	s.ms = ms
}

// parseTime reads date-time text as epoch milliseconds: RFC 3339, with any number
// of digits behind the second.
func parseTime(t []byte) (ms int64, ok bool) {
	if len(t) < 20 || t[4] != '-' || t[7] != '-' || t[10]|0x20 != 't' || t[13] != ':' || t[16] != ':' {
		return 0, false
	}
	var part [6]int64
	for i, at := range [6][2]int{{0, 4}, {5, 7}, {8, 10}, {11, 13}, {14, 16}, {17, 19}} {
		if part[i], ok = digits(t[at[0]:at[1]]); !ok {
			return 0, false
		}
	}
	if part[1] < 1 || part[1] > 12 || part[2] < 1 || part[2] > 31 || part[3] > 24 || part[4] > 59 || part[5] > 60 {
		return 0, false
	}
	fraction, rest := fractionMs(t[19:])
	zone, ok := zoneMinutes(rest)
	minutes := (days(part[0], part[1], part[2])*24+part[3])*60 + part[4] - zone
	return (minutes*60+part[5])*1000 + fraction, ok
}

func digits(t []byte) (n int64, ok bool) {
	for _, c := range t {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, len(t) > 0
}

// fractionMs reads what stands behind the second, in milliseconds.
func fractionMs(t []byte) (ms int64, rest []byte) {
	if len(t) == 0 || t[0] != '.' {
		return 0, t
	}
	t = t[1:]
	scale := int64(100)
	for len(t) > 0 && t[0] >= '0' && t[0] <= '9' {
		ms += int64(t[0]-'0') * scale
		scale /= 10
		t = t[1:]
	}
	return ms, t
}

// zoneMinutes reads Z or an offset like +01:00.
func zoneMinutes(t []byte) (minutes int64, ok bool) {
	if len(t) == 1 {
		return 0, t[0]|0x20 == 'z'
	}
	if len(t) != 6 || t[3] != ':' || t[0] != '+' && t[0] != '-' {
		return 0, false
	}
	hours, okHours := digits(t[1:3])
	minutes, okMinutes := digits(t[4:6])
	minutes += hours * 60
	if t[0] == '-' {
		minutes = -minutes
	}
	return minutes, okHours && okMinutes
}

// days counts the days from 1970-01-01 to a date of the Gregorian calendar. Years
// begin in March here, so that the leap day is the last one.
func days(year, month, day int64) int64 {
	month -= 3
	if month < 0 {
		month += 12
		year--
	}
	return 365*year + year/4 - year/100 + year/400 + (153*month+2)/5 + day - 1 - 719468
}
