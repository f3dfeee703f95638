package sse

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// takeWhole takes a block of the common shape in one go: id and event lines in
// any order, one data line, a blank line, all of it fed. Anything else it leaves
// untouched for the way line by line, which gives the same for every block; this
// one only saves the bookkeeping between lines.
func (d *Decoder) takeWhole(f *Frame) bool {
	d.dropLF()
	if d.seen > d.pos {
		return false
	}
	buf, at := d.buf, d.pos
	var event, id []byte
	for at < len(buf) {
		name := nameAt(buf, at)
		if name == 0 {
			return false
		}
		end := lineEnd(buf, at+name)
		next := lineAfter(buf, end)
		if next == len(buf) {
			return false
		}
		value := buf[valueAt(buf, at+name):end:end]
		switch buf[at] {
		case 'd':
			if !endsLine(buf[next]) || end+1-d.pos > d.maxFrame {
				return false
			}
			d.give(f, event, id, value, next)
			return true
		case 'e':
			event = value
		case 'i':
			if rawjson.Holds(value, 0) {
				return false
			}
			id = value
		}
		at = next
	}
	return false
}

// nameAt is the length of the field name at at with its colon, 0 when it is none
// of those that a whole block may have.
func nameAt(buf []byte, at int) int {
	rest := buf[at:]
	switch {
	case len(rest) < 6:
	case string(rest[:5]) == "data:":
		return 5
	case string(rest[:3]) == "id:":
		return 3
	case string(rest[:6]) == "event:":
		return 6
	}
	return 0
}

// valueAt is where the value begins when the colon stands before at: one space is
// no part of it.
func valueAt(buf []byte, at int) int {
	if at < len(buf) && buf[at] == ' ' {
		return at + 1
	}
	return at
}

// lineAfter is where the line behind the line end at end begins; len(buf) when
// that is not known, or when there is no line end.
func lineAfter(buf []byte, end int) int {
	if end+1 >= len(buf) {
		return len(buf)
	}
	if buf[end] == '\r' && buf[end+1] == '\n' {
		return end + 2
	}
	return end + 1
}

// give stores the frame of a whole block whose blank line ends at blank.
func (d *Decoder) give(f *Frame, event, id, data []byte, blank int) {
	f.Event, f.ID, f.Data = event, id, data
	f.HasID = id != nil
	f.Retry, f.HasRetry = 0, false
	f.Start, f.End = d.base+int64(d.pos), d.base+int64(blank)+1
	if f.HasID {
		d.lastID, d.lastLent = id, true
	}
	d.pos = blank + 1
	d.skipLF = d.buf[blank] == '\r'
}
