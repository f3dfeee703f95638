package logfold

import "bytes"

// Write takes the next bytes of the log. They are not kept beyond the call, save
// for the beginning of a line.
func (f *Fold) Write(chunk []byte) {
	for {
		n := bytes.IndexByte(chunk, '\n')
		if n < 0 {
			f.hold(chunk)
			return
		}
		f.take(chunk[:n])
		chunk = chunk[n+1:]
	}
}

// End says that there are no further bytes. A last line without an end counts when
// it is a whole record; otherwise it was cut, which is a finding, and it is no
// record: a log that is still written may go on with it, so a state stands before.
func (f *Fold) End() {
	if f.length > 0 {
		f.lines++
		if f.line(f.partial, f.length, false); f.cut == 0 {
			f.start += int64(f.length)
		}
		f.lines -= f.cut
		f.length, f.partial = 0, nil
	}
	f.settle()
}

// hold keeps a piece of a line, up to one byte more than a line may have.
func (f *Fold) hold(piece []byte) {
	f.length += len(piece)
	f.partial = append(f.partial, piece[:min(len(piece), f.MaxLine+1-len(f.partial))]...)
}

// take takes the rest of a line.
func (f *Fold) take(rest []byte) {
	text, length := rest, len(rest)
	if f.length > 0 {
		f.hold(rest)
		text, length = f.partial, f.length
	}
	f.lines++
	f.line(text, length, true)
	f.start += int64(length) + 1
	f.length, f.partial = 0, f.partial[:0]
}

// line reads a line of which text is held, all of it or the beginning.
func (f *Fold) line(text []byte, length int, ended bool) {
	if ended && length == len(text) && length > 0 && text[length-1] == '\r' {
		text, length = text[:length-1], length-1
	}
	switch {
	case length > f.MaxLine:
		f.damaged(f.MaxLine, "a line of at most "+digits(int64(f.MaxLine))+" bytes", "a longer one")
		f.lost = true
		f.count(text[:f.MaxLine+1]) // as much as is held however the bytes come
	case !blank(text):
		f.record(text, ended)
	}
}

func blank(text []byte) bool {
	return len(text) == 0 || text[0] <= ' ' && len(bytes.TrimSpace(text)) == 0
}
