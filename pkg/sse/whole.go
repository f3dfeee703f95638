package sse

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// byLine is the answer of takeWhole for blocks that have to be taken line by line.
const byLine = Failed

// maxAgain is how many bytes are read again with each chunk until the data line of
// their block has ended.
const maxAgain = 256

// takeWhole takes a block of the common shape in one go: id and event lines in
// any order, one data line, a blank line. One that has not come as far as the end
// of its data line is left for later, as a whole; NeedData says so. Anything else
// it leaves untouched for the way line by line, which gives the same for every
// block; this one only saves the bookkeeping between lines.
func (d *Decoder) takeWhole(f *Frame) Status {
	d.dropLF()
	buf, at := d.buf, d.pos
	var event, id []byte
	for at < d.last {
		name := nameAt(buf, at)
		if name == 0 {
			return byLine
		}
		end := lineEnd(buf, at+name)
		next := lineAfter(buf, end)
		value := buf[valueAt(buf, at+name):end:end]
		switch buf[at] {
		case 'd':
			if next == len(buf) || !endsLine(buf[next]) || end+1-d.pos > d.maxFrame {
				return byLine
			}
			d.give(f, event, id, value, next)
			return HaveFrame
		case 'e':
			event = value
		case 'i':
			if rawjson.Holds(value, 0) {
				return byLine
			}
			id = value
		}
		at = next
	}
	if at-d.pos > maxAgain || len(buf)-d.pos > d.maxFrame {
		return byLine
	}
	return NeedData
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
