package disk

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// lines reads a file line by line and knows where each one starts.
type lines struct {
	in    *bufio.Reader
	at    int64 // of the next byte
	most  int   // bytes of a line
	whole []byte
}

// line is one line without its end, which is LF or CR LF (R-381). Its text is valid until the next one.
type line struct {
	text  []byte
	start int64
	next  int64 // where the next line starts
	ended bool  // there was a line break
}

var errLongLine = errors.New("the line is longer than a record may be")

// newLines reads the bytes from … to of f.
func newLines(f io.ReaderAt, from, to int64, most int) *lines {
	room := min(to-from, 64<<10) // an append reads back one line
	return &lines{in: bufio.NewReaderSize(io.NewSectionReader(f, from, to-from), int(room)), at: from, most: most}
}

// next answers io.EOF when there is no further byte, errLongLine with the place.
func (l *lines) next() (line, error) {
	n := line{start: l.at}
	l.whole = l.whole[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		l.at += int64(len(part))
		if len(l.whole)+len(part) > l.most+2 {
			return n, errLongLine
		}
		switch {
		case err == bufio.ErrBufferFull:
			l.whole = append(l.whole, part...)
			continue
		case err != nil && err != io.EOF:
			return n, err
		case err == io.EOF && len(part)+len(l.whole) == 0:
			return n, io.EOF
		}
		if len(l.whole) > 0 {
			l.whole = append(l.whole, part...)
			part = l.whole
		}
		n.text, n.next, n.ended = part, l.at, err == nil
		if n.ended {
			n.text = bytes.TrimSuffix(part[:len(part)-1], []byte("\r"))
		}
		return n, nil
	}
}

// trimmed is the line's text without white space around it.
func trimmed(l line) []byte { return bytes.TrimSpace(l.text) }
