package cursor

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// digest walks a JSON text once and hashes what it passes.
type digest struct {
	text    []byte
	walker  rawjson.Walker
	scratch []byte // a decoded text
}

// keepScratch is how much scratch space outlives an event, in bytes.
const keepScratch = 1 << 16

func (d *digest) start(text []byte) {
	if cap(d.scratch) > keepScratch {
		d.scratch = nil
	}
	d.text = text
	d.walker.Reset(text, len(text))
	d.walker.Space()
}

// enter goes into an array or object, and reports whether anything is in it.
func (d *digest) enter(bracket byte) bool {
	return d.walker.Byte(bracket) && d.walker.Peek() != bracket+2
}

// token passes a text, and white space behind it; nil when none stands there.
func (d *digest) token() []byte {
	from := d.walker.At
	if !d.walker.String() {
		return nil
	}
	to := d.walker.At
	d.walker.Space()
	return d.text[from:to]
}

// decode is what a text says, good until the next one. False: it is none.
func (d *digest) decode(token []byte) (text []byte, ok bool) {
	if text, ok = rawjson.PlainText(token); !ok {
		d.scratch, ok = rawjson.AppendText(d.scratch[:0], token)
		text = d.scratch
	}
	return text, ok
}

// pass passes a value, and white space behind it.
func (d *digest) pass() bool {
	ok := d.walker.Skip()
	d.walker.Space()
	return ok
}

// value hashes a value that stands inside depth levels, and passes white space
// behind it.
func (d *digest) value(depth int) (s sum, ok bool) {
	switch d.walker.Peek() {
	case '"':
		text, ok := d.decode(d.token())
		return ofText.text(text), ok
	case '[':
		return d.list(depth + 1)
	case '{':
		return d.object(depth+1, nil)
	}
	from := d.walker.At
	ok = d.walker.Skip()
	s = ofScalar.text(d.text[from:d.walker.At])
	d.walker.Space()
	return s, ok
}

func (d *digest) list(depth int) (sum, bool) {
	var all sum
	if depth > events.MaxDepth {
		return sum{}, false
	}
	for more := d.enter('['); more; more = d.walker.Byte(',') {
		element, ok := d.value(depth)
		if !ok {
			return sum{}, false
		}
		all = ofList.pair(all, element)
	}
	return all, d.walker.Byte(']')
}

// object hashes the members that are chosen; a choice of nil is all of them.
func (d *digest) object(depth int, c *choice) (sum, bool) {
	var all sum
	if depth > events.MaxDepth {
		return sum{}, false
	}
	for more := d.enter('{'); more; more = d.walker.Byte(',') {
		name, ok := d.decode(d.token())
		if !ok || !d.walker.Byte(':') {
			return sum{}, false
		}
		if !c.counts(name) {
			if !d.pass() {
				return sum{}, false
			}
			continue
		}
		key := ofText.text(name)
		value, ok := d.value(depth)
		if !ok {
			return sum{}, false
		}
		all = all.plus(ofMember.pair(key, value))
	}
	return ofObject.pair(all, sum{}), d.walker.Byte('}')
}
