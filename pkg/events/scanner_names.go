package events

import (
	"bytes"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
)

// nameTable finds the member of the envelope that a name stands for. Most names
// stand for none, and most of those are told by length and first byte alone.
type nameTable struct {
	names [fieldCount]string
	slots [64]uint8 // for each slot, the fields that fall into it, one bit each
}

func (t *nameTable) add(f field, name string) {
	if name == "" {
		return
	}
	t.names[f] = name
	t.slots[slot(len(name), name[0])] |= 1 << f
}

func slot(length int, first byte) int { return (length<<2 ^ int(first)) & 63 }

// find takes the token of a name, with its quotes. It is fieldCount for a name
// that is not in the envelope.
func (t *nameTable) find(token []byte, scratch *[]byte) field {
	name := token[1 : len(token)-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		*scratch, _ = rawjson.AppendText((*scratch)[:0], token)
		name = *scratch
	}
	if len(name) == 0 {
		return fieldCount
	}
	if t.slots[slot(len(name), name[0])] == 0 {
		return fieldCount
	}
	return t.match(name)
}

func (t *nameTable) match(name []byte) field {
	for f, n := range t.names {
		if string(name) == n {
			return field(f)
		}
	}
	return fieldCount
}
