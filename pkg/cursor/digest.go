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

// name passes the name of a member and its colon; nil when none stands there.
func (d *digest) name() []byte {
	token := d.token()
	if token == nil || !d.walker.Byte(':') {
		return nil
	}
	return token
}

// decoded is what a text says, good until the next one.
func (d *digest) decoded(token []byte) []byte {
	if plain, ok := rawjson.PlainText(token); ok {
		return plain
	}
	d.scratch, _ = rawjson.AppendText(d.scratch[:0], token)
	return d.scratch
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
		token := d.token()
		return hashText(d.decoded(token)), token != nil
	case '[':
		return d.list(depth + 1)
	case '{':
		return d.object(depth+1, nil)
	}
	from := d.walker.At
	ok = d.walker.Skip()
	s = hashBytes(ofScalar, d.text[from:d.walker.At])
	d.walker.Space()
	return s, ok
}

func (d *digest) list(depth int) (sum, bool) {
	var h sip
	h.start(ofList)
	if depth > events.MaxDepth {
		return sum{}, false
	}
	for more := d.enter('['); more; more = d.walker.Byte(',') {
		element, ok := d.value(depth)
		if !ok {
			return sum{}, false
		}
		h.sum(element)
	}
	return h.end(0, 0), d.walker.Byte(']')
}

// object hashes the members that are chosen; a choice of nil is all of them.
func (d *digest) object(depth int, c *choice) (sum, bool) {
	var all members
	if depth > events.MaxDepth {
		return sum{}, false
	}
	for more := d.enter('{'); more; more = d.walker.Byte(',') {
		token := d.name()
		if token == nil {
			return sum{}, false
		}
		name := d.decoded(token)
		if !c.counts(name) {
			if !d.pass() {
				return sum{}, false
			}
			continue
		}
		key := hashText(name)
		value, ok := d.value(depth)
		if !ok {
			return sum{}, false
		}
		all.add(key, value)
	}
	return all.end(), d.walker.Byte('}')
}
