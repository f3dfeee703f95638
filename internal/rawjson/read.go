package rawjson

import "unsafe"

// Member is one row of a table that says how an object is read: the name of a
// member, where its value goes, and what reads it.
//
// A table is data, so a member costs a module a few words of it and no code.
// What a row cannot say safely, its test has to: Offset is that of a field of the
// type that Read fills.
type Member struct {
	Name   string // "" in the last row: any other name
	Offset uintptr
	Read   Reader // nil: the value is passed over
	Words  string // what the value should be; the names that [ReadChoice] knows, with " or " between
}

// Reader reads one value into a field at into. False: the value is not usable.
type Reader func(into unsafe.Pointer, raw []byte, words string) bool

// Unread is why [Read] stopped.
type Unread struct {
	Blame   Blame
	Problem Problem // with BlameText
	At      int     // with BlameText: where, in bytes
	Name    string  // of the member, with BlameName and BlameValue
	Words   string  // with BlameValue: what the value should be
	Raw     []byte  // with BlameValue: the value
}

// Blame is what could not be read.
type Blame uint8

// What is to blame.
const (
	BlameText  Blame = iota // it is no JSON
	BlameKind               // it is JSON, but no object
	BlameName               // a member that the table does not have
	BlameValue              // the value of a member
)

// Read reads an object into a struct, member by member in the order of the text.
// nil: all of it was read. The members before the one that stopped it are set.
func Read(text []byte, maxDepth int, into unsafe.Pointer, table []Member) *Unread {
	if problem, at := Check(text, maxDepth); problem != OK {
		return &Unread{Problem: problem, At: at}
	}
	return ReadValue(text, into, table)
}

// ReadValue is [Read] for text that has passed [Check].
func ReadValue(text []byte, into unsafe.Pointer, table []Member) *Unread {
	var w Walker
	var p pair
	if KindOf(text) != Object {
		return &Unread{Blame: BlameKind}
	}
	for more := w.enter(text, '{'); more && w.pair(&p); more = w.Byte(',') {
		name, raw := w.nameOf(&p), w.valueOf(&p)
		m := find(table, name)
		if m == nil || m.Read != nil && !m.Read(unsafe.Add(into, m.Offset), raw, m.Words) {
			return unread(m, name, raw)
		}
	}
	return nil
}

// unread blames a member: its value when the table has it.
func unread(m *Member, name, raw []byte) *Unread {
	u := &Unread{Blame: BlameName, Name: string(name)}
	if m != nil {
		u.Blame, u.Words, u.Raw = BlameValue, m.Words, raw
	}
	return u
}

func find(table []Member, name []byte) *Member {
	for i := range table {
		if m := &table[i]; m.Name == "" || m.Name == string(name) {
			return m
		}
	}
	return nil
}

// ReadText reads text into a string.
func ReadText(into unsafe.Pointer, raw []byte, _ string) bool {
	text, ok := Text(raw)
	if ok {
		*(*string)(into) = text
	}
	return ok
}

// ReadBool reads true or false into a bool.
func ReadBool(into unsafe.Pointer, raw []byte, _ string) bool {
	*(*bool)(into) = raw[0] == 't'
	return KindOf(raw) == Bool
}

// ReadInt reads an integer of at least 0 into an int.
func ReadInt(into unsafe.Pointer, raw []byte, _ string) bool {
	n, ok := Uint(raw)
	if ok {
		*(*int)(into) = int(n)
	}
	return ok
}

// ReadRaw takes any value as it stands into a []byte, which stays a slice of the text.
func ReadRaw(into unsafe.Pointer, raw []byte, _ string) bool {
	*(*[]byte)(into) = raw
	return true
}

// ReadTexts reads a list of texts into a []string; an empty list is a list, not
// absence.
func ReadTexts(into unsafe.Pointer, raw []byte, _ string) bool {
	list := []string{}
	ok := Each(raw, func(element []byte) bool {
		text, ok := Text(element)
		list = append(list, text)
		return ok
	})
	*(*[]string)(into) = list
	return ok
}

// ReadChoice reads one of the words as the number of its place, into a byte.
func ReadChoice(into unsafe.Pointer, raw []byte, words string) bool {
	name, ok := Text(raw)
	if !ok {
		return false
	}
	for place := uint8(0); words != ""; place++ {
		word, rest := cutChoice(words)
		if word == name {
			*(*uint8)(into) = place
			return true
		}
		words = rest
	}
	return false
}

// cutChoice takes the first of the words, which have " or " between them.
func cutChoice(words string) (first, rest string) {
	const between = " or "
	for i := 0; i+len(between) < len(words); i++ {
		if words[i:i+len(between)] == between {
			return words[:i], words[i+len(between):]
		}
	}
	return words, ""
}

// Each shows the elements of an array, as they stand, until f answers false. It
// answers false then, and for a value that is no array. The text is meant to have
// passed [Check].
func Each(array []byte, f func(element []byte) bool) bool {
	return KindOf(array) == Array && each(array, f)
}
