// Package canonical writes JSON in the one form that every platform agrees on, so
// that texts can be compared that mean the same: the JSON Canonicalization Scheme
// of RFC 8785.
//
// The one call is [Append]. Members are sorted by the UTF-16 code units of their
// names, numbers written as ECMAScript writes them, text escaped as little as JSON
// allows, and white space left out. What has no such form is refused, because two
// texts that differ must not become one:
//
//   - a member that stands twice in an object, and half a surrogate pair;
//   - a number beyond what a double holds: too large, not zero but too small to be
//     anything else, or an integer in plain digits that a double takes for another.
//
// A fraction is rounded to the nearest double, as the RFC has it.
//
// The package does no I/O and keeps no state, and no input makes it panic.
package canonical

import (
	"slices"

	"github.com/tidemark-stream/tidemark/internal/codeunit"
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// MaxDepth is how deep a value may nest.
const MaxDepth = 512

// Append appends the canonical form of one JSON value. What is no JSON or has no
// such form is a [fault.BadInput], and dst comes back as it was.
func Append(dst, text []byte) ([]byte, error) {
	if problem, at := rawjson.Check(text, MaxDepth); problem != rawjson.OK {
		f := fault.New(fault.BadInput, "one JSON value", problem.String())
		f.Offset = int64(at)
		return dst, f
	}
	var w writer
	w.Reset(text, MaxDepth)
	w.Space()
	w.dst = dst
	if w.value(); w.err != nil {
		return dst, w.err
	}
	return w.dst, nil
}

// writer walks a text that is known to be right, and stops at the first part that
// has no canonical form.
type writer struct {
	rawjson.Walker
	dst  []byte
	text []byte
	err  error
}

func (w *writer) Reset(text []byte, maxDepth int) {
	w.text = text
	w.Walker.Reset(text, maxDepth)
}

// value appends the value at the walker and passes white space behind it.
func (w *writer) value() {
	start := w.At
	switch rawjson.KindOf(w.text[start:]) {
	case rawjson.Object:
		w.object()
	case rawjson.Array:
		w.array()
	case rawjson.String:
		w.String()
		w.quote(w.decoded(start))
	case rawjson.Number:
		w.Skip()
		w.number(start)
	default:
		w.Skip()
		w.dst = append(w.dst, w.text[start:w.At]...)
	}
	w.Space()
}

func (w *writer) array() {
	w.Byte('[')
	w.dst = append(w.dst, '[')
	for more := w.Peek() != ']'; more && w.err == nil; {
		w.value()
		if more = w.Byte(','); more {
			w.dst = append(w.dst, ',')
		}
	}
	w.Byte(']')
	w.dst = append(w.dst, ']')
}

// member is one of an object: its name, and where it stands in what was written.
type member struct {
	name     []byte
	from, to int
}

func (w *writer) object() {
	w.Byte('{')
	w.dst = append(w.dst, '{')
	from := len(w.dst)
	var members []member
	for more := w.Peek() != '}'; more && w.err == nil; more = w.Byte(',') {
		members = append(members, w.member())
	}
	w.Byte('}')
	if w.err == nil {
		w.sort(members, from)
	}
	w.dst = append(w.dst, '}')
}

// member appends a member as the source has it next.
func (w *writer) member() member {
	start := w.At
	m := member{from: len(w.dst)}
	w.String()
	m.name = w.decoded(start)
	w.quote(m.name)
	w.Space()
	w.Byte(':')
	w.dst = append(w.dst, ':')
	w.value()
	m.to = len(w.dst)
	return m
}

// sort puts the members that were written from a place on in their order, with
// commas between them.
func (w *writer) sort(members []member, from int) {
	slices.SortStableFunc(members, func(a, b member) int { return codeunit.Compare(a.name, b.name) })
	written := slices.Clone(w.dst[from:])
	w.dst = w.dst[:from]
	for i, m := range members {
		if i > 0 {
			if string(members[i-1].name) == string(m.name) {
				w.refuse("each member once", "a second "+fault.Clip(m.name), -1)
				return
			}
			w.dst = append(w.dst, ',')
		}
		w.dst = append(w.dst, written[m.from-from:m.to-from]...)
	}
}

// decoded is the content of the string token from start to the walker.
func (w *writer) decoded(start int) []byte {
	text, ok := rawjson.AppendExactText(nil, w.text[start:w.At])
	if !ok {
		w.refuse("text in Unicode", "half a surrogate pair", start)
	}
	return text
}

// refuse keeps the first part that has no canonical form; at -1 is no place.
func (w *writer) refuse(expected, found string, at int) {
	if w.err == nil {
		f := fault.New(fault.BadInput, expected, found)
		f.Offset = int64(at)
		w.err = f
	}
}

// short has what stands behind the backslash of the controls that have a letter.
var short = [' ']byte{'\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r'}

const digits = "0123456789abcdef"

// quote appends text with the fewest escapes that JSON allows.
func (w *writer) quote(text []byte) {
	w.dst = append(w.dst, '"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			w.dst = append(w.dst, '\\', c)
		case c >= ' ':
			w.dst = append(w.dst, c)
		case short[c] != 0:
			w.dst = append(w.dst, '\\', short[c])
		default:
			w.dst = append(w.dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&0xf])
		}
	}
	w.dst = append(w.dst, '"')
}
