package sse

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// block is what is known of the block that has not ended yet.
type block struct {
	_     [0]func() // not comparable, which saves a module the code of it
	open  bool      // a field line was seen
	start int64     // offset of the first one
	size  int       // bytes that count against the limit

	fields   [fieldCount]field
	retry    int64
	hasRetry bool
}

// Places of the fields of a block.
const (
	fieldEvent = iota
	fieldID
	fieldData
	fieldCount
)

// field is a value in the buffer, or held beside it.
type field struct {
	_        [0]func()
	from, to int // buf[from:to], unless held
	set      bool
	held     bool
}

// maxRetry bounds retry so that it survives a float64; beyond it the field is
// ignored, like any other value that cannot be a number of milliseconds.
const maxRetry = 1<<53 - 1

// takeField reads one line that is not blank. false: the block is too large.
// The limit is judged as it was while the line came in, so that no cut differs.
func (d *Decoder) takeField(from, to int) bool {
	line := d.buf[from:to]
	b := &d.block
	size := b.size + len(line) // as long as the line had not ended
	if line[0] == ':' && size <= d.maxFrame {
		d.comments++
		return true
	}
	if size++; size > d.maxFrame {
		d.fail(from)
		return false
	}
	b.size = size
	if !b.open {
		b.open, b.start = true, d.base+int64(from)
	}
	if len(line) > 5 && string(line[:5]) == "data:" { // most lines
		d.addData(valueAt(d.buf, from+5), to)
		return true
	}
	name, value := splitField(line)
	d.setField(line[:name], from+value, to)
	return true
}

// splitField is the length of the field's name and where its value begins: one
// space behind the colon is no part of it, and no colon means an empty value.
func splitField(line []byte) (name, value int) {
	for ; name < len(line); name++ {
		if line[name] == ':' {
			return name, valueAt(line, name+1)
		}
	}
	return name, name
}

// setField gives one field its meaning; unknown names have none. Names are
// compared byte by byte.
func (d *Decoder) setField(name []byte, from, to int) {
	switch string(name) {
	case "data":
		d.addData(from, to)
	case "event":
		d.setValue(fieldEvent, from, to)
	case "id":
		if !rawjson.Holds(d.buf[from:to], 0) {
			d.setValue(fieldID, from, to)
		}
	case "retry":
		if ms, ok := parseRetry(d.buf[from:to]); ok {
			d.retry, d.hasRetry = ms, true
			d.block.retry, d.block.hasRetry = ms, true
		}
	}
}

// addData joins the values of the block's data lines in place: the next value
// moves down to stand one LF behind the one before.
func (d *Decoder) addData(from, to int) {
	v := &d.block.fields[fieldData]
	if !v.set {
		v.from, v.to, v.set = from, to, true
		return
	}
	d.buf[v.to] = '\n'
	v.to += 1 + copy(d.buf[v.to+1:], d.buf[from:to])
}

// setValue remembers an event or id field. Behind the first data line it is
// copied aside, because the next data line may move down over it.
//
//go:noinline
func (d *Decoder) setValue(i, from, to int) {
	v := &d.block.fields[i]
	v.from, v.to, v.set, v.held = from, to, true, d.block.fields[fieldData].set
	if v.held {
		d.held[i] = append(d.held[i][:0], d.buf[from:to]...)
	}
}

// endBlock closes the block: its id becomes the last id, and a frame comes out
// when it had data, or an id that is to be shown.
func (d *Decoder) endBlock(f *Frame) bool {
	b := &d.block
	if !b.open {
		return false
	}
	if b.fields[fieldID].set {
		d.show(&d.lastID, fieldID)
		d.lastLent = true
	}
	has := b.fields[fieldData].set || d.ids && b.fields[fieldID].set
	if has {
		d.show(&f.Event, fieldEvent)
		d.show(&f.Data, fieldData)
		f.ID, f.HasID = nil, b.fields[fieldID].set
		if f.HasID {
			f.ID = d.lastID
		}
		f.Retry, f.HasRetry = b.retry, b.hasRetry
		f.Start, f.End = b.start, d.base+int64(d.pos)
	}
	d.block = block{}
	return has
}

// show stores a field's value as a frame shows it, nil when it was not set.
//
//go:noinline
func (d *Decoder) show(into *[]byte, i int) {
	v := &d.block.fields[i]
	switch {
	case !v.set:
		*into = nil
	case v.held:
		*into = d.lend(d.held[i])
	default:
		*into = d.buf[v.from:v.to:v.to]
	}
}

// parseRetry reads ASCII digits, and nothing else.
func parseRetry(text []byte) (ms int64, ok bool) {
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		ms = ms*10 + int64(c-'0')
		if ms > maxRetry {
			return 0, false
		}
	}
	return ms, len(text) > 0
}
