package park

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// kind is a type of record that makes or settles a park.
type kind uint8

const (
	requested kind = iota
	resolved
	expired
	noKind
)

var kindNames = [...]string{"decision_requested", "decision_resolved", "decision_expired"}

// Types are the types of record that matter here, by name. All others can be left
// out of what a fold is shown.
func Types() []string { return append([]string(nil), kindNames[:]...) }

// kindOf reads a record up to its type and no further, which is all that most
// records ever get. What stands twice is malformed, so the first type there
// is settles that a record is none of these; that it is one is only settled by
// reading on.
func kindOf(record []byte) kind {
	var w rawjson.Walker
	w.Reset(record, len(record))
	w.Space()
	for more := w.Byte('{'); more; more = w.Byte(',') {
		name, value, ok := pair(&w, record)
		if !ok {
			break
		}
		if isType(name) {
			return kindNamed(value)
		}
	}
	return noKind
}

// pair passes one member.
func pair(w *rawjson.Walker, text []byte) (name, value []byte, ok bool) {
	from := w.At
	if !w.String() {
		return nil, nil, false
	}
	name = text[from:w.At]
	w.Space()
	if !w.Byte(':') {
		return nil, nil, false
	}
	from = w.At
	if !w.Skip() {
		return nil, nil, false
	}
	value = text[from:w.At]
	w.Space()
	return name, value, true
}

// longestEscape is how many bytes one byte of a name takes at most.
const longestEscape = len(`\u0000`)

func isType(token []byte) bool {
	if len(token) == len(`"type"`) {
		return string(token) == `"type"`
	}
	return spells(token, "type")
}

// spells reports whether a string token that is longer than word needs is word,
// written with escapes.
func spells(token []byte, word string) bool {
	var room [longestEscape * 20]byte
	if len(token) <= len(word)+2 || len(token) > longestEscape*len(word)+2 || !escaped(token) {
		return false
	}
	text, _ := rawjson.AppendText(room[:0], token)
	return string(text) == word
}

func escaped(token []byte) bool {
	for _, c := range token {
		if c == '\\' {
			return true
		}
	}
	return false
}

// kindNamed is the kind whose name a token spells.
func kindNamed(token []byte) kind {
	for i, name := range kindNames {
		if len(token) == len(name)+2 && string(token[1:len(token)-1]) == name || spells(token, name) {
			return kind(i)
		}
	}
	return noKind
}
