package sse

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// DefaultMaxFrame is the frame limit of NewDecoder(0), in bytes.
const DefaultMaxFrame = 48 << 20

// Decoder turns the bytes of one connection into frames. Make one with
// [NewDecoder]; feed it, then drain it with Next until it answers NeedData,
// then wait for more bytes.
type Decoder struct {
	buffer
	maxFrame int
	failed   *fault.Fault

	ids    bool // blocks of an id alone are shown
	first  int  // length of the byte order mark of the connection, 0 when it has none
	begun  bool // the first bytes were judged for a byte order mark
	skipLF bool // the last line ended in CR: an LF that follows belongs to it
	block  block

	lastID   []byte // committed last id; may alias the buffer while lastLent
	lastOwn  []byte // its own memory
	lastLent bool

	retry    int64
	hasRetry bool
	comments int64
}

// NewDecoder makes a decoder that accepts frames of at most maxFrame bytes. 0
// (or less) means [DefaultMaxFrame].
//
// The size of a frame is that of its field lines, with one byte for each line
// end, without the blank line. Finished comments are not part of it, but a
// line that has not ended yet counts whatever it is.
func NewDecoder(maxFrame int) *Decoder {
	if maxFrame <= 0 {
		maxFrame = DefaultMaxFrame
	}
	return &Decoder{maxFrame: maxFrame}
}

// Next stores the next frame in f and answers HaveFrame, or answers why there
// is none. On any other answer f is left as it was.
func (d *Decoder) Next(f *Frame) Status {
	if d.failed != nil {
		return Failed
	}
	if !d.begun && !d.skipMark() {
		return NeedData
	}
	for {
		if !d.block.open {
			if status := d.takeWhole(f); status != byLine {
				return status
			}
		}
		from, to, ok := d.takeLine()
		switch {
		case !ok:
			return d.wait()
		case from == to:
			if d.endBlock(f) {
				return HaveFrame
			}
		case !d.takeField(from, to):
			return Failed
		}
	}
}

// wait judges the line that has not ended yet: it counts against the limit.
func (d *Decoder) wait() Status {
	if d.block.size+len(d.buf)-d.pos > d.maxFrame {
		return d.fail(d.pos)
	}
	return NeedData
}

// fail makes the frame limit final. line is where the line begins that went
// beyond it; the fault points at the block it belongs to. What was not taken
// is dropped; frames taken before stay as they are.
func (d *Decoder) fail(line int) Status {
	at := d.base + int64(line)
	if d.block.open {
		at = d.block.start
	}
	f := fault.New(fault.FrameTooLarge, "a frame of at most "+string(rawjson.AppendInt(nil, int64(d.maxFrame)))+" bytes", "a longer one")
	f.Offset = at
	d.failed, d.block, d.pos = f, block{}, len(d.buf)
	return Failed
}

// Fault is why Next answered Failed: [fault.FrameTooLarge] with the limit and
// the offset at which the frame begins. nil before that.
func (d *Decoder) Fault() *fault.Fault { return d.failed }

// End is told that the stream has ended, after the last drain. A block that was
// not closed by a blank line is dropped, its id is not kept, and the answer is
// true: the stream was cut inside a frame. Comments are no part of a block, and
// after a fault, which says more, the answer is false.
func (d *Decoder) End() (incompleteTail bool) {
	rest := d.buf[d.pos:]
	cut := d.block.open || len(rest) > 0 && rest[0] != ':'
	d.pos = len(d.buf)
	d.block = block{}
	return cut
}

// LastEventID is the last id of the connection, empty when there is none. It
// moves when a block ends, with or without data, so after Next it is the one
// that belongs to the frame. Valid until the next Reserve, Feed or Reset.
func (d *Decoder) LastEventID() []byte { return d.lastID }

// Retry is the last valid retry field in milliseconds, 0 .. 2^53-1; not ok when
// there was none. Unlike an id it counts as soon as its line has ended, as the
// standard has it. The value is the server's: clamp it before you wait.
func (d *Decoder) Retry() (ms int64, ok bool) { return d.retry, d.hasRetry }

// Settled is how many bytes of the connection are taken: behind them stands the
// block that has not ended, if any.
func (d *Decoder) Settled() int64 {
	if d.block.open {
		return d.block.start
	}
	return d.base + int64(d.pos)
}

// ShowIDs makes frames of blocks that have an id and no data, too: they dispatch
// nothing, but move the place from which a browser asks to go on. Their Data is nil.
func (d *Decoder) ShowIDs() { d.ids = true }

// Midway says that the bytes to come are not the first of their connection, so that no
// byte order mark is among them.
func (d *Decoder) Midway() { d.begun = true }

// First is where the first line of the connection begins: behind its byte order mark.
func (d *Decoder) First() int64 { return int64(d.first) }

// Comments counts the finished comment lines of the connection: signs of life.
func (d *Decoder) Comments() int64 { return d.comments }

// Reset begins a new connection to the same source: buffered bytes, the block,
// a fault, offsets and the comment count are dropped, and a byte order mark may
// come again. The last id and retry are kept, as the standard asks; [Decoder.Forget]
// drops them as well.
func (d *Decoder) Reset() {
	d.buffer.reset()
	d.failed, d.block = nil, block{}
	d.begun, d.skipLF, d.first = false, false, 0
	d.comments = 0
}

// Forget drops the last id and retry, for a decoder that turns to another source.
func (d *Decoder) Forget() {
	d.lastID, d.lastLent = nil, false
	d.retry, d.hasRetry = 0, false
}
