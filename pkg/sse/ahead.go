package sse

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// Ahead and Take are [Decoder.Next] for callers that find the end of an event by
// reading it, so that no byte is searched for the end of its line first.
//
// Ahead answers what was fed from the next frame's data on, when that frame is an
// id line or none, and then data whose line has ended. It stores id and data in f,
// which is no frame yet, and takes nothing: the caller reads on and tells Take how
// long the data is, or calls Next, which begins with the same frame. nil: only Next
// can tell; what f holds then is worthless.
func (d *Decoder) Ahead(f *Frame) []byte {
	d.dropLF()
	f.ID, f.Data = nil, nil
	if d.block.open || !d.begun || d.pos >= d.last {
		return nil
	}
	rest := d.buf[d.pos:len(d.buf):len(d.buf)]
	if len(rest) > 3 && string(rest[:3]) == "id:" {
		at := d.idLine(f, rest)
		rest = rest[at:]
	}
	if len(d.buf)-len(rest) >= d.last || len(rest) < 6 || string(rest[:6]) != "data: " {
		return nil
	}
	f.Data = rest[6:]
	return f.Data
}

// idLine stores the id of the line that rest begins with, and answers where the
// next line begins; the end when that is not known.
func (d *Decoder) idLine(f *Frame, rest []byte) int {
	end := lineEnd(rest, 3)
	f.ID = rest[valueAt(rest, 3):end:end]
	if rawjson.Holds(f.ID, 0) {
		return len(rest)
	}
	return lineAfter(rest, end)
}

// Take takes the frame that Ahead began, whose data is the first n bytes of what
// Ahead answered. False: it is not known yet, or not true, that exactly those are
// the data; nothing is taken then.
//
// The n bytes must hold no line end.
func (d *Decoder) Take(f *Frame, n int) bool {
	end := len(d.buf) - len(f.Data) + n
	blank := lineAfter(d.buf, end)
	if blank == len(d.buf) || !endsLine(d.buf[end]) || !endsLine(d.buf[blank]) || end+1-d.pos > d.maxFrame {
		return false
	}
	d.give(f, nil, f.ID, f.Data[:n:n], blank)
	return true
}
