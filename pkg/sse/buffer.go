package sse

// buffer holds the bytes of the unfinished block, and those of the frames that
// were lent out since the last feed.
type buffer struct {
	buf  []byte // what was fed and may still be needed
	pos  int    // start of the first line not yet taken
	base int64  // offset of buf[0] in the stream
	room int    // reserved behind len(buf)
	last int    // behind the last line end in buf, so that no line is searched for an end that is still to come

	held  [fieldData][]byte // values of the block that its data could move over
	lent  []byte            // such values as frames show them
	spare int               // makings of room in a row that needed little of a large buffer
}

const (
	minBuffer   = 4 << 10
	largeBuffer = 1 << 20 // above this a buffer that is hardly used is given back
	spareLimit  = 64
)

// Reserve is room for n bytes behind what was fed so far, in the decoder's own
// memory: write there, then Commit. It ends the life of all frames taken so
// far; the room itself is valid until the next call but Commit.
//
// Drain with Next before you reserve again: bytes that were not looked at are
// kept, whatever their number.
func (d *Decoder) Reserve(n int) []byte {
	n = max(n, 0)
	d.keepLastID()
	d.lent = d.lent[:0]
	d.makeRoom(d.lowest(), n)
	d.room = n
	end := len(d.buf)
	return d.buf[end : end+n : end+n]
}

// Commit says that n of the reserved bytes were written; more than were
// reserved are not taken. After a fault the bytes are dropped.
func (d *Decoder) Commit(n int) {
	n = min(max(n, 0), d.room)
	d.room = 0
	if d.failed != nil {
		return
	}
	fed := len(d.buf)
	d.buf = d.buf[:fed+n]
	if end := linesEnd(d.buf, fed); end > fed {
		d.last = end
	}
}

// Feed copies a chunk of the stream into the decoder, see [Decoder.Reserve].
func (d *Decoder) Feed(chunk []byte) {
	d.Commit(copy(d.Reserve(len(chunk)), chunk))
}

// keepLastID moves the last id out of memory that is about to change.
func (d *Decoder) keepLastID() {
	if d.lastLent {
		d.lastOwn = append(d.lastOwn[:0], d.lastID...)
		d.lastID, d.lastLent = d.lastOwn, false
	}
}

// lowest is the first place in the buffer that the unfinished block needs.
func (d *Decoder) lowest() int {
	low := d.pos
	for i := range d.block.fields {
		if v := &d.block.fields[i]; v.set && !v.held {
			low = min(low, v.from)
		}
	}
	return low
}

// makeRoom lets n bytes follow. Bytes below low are dropped when they outweigh
// what has to be moved, or when room is short. So the work is linear in the
// stream whatever the chunks, and a busy stream stays in a small part of memory.
func (d *Decoder) makeRoom(low, n int) {
	kept := len(d.buf) - low
	if kept > low && len(d.buf)+n <= cap(d.buf) {
		return
	}
	d.move(low, d.newSize(kept+n, n))
}

// newSize is the size of new memory for need bytes; 0 when the old one will do.
// It doubles, but not beyond what a whole frame and this chunk take.
func (d *Decoder) newSize(need, n int) int {
	if d.oversized(need) {
		return max(2*need, minBuffer)
	}
	if need <= cap(d.buf) {
		return 0
	}
	size := 2 * cap(d.buf)
	if bound := d.maxFrame + max(n, minBuffer); need <= bound {
		size = min(size, bound)
	}
	return max(need, size, minBuffer)
}

// oversized reports a large buffer of which little was needed for a while.
func (d *Decoder) oversized(need int) bool {
	if cap(d.buf) <= largeBuffer || need > cap(d.buf)/4 {
		d.spare = 0
		return false
	}
	d.spare++
	return d.spare%spareLimit == 0
}

// move drops the bytes below low; size > 0 takes new memory of that size.
func (d *Decoder) move(low, size int) {
	if size > 0 {
		d.buf = append(make([]byte, 0, size), d.buf[low:]...)
	} else {
		d.buf = d.buf[:copy(d.buf, d.buf[low:])]
	}
	d.discard(low)
	for i := range d.block.fields {
		v := &d.block.fields[i]
		v.from -= low
		v.to -= low
	}
}

// discard moves the origin of all places in the buffer up by n.
func (b *buffer) discard(n int) {
	b.base += int64(n)
	b.pos -= n
	b.last -= n
}

// lend copies a value to memory that stays until the next feed. Never nil.
func (b *buffer) lend(value []byte) []byte {
	if b.lent == nil {
		b.lent = make([]byte, 0, 64)
	}
	from := len(b.lent)
	b.lent = append(b.lent, value...)
	return b.lent[from:len(b.lent):len(b.lent)]
}

// reset drops all bytes and keeps the memory.
func (b *buffer) reset() {
	b.buf, b.lent = b.buf[:0], b.lent[:0]
	b.pos, b.base, b.room, b.last = 0, 0, 0, 0
}
