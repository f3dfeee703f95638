package rawjson

// Kind is what a JSON value is.
type Kind uint8

// Kinds of value. Invalid, the zero Kind, is for text that starts none.
const (
	Invalid Kind = iota
	Null
	Bool
	Number
	String
	Object
	Array
)

// KindOf tells the kind of a value by its first byte, so raw has to start with
// the value itself, and what follows is not looked at.
func KindOf(raw []byte) Kind {
	switch c := at(raw, 0); c {
	case '"':
		return String
	case '{':
		return Object
	case '[':
		return Array
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	default:
		if c == '-' || c-'0' <= 9 {
			return Number
		}
		return Invalid
	}
}
