package sse

const byteOrderMark = "\xEF\xBB\xBF"

// skipMark judges the first bytes of the connection once: one byte order mark
// is dropped. false: they do not suffice yet.
func (d *Decoder) skipMark() bool {
	rest := d.buf[d.pos:]
	n := min(len(rest), len(byteOrderMark))
	if string(rest[:n]) == byteOrderMark[:n] {
		if n < len(byteOrderMark) {
			return false
		}
		d.pos += n
		d.first = n
	}
	d.begun = true
	return true
}

// takeLine takes the next finished line: buf[from:to] without its end. A line
// ends at CR, LF or CRLF. A CR ends it at once, whatever follows, so that a
// frame never waits for the next chunk; the LF of a pair is dropped later.
func (d *Decoder) takeLine() (from, to int, ok bool) {
	d.dropLF()
	from = d.pos
	if from >= d.last {
		return 0, 0, false
	}
	to = lineEnd(d.buf, from)
	d.pos = to + 1
	d.skipLF = d.buf[to] == '\r'
	return from, to, true
}

// dropLF drops the LF of a CRLF whose CR ended the line before.
func (d *Decoder) dropLF() {
	if d.skipLF && d.pos < len(d.buf) {
		d.skipLF = false
		if d.buf[d.pos] == '\n' {
			d.pos++
		}
	}
}

func endsLine(c byte) bool { return c == '\n' || c == '\r' }
