package sse

import "bytes"

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
	}
	d.begun = true
	return true
}

// takeLine takes the next finished line: buf[from:to] without its end. A line
// ends at CR, LF or CRLF. A CR ends it at once, whatever follows, so that a
// frame never waits for the next chunk; the LF of a pair is dropped later.
func (d *Decoder) takeLine() (from, to int, ok bool) {
	if d.skipLF && d.pos < len(d.buf) {
		d.skipLF = false
		if d.buf[d.pos] == '\n' {
			d.pos++
		}
	}
	from = d.pos
	to = min(d.lf.find(d.buf, from, '\n'), d.cr.find(d.buf, from, '\r'))
	if to == len(d.buf) {
		return 0, 0, false
	}
	d.pos = to + 1
	d.skipLF = d.buf[to] == '\r'
	return from, to, true
}

// mark remembers where a byte stands next, so that no byte is searched twice
// whatever the chunks and whichever line ends the stream uses.
type mark struct {
	at  int  // there is none in buf[pos:at]
	hit bool // it stands at at
}

// find is the place of the first c in buf[pos:], len(buf) when there is none.
func (m *mark) find(buf []byte, pos int, c byte) int {
	if m.at < pos {
		m.at, m.hit = pos, false
	}
	if m.hit {
		return m.at
	}
	i := bytes.IndexByte(buf[m.at:], c)
	if i < 0 {
		m.at = len(buf)
		return m.at
	}
	m.at += i
	m.hit = true
	return m.at
}
