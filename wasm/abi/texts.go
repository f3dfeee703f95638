package abi

import "unsafe"

// textMost bounds what a stream can make both sides remember.
const textMost = 1 << 16

// texts numbers the names a stream uses, so that a row needs no text: types
// that are not in the table, generations, sessions. Id 0 is no text.
type texts struct {
	ids  map[string]uint32
	all  []string
	last string // the one asked for before, most often the same again
	id0  uint32
	full bool
}

// id answers the number of a name, a new one for a new name.
func (t *texts) id(name []byte) uint32 {
	if len(name) == 0 {
		return 0
	}
	if string(name) == t.last {
		return t.id0
	}
	id, ok := t.ids[string(name)]
	if !ok {
		id = t.add(string(name))
	}
	if id != 0 {
		t.last, t.id0 = t.all[id-1], id
	}
	return id
}

// named is [texts.id] of a name that is a string.
func (t *texts) named(name string) uint32 {
	return t.id(unsafe.Slice(unsafe.StringData(name), len(name)))
}

func (t *texts) add(name string) uint32 {
	if len(t.all) >= textMost {
		t.full = true
		return 0
	}
	if t.ids == nil {
		t.ids = make(map[string]uint32)
	}
	t.all = append(t.all, name)
	t.ids[name] = uint32(len(t.all))
	return uint32(len(t.all))
}

// text is the name of an id, false for one that was never given out.
func (t *texts) text(id uint32) (string, bool) {
	if id == 0 || int(id) > len(t.all) {
		return "", false
	}
	return t.all[id-1], true
}
