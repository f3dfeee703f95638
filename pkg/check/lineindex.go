package check

import "bytes"

// lineIndex knows on which line each block of an event stream begins. It reads
// the same bytes as the decoder, ahead of it.
type lineIndex struct {
	at     int64 // offset of the next byte
	begin  int64 // offset of the line that has not ended
	ended  int64 // lines that ended
	first  byte  // of that line
	filled bool  // it has a byte
	skipLF bool  // the last line ended in CR: an LF that follows belongs to it
	open   bool  // the block has a field line
	starts []lineStart
	from   int // starts before it were asked for
}

type lineStart struct{ offset, line int64 }

// feed reads a chunk. Blocks of former chunks are forgotten but for the open one.
func (x *lineIndex) feed(chunk []byte) {
	x.forget()
	i := 0
	if x.skipLF && len(chunk) > 0 {
		x.skipLF = false
		if chunk[0] == '\n' {
			i++
			x.begin++
		}
	}
	lf, cr := -1, -1
	for i < len(chunk) {
		if lf < i {
			lf = indexFrom(chunk, i, '\n')
		}
		if cr < i {
			cr = indexFrom(chunk, i, '\r')
		}
		end := min(lf, cr)
		if end > i && !x.filled {
			x.first, x.filled = chunk[i], true
		}
		if end == len(chunk) {
			break
		}
		i = x.endLine(chunk, end)
	}
	x.at += int64(len(chunk))
}

// indexFrom is the place of c from i on, len(b) when there is none.
func indexFrom(b []byte, i int, c byte) int {
	if n := bytes.IndexByte(b[i:], c); n >= 0 {
		return i + n
	}
	return len(b)
}

// endLine ends the line at end and answers where the next one begins.
func (x *lineIndex) endLine(chunk []byte, end int) (next int) {
	switch {
	case !x.filled:
		x.open = false
	case x.first != ':' && !x.open:
		x.open = true
		x.starts = append(x.starts, lineStart{x.begin, x.ended + 1})
	}
	x.ended++
	x.filled = false
	next = end + 1
	if chunk[end] == '\r' {
		switch {
		case next == len(chunk):
			x.skipLF = true
		case chunk[next] == '\n':
			next++
		}
	}
	x.begin = x.at + int64(next)
	return next
}

// forget keeps the open block only.
func (x *lineIndex) forget() {
	n := len(x.starts)
	if n > 0 && x.open {
		x.starts[0] = x.starts[n-1]
		n = 1
	} else {
		n = 0
	}
	x.starts, x.from = x.starts[:n], 0
}

// lineOf is the line of the block that begins at offset, blocks asked for in the
// order of the stream; a byte order mark may stand before its first line.
func (x *lineIndex) lineOf(offset int64) int64 {
	for x.from+1 < len(x.starts) && x.starts[x.from+1].offset <= offset {
		x.from++
	}
	if x.from < len(x.starts) && offset < x.begin {
		return x.starts[x.from].line
	}
	return x.ended + 1
}

// last is the line and offset of the block that has not ended, else of the line.
func (x *lineIndex) last() (line, offset int64) {
	if n := len(x.starts); n > 0 && x.open {
		return x.starts[n-1].line, x.starts[n-1].offset
	}
	return x.ended + 1, x.begin
}
