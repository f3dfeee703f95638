//go:build !wasm

package rawjson

import "bytes"

// Quickly says whether QuickFields is the quickest way to a text's members here.
const Quickly = false

// QuickFields finds the wanted members of the object that the text begins with,
// if that has a line of its own, without a line break inside. It answers the
// length of the object then: it is valid JSON in UTF-8, with at most maxDepth
// levels of arrays and objects inside, and no wanted name stands there twice. When
// it answers 0, found is worthless, and [Walker.Fields] has to say what the text
// is.
//
// In WebAssembly this is written by hand, and the way that most events take. Here
// it only keeps that way the same.
func QuickFields(text []byte, maxDepth int, names *Names, found *Quick) int {
	text = text[:firstLine(text)]
	var w Walker
	var fields Fields
	w.Reset(text, maxDepth)
	if !w.Fields(names, &fields) || w.At != len(text) || fields.Again != 0 {
		return 0
	}
	*found = Quick{High: !w.ASCII()}
	for i := range fields.Field {
		if fields.Field[i].To != 0 {
			found.sort(text, i, fields.Field[i], names.strict>>i&1 != 0)
		}
	}
	return len(text)
}

// firstLine is where the first line ends. Streams end lines in LF, so that is looked
// for first, but never far beyond a CR.
func firstLine(text []byte) int {
	for at := 0; ; at += step {
		part := text[at:min(len(text), at+step)]
		end := bytes.IndexByte(part, '\n')
		if end < 0 {
			end = len(part)
		}
		if cr := bytes.IndexByte(part[:end], '\r'); cr >= 0 {
			end = cr
		}
		if end < len(part) || at+step >= len(text) {
			return at + end
		}
	}
}

// step is how far is looked at once.
const step = 1 << 10

// sort puts the value of the name of number i into the set that it belongs to.
func (q *Quick) sort(text []byte, i int, f Field, strict bool) {
	raw := text[f.From:f.To]
	set := &q.Other
	switch {
	case f.Plain && len(raw) > 2:
		f.From, f.To = f.From+1, f.To-1
		set = q.textSet(raw, strict)
	case raw[0] == 'n':
		set = &q.Null
	case onlyDigits(raw):
		set = &q.Digits
	}
	q.From[i], q.To[i] = f.From, f.To
	*set |= 1 << i
}

func (q *Quick) textSet(raw []byte, strict bool) *uint8 {
	set := &q.Text
	for _, c := range raw {
		if c == 0x7f && strict {
			return &q.Other
		}
		if c > 0x7f {
			set = &q.Foreign
		}
	}
	return set
}

func onlyDigits(raw []byte) bool {
	for _, c := range raw {
		if c-'0' > 9 {
			return false
		}
	}
	return true
}
