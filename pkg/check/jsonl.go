package check

import (
	"bytes"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
)

// lines reads a JSONL log: one event a line, blank lines passed over.
type lines struct {
	c     *Checker
	carry []byte // of the line that has not ended
	start int64  // offset of the line
	line  int64  // lines that ended
	skips bool   // the line is beyond the limit; wait for its end
}

// keepCarry is how much memory for unfinished lines outlives a large one.
const keepCarry = 1 << 20

func (r *lines) feed(chunk []byte) {
	for len(chunk) > 0 {
		i := bytes.IndexByte(chunk, '\n')
		if i < 0 {
			r.keep(chunk)
			return
		}
		r.finish(chunk[:i])
		chunk = chunk[i+1:]
	}
}

// finish ends the line with its last bytes.
func (r *lines) finish(part []byte) {
	length := len(part)
	if len(r.carry) > 0 || r.skips || length > r.c.options.MaxFrame {
		r.keep(part)
		part, length = r.carry, len(r.carry)
	}
	if !r.skips {
		r.take(part, true)
		r.start += int64(length)
	}
	r.start++
	r.line++
	r.skips = false
	if cap(r.carry) > keepCarry {
		r.carry = nil
	}
	r.carry = r.carry[:0]
}

// keep adds to the line that has not ended. Of one beyond the limit only the
// length is kept.
func (r *lines) keep(part []byte) {
	if !r.skips && len(r.carry)+len(part) > r.c.options.MaxFrame {
		r.c.report(Finding{Kind: TooLarge, What: tooLongLine(r.c.options.MaxFrame), Place: r.place(0)})
		r.start += int64(len(r.carry))
		r.skips, r.carry = true, nil
	}
	if r.skips {
		r.start += int64(len(part))
		return
	}
	r.carry = append(r.carry, part...)
}

func (r *lines) place(space int) Place {
	return Place{Line: r.line + 1, Offset: r.start + int64(space), At: -1}
}

// take judges one line. One that never ended may be half of one.
func (r *lines) take(text []byte, ended bool) {
	if r.start == 0 {
		text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	}
	whole := len(text)
	text = bytes.TrimLeft(text, " \t\r")
	space := whole - len(text)
	text = bytes.TrimRight(text, " \t\r")
	if len(text) == 0 {
		return
	}
	problem := r.c.scan(text)
	if problem != 0 && !ended {
		r.c.report(Finding{Kind: Damaged, What: halfLine, Place: r.place(space)})
		return
	}
	r.c.take(text, problem, cursor.ID{}, r.place(space))
}

func (r *lines) end(stopped bool) {
	if len(r.carry) == 0 || stopped {
		return
	}
	r.take(r.carry, false)
}
