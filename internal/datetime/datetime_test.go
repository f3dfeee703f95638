package datetime

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]int64{
		"1970-01-01T00:00:00Z": 0, "2026-01-01T00:00:01.000Z": 1767225601000, "2026-01-01T02:00:00+02:00": 1767225600000,
		"2025-12-31T19:00:00-05:00": 1767225600000, "2026-01-01t00:00:01z": 1767225601000, "2026-01-01T00:00:00.1Z": 1767225600100,
		"2026-01-01T00:00:00.0019999999999999999999Z": 1767225600001, "1969-12-31T23:59:59.999Z": -1, "0000-01-01T00:00:00Z": Min,
		"9999-12-31T23:59:59.999Z": Max, "2000-02-29T00:00:00Z": 951782400000, "2024-02-29T12:00:00Z": 1709208000000,
		"2016-12-31T23:59:60Z": 1483228800000, "2026-01-01T00:00:00-00:00": 1767225600000,
	} {
		got, ok := Parse([]byte(text))
		assert.True(t, ok, text)
		assert.Equal(t, want, got, text)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"", "then", "soon", "2026", "2026-01-01", "2026-01-01T00:00Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00,5Z",
		"2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z",
		"2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+00:60", "2026-01-01T00:00:00+0000",
		"2026-01-01 00:00:00Z", "26-01-01T00:00:00Z", "+2026-01-01T00:00:00Z", "2026-1-1T0:0:0Z", " 2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z ", "2026-01-01T00:00:00ZZ",
		"2026-01-01T00:00:00+", "2026-01-01T00:00:00+01", "2026/01/01T00:00:00Z", "2026-01-01T00-00:00Z", "1767225601000", "2026-01-01T00:00:00X", "2026-01-01T00:00:000", "-001-01-01T00:00:00Z",
	} {
		got, ok := Parse([]byte(text))
		assert.False(t, ok, text)
		assert.Zero(t, got, text)
	}
}

// Days of all years read and write as package time has them: each day of the 400
// years after which a calendar repeats, and some of all others.
func TestDays(t *testing.T) {
	for _, span := range [][3]int64{{951782400000, 951782400000 + daysOfEra*day, day}, {Min, Max, 97 * day}} {
		for ms := span[0]; ms <= span[1]; ms += span[2] {
			at := ms + (ms/day*7919%day+day)%day
			want := time.UnixMilli(at).UTC().Format("2006-01-02T15:04:05.000Z")
			text := Append(nil, at)
			if string(text) != want {
				t.Fatalf("%d: %s, want %s", at, text, want)
			}
			if back, ok := Parse(text); !ok || back != at {
				t.Fatalf("%s: %d, %v, want %d", text, back, ok, at)
			}
		}
	}
}

func TestAppendStaysInRange(t *testing.T) {
	assert.Equal(t, "0000-01-01T00:00:00.000Z", string(Append(nil, math.MinInt64)))
	assert.Equal(t, "9999-12-31T23:59:59.999Z", string(Append(nil, math.MaxInt64)))
	assert.Equal(t, "at 1969-12-31T23:59:59.999Z", string(Append([]byte("at "), -1)))
}

func TestNothingIsAllocated(t *testing.T) {
	text, room := []byte("2026-01-01T00:00:01.000Z"), make([]byte, 0, 64)
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		ms, _ := Parse(text)
		room = Append(room[:0], ms)
	}))
}

// FuzzParse holds every text against package time, which is laxer in a few points.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"2026-01-01T00:00:01.000Z", "2026-01-01T02:00:00+02:00", "2016-12-31T23:59:60Z", "2026-01-01t00:00:00.5z", "2024-02-29T00:00:00-23:59", "2026-1-01T00:00:00Z"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := Parse([]byte(text))
		if !ok {
			return
		}
		upper := []byte(text)
		upper[10] = 'T'
		if last := &upper[len(upper)-1]; *last == 'z' {
			*last = 'Z'
		}
		leap := int64(0)
		if string(upper[17:19]) == "60" {
			copy(upper[17:], "59")
			leap = second
		}
		at, err := time.Parse(time.RFC3339Nano, string(upper))
		if err != nil || at.UnixMilli()+leap != got {
			t.Fatalf("%q: %d, package time has %v, %v", text, got, at, err)
		}
	})
}
